import { z } from 'zod'
import { Id, Millis, queryBool, queryId, queryRange } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { region } from './region.ts'

export const AuditLogRow = z.strictObject({
  id: field(Id, '日志编号', 'Id'),
  userId: field(Id.nullable(), '操作人编号', 'User id'),
  userName: field(z.string().nullable(), '操作人', 'By'),
  /** The first two segments of the action, like `system:user`. */
  type: field(z.string(), '操作模块', 'Module'),
  subType: field(z.string(), '操作名', 'Operation'),
  action: field(z.string(), '操作内容', 'Action'),
  subject: field(z.string().nullable(), '操作对象', 'Subject'),
  bizId: field(Id.nullable(), '业务编号', 'Subject id'),
  /** The code of the response; 200 for success. */
  result: field(z.int(), '结果', 'Result'),
  userIp: field(z.string().nullable(), '操作 IP', 'Address'),
  region,
  userAgent: field(z.string().nullable(), '浏览器', 'Browser'),
  /** Null for actions outside of a call, and for rows from before it was stored; the address has no query. */
  requestMethod: field(z.string().nullable(), '请求方法', 'Method'),
  requestUrl: field(z.string().nullable(), '请求地址', 'Address asked'),
  traceId: field(z.string().nullable(), '链路追踪编号', 'Trace id'),
  /** Null for actions outside of a user's call, and for rows from before it was stored. */
  durationMs: field(z.int().nullable(), '执行时间（毫秒）', 'Duration (ms)'),
  createTime: field(Millis, '操作时间', 'Time'),
})
export type AuditLogRow = z.output<typeof AuditLogRow>

export const sealStates = ['SEALED', 'WAITING', 'BROKEN'] as const

const state = z.record(z.string(), z.unknown()).nullable()
/** Contact data are masked without `system:user:reveal`, those of school contacts without `school:school:reveal`. */
export const AuditLogDetail = AuditLogRow.extend({
  before: field(state, '修改前', 'Before'),
  after: field(state, '修改后', 'After'),
  /** Before and after are omitted, because the reader cannot see the row. */
  withheld: field(z.boolean(), '不在可见范围', 'Out of sight'),
  hash: field(z.string(), '校验值', 'Hash'),
  /** Whether the row still matches its seal, and the seal still follows from the one before. */
  sealState: field(z.enum(sealStates), '封存状态', 'Sealed'),
  /** Number of the seal that covers the row; null until the sealer has run. */
  seal: field(z.int().nullable(), '封存编号', 'Seal'),
})
export type AuditLogDetail = z.output<typeof AuditLogDetail>

/** A row of the spreadsheet: the data of the detail, with the hash of its seal, which is also in the server's log. */
export const AuditLogSheetRow = AuditLogDetail.omit({ sealState: true }).extend({
  sealHash: field(z.string().nullable(), '封存校验值', 'Hash of the seal'),
})
export type AuditLogSheetRow = z.output<typeof AuditLogSheetRow>

export const AuditLogQuery = PageQuery.extend({
  /** In action, address or user; with it the range is limited to a month. */
  keywords: field(z.string().max(100).optional(), '关键字', 'Keyword'),
  userId: field(queryId.optional(), '操作人编号', 'User id'),
  userName: field(z.string().max(100).optional(), '操作人', 'By'),
  bizId: field(queryId.optional(), '业务编号', 'Subject id'),
  type: field(z.string().max(100).optional(), '操作模块', 'Module'),
  subType: field(z.string().max(100).optional(), '操作名', 'Operation'),
  action: field(z.string().max(100).optional(), '操作内容', 'Action'),
  /** Or the beginning of one. */
  userIp: field(z.string().max(45).optional(), '操作 IP', 'Address'),
  succeeded: field(queryBool.optional(), '成功', 'Succeeded'),
  createTime: field(queryRange.optional(), '操作时间', 'Time'),
  orderBy: sortable(['createTime']),
})
export type AuditLogQuery = z.output<typeof AuditLogQuery>

const log = { method: 'GET', kind: 'json', permission: 'system:operate-log:query', scope: 'dept' } as const

export const auditLogs = {
  page: endpoint({
    ...log,
    path: '/system/operate-log/page',
    summary: '操作日志分页',
    summaryEn: 'What people did, by page, of the last 7 days unless a time is given',
    query: AuditLogQuery,
    data: page(AuditLogRow),
  }),
  get: endpoint({
    ...log,
    path: '/system/operate-log/get',
    summary: '操作日志详情',
    summaryEn: 'One operation with the row before and after',
    query: ById,
    data: AuditLogDetail,
  }),
  ...exportEndpoints({
    permission: 'system:operate-log:export',
    scope: 'dept',
    path: '/system/operate-log',
    title: '操作日志',
    titleEn: 'What people did',
    query: AuditLogQuery,
  }),
}
