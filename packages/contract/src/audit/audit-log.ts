import { z } from 'zod'
import { Id, Millis, queryId, queryRange } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page } from '../page.ts'
import { region } from './region.ts'

export const AuditLogRow = z.strictObject({
  id: field(Id, '日志编号', 'Id'),
  userId: field(Id.nullable(), '操作人编号', 'User id'),
  userName: field(z.string().nullable(), '操作人', 'By'),
  /** The first two parts of the action, like `system:user`. */
  type: field(z.string(), '操作模块', 'Module'),
  subType: field(z.string(), '操作名', 'Operation'),
  action: field(z.string(), '操作内容', 'Action'),
  subject: field(z.string().nullable(), '操作对象', 'Subject'),
  bizId: field(Id.nullable(), '业务编号', 'Subject id'),
  /** The code answered; 200 for success. */
  result: field(z.int(), '结果', 'Result'),
  userIp: field(z.string().nullable(), '操作 IP', 'Address'),
  region,
  userAgent: field(z.string().nullable(), '浏览器', 'Browser'),
  /** Null for what was no call, and for rows from before it was kept; the address is without its query. */
  requestMethod: field(z.string().nullable(), '请求方法', 'Method'),
  requestUrl: field(z.string().nullable(), '请求地址', 'Address asked'),
  traceId: field(z.string().nullable(), '链路追踪编号', 'Trace id'),
  /** Null for what was no call of a person, and for rows from before it was kept. */
  durationMs: field(z.int().nullable(), '执行时间（毫秒）', 'Duration (ms)'),
  createTime: field(Millis, '操作时间', 'Time'),
})
export type AuditLogRow = z.output<typeof AuditLogRow>

export const sealStates = ['SEALED', 'WAITING', 'BROKEN'] as const

const state = z.record(z.string(), z.unknown()).nullable()
/** Contact data comes masked to whoever lacks `system:user:reveal`, of a school's contacts `school:school:reveal`. */
export const AuditLogDetail = AuditLogRow.extend({
  before: field(state, '修改前', 'Before'),
  after: field(state, '修改后', 'After'),
  /** Before and after are left out, since the row lies outside what the reader may see. */
  withheld: field(z.boolean(), '不在可见范围', 'Out of sight'),
  hash: field(z.string(), '校验值', 'Hash'),
  /** Whether the row is still what was sealed, and its seal still follows from the one before. */
  sealState: field(z.enum(sealStates), '封存状态', 'Sealed'),
  /** Number of the seal that covers the row; null for the few seconds until it is sealed. */
  seal: field(z.int().nullable(), '封存编号', 'Seal'),
})
export type AuditLogDetail = z.output<typeof AuditLogDetail>

/** A row of the sheet: what the detail tells, with the hash of its seal, which the server's log has too. */
export const AuditLogSheetRow = AuditLogDetail.omit({ sealState: true }).extend({
  sealHash: field(z.string().nullable(), '封存校验值', 'Hash of the seal'),
})
export type AuditLogSheetRow = z.output<typeof AuditLogSheetRow>

export const AuditLogQuery = PageQuery.extend({
  /** In what was done, from where or by whom; with it a month at most is asked for. */
  keywords: field(z.string().max(100).optional(), '关键字', 'Keyword'),
  userId: field(queryId.optional(), '操作人编号', 'User id'),
  userName: field(z.string().max(100).optional(), '操作人', 'By'),
  bizId: field(queryId.optional(), '业务编号', 'Subject id'),
  type: field(z.string().max(100).optional(), '操作模块', 'Module'),
  subType: field(z.string().max(100).optional(), '操作名', 'Operation'),
  action: field(z.string().max(100).optional(), '操作内容', 'Action'),
  /** Or how it begins. */
  userIp: field(z.string().max(45).optional(), '操作 IP', 'Address'),
  createTime: field(queryRange.optional(), '操作时间', 'Time'),
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
