import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'

const password = field(z.string().min(1).max(200), '锁屏密码', 'Lock password')

export const Lock = z.strictObject({ password: field(password.nullable().optional(), '锁屏密码', 'Lock password') })
export type Lock = z.output<typeof Lock>
export const Unlock = z.strictObject({ password })
export type Unlock = z.output<typeof Unlock>

const own = { method: 'POST', kind: 'json', permission: 'token', scope: 'self' } as const

/** A locked session rejects every call except `unlock`, signing out and refreshing, with code 1002000021. */
export const locks = {
  lock: endpoint({
    ...own,
    path: '/system/auth/lock',
    summary: '锁定会话',
    summaryEn: 'Lock this session, with a password of its own or none',
    body: Lock,
    data: z.literal(true),
  }),
  unlock: endpoint({
    ...own,
    path: '/system/auth/unlock',
    summary: '解锁会话',
    summaryEn: 'Unlock this session by the lock password or the password of the account',
    body: Unlock,
    data: z.literal(true),
  }),
}
