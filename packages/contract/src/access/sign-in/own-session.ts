import { z } from 'zod'
import { Id, Millis } from '../../codecs.ts'
import { endpoint } from '../../endpoint.ts'
import { field } from '../../field.ts'
import { ById } from '../../page.ts'
import { region } from '../../audit/region.ts'

/** A browser signed in with the caller's account. */
export const OwnSession = z.strictObject({
  id: field(Id, '会话编号', 'Session id'),
  userIp: field(z.string(), '登录地址', 'Address'),
  region,
  userAgent: field(z.string(), '浏览器', 'Browser'),
  createTime: field(Millis, '登录时间', 'Since'),
  /** When its tokens were last refreshed, about each half hour of use. */
  lastUsedTime: field(Millis, '最近活动时间', 'Last used'),
  locked: field(z.boolean(), '已锁定', 'Locked'),
  current: field(z.boolean(), '当前会话', 'This session'),
})
export type OwnSession = z.output<typeof OwnSession>

const own = { kind: 'json', permission: 'token', scope: 'self' } as const

export const ownSessions = {
  list: endpoint({
    ...own,
    method: 'GET',
    path: '/system/user/profile/session-list',
    summary: '我的登录设备',
    summaryEn: 'Every browser signed in with my account, this one first',
    data: z.array(OwnSession),
  }),
  end: endpoint({
    ...own,
    method: 'DELETE',
    path: '/system/user/profile/delete-session',
    summary: '退出登录设备',
    summaryEn: 'Sign one of my other browsers out',
    query: ById,
    data: z.literal(true),
  }),
  endOthers: endpoint({
    ...own,
    method: 'DELETE',
    path: '/system/user/profile/delete-other-sessions',
    summary: '退出其他登录设备',
    summaryEn: 'Sign every other browser out; the answer is how many there were',
    data: z.int(),
  }),
}
