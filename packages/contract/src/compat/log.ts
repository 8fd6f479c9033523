import { z } from 'zod'
import { Id, queryRange } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { PageQuery, page } from '../page.ts'

const LogItem = z.strictObject({
  id: Id,
  module: z.string(),
  content: z.string(),
  requestUri: z.string().nullable(),
  method: z.string().nullable(),
  ip: z.string().nullable(),
  region: z.string().nullable(),
  browser: z.string().nullable(),
  os: z.string().nullable(),
  executionTime: z.int().nullable(),
  operator: z.string().nullable(),
  createTime: z.string(),
})
export type LogItem = z.output<typeof LogItem>

export const logsV1 = {
  page: endpoint({
    method: 'GET',
    path: '/api/v1/logs/page',
    kind: 'json',
    permission: 'system:operate-log:query',
    scope: 'dept',
    summary: '操作日志分页',
    summaryEn: 'What people did, by page, of the last 7 days unless a time is given: at most 92, with a keyword 31',
    query: PageQuery.extend({
      keywords: field(z.string().max(100).optional(), '关键字', 'What, from where or by whom'),
      createTime: field(queryRange.optional(), '操作时间', 'Time'),
    }),
    data: page(LogItem),
  }),
}
