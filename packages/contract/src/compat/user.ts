import { z } from 'zod'
import { Id, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { importFiles } from '../files/import.ts'

const ImportV1Query = z.strictObject({
  /** The department of rows without one. */
  deptId: field(queryId.optional(), '默认部门', 'Department of rows without one'),
})

/** The `/api/v1` API: other payloads over the same model (wire 11.1). */
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
  import: endpoint({
    method: 'POST',
    path: '/api/v1/users/import',
    kind: 'upload',
    permission: 'system:user:import',
    scope: 'dept',
    summary: '导入用户',
    summaryEn: 'Import users; answers one text of lines with breaks',
    query: ImportV1Query,
    files: importFiles,
    data: z.string(),
  }),
  options: endpoint({
    method: 'GET',
    path: '/api/v1/users/options',
    kind: 'json',
    permission: 'token',
    scope: 'dept',
    summary: '用户选项，最多一万个',
    summaryEn: 'Users to choose from, 10,000 at most',
    data: z.array(z.strictObject({ value: z.string(), label: z.string() })),
  }),
}
