import { z } from 'zod'
import { Id } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'

/** The `/api/v1` family: other payloads over the same model (wire 11.1). */
export const usersV1 = {
  me: endpoint({
    method: 'GET',
    path: '/api/v1/users/me',
    kind: 'json',
    permission: 'token',
    scope: 'self',
    summary: '当前用户',
    summaryEn: 'Who is signed in',
    data: z.strictObject({
      userId: Id,
      username: z.string(),
      nickname: z.string(),
      avatar: z.string().nullable(),
      roles: z.array(z.string()),
      perms: z.array(z.string()),
    }),
  }),
  options: endpoint({
    method: 'GET',
    path: '/api/v1/users/options',
    kind: 'json',
    permission: 'token',
    scope: 'dept',
    summary: '用户选项',
    summaryEn: 'Users to choose from',
    data: z.array(z.strictObject({ value: z.string(), label: z.string() })),
  }),
}
