import { z } from 'zod'
import { Id, Millis, queryDate, queryId, queryList } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportOptions } from '../export.ts'
import { field } from '../field.ts'
import { PageQuery, page, sortable } from '../page.ts'
import { recordStates } from './state-machine.ts'

export const logKinds = ['SIGNAL', 'TRANSITION', 'NOTE', 'DELIVERY', 'COMMAND', 'VIEW', 'MEDIA', 'AUDIT'] as const

/** One entry of a record's hash chain (domain 2.4, invariant 4). Hashes are hex on the wire. */
export const WarnLog = z.strictObject({
  id: field(Id, '编号', 'Id'),
  recordId: field(Id, '警情', 'Alarm'),
  no: field(z.int(), '序号', 'No.'),
  at: field(Millis, '时间', 'Time'),
  kind: field(z.enum(logKinds), '类型', 'Kind'),
  verb: field(z.string(), '动作', 'Action'),
  actorId: Id.nullable(),
  actorName: field(z.string(), '操作人', 'By'),
  /** Sign-in name of the actor; null for the system. */
  actorAccount: field(z.string().nullable(), '账号', 'Account'),
  fromState: field(z.enum(recordStates).nullable(), '原状态', 'From'),
  toState: field(z.enum(recordStates).nullable(), '新状态', 'To'),
  payload: z.record(z.string(), z.unknown()),
  schoolId: Id.nullable(),
  deptId: Id,
})
export type WarnLog = z.output<typeof WarnLog>

export const WarnLogRow = WarnLog.extend({
  recordNo: field(z.string(), '警情编号', 'Alarm no.'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  hash: field(z.string(), '校验值', 'Hash'),
})
export type WarnLogRow = z.output<typeof WarnLogRow>

export const LogQuery = PageQuery.extend({
  keyword: field(z.string().max(64).optional(), '警情编号、操作人或账号', 'Alarm no., person or account'),
  recordId: field(queryId.optional(), '警情', 'Alarm'),
  kind: field(queryList(logKinds).optional(), '类型', 'Kind'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  from: field(queryDate.optional(), '开始时间', 'From'),
  to: field(queryDate.optional(), '结束时间', 'To'),
  orderBy: sortable(['at']),
})
export type LogQuery = z.output<typeof LogQuery>

export const warnLogs = {
  page: endpoint({
    method: 'GET',
    path: '/warn/log/page',
    kind: 'json',
    permission: 'warn:log:query',
    scope: 'school',
    summary: '警情日志分页',
    summaryEn: 'Alarm log, by page',
    query: LogQuery,
    data: page(WarnLogRow),
  }),
  export: endpoint({
    method: 'GET',
    path: '/warn/log/export',
    kind: 'file',
    permission: 'warn:log:export',
    scope: 'school',
    summary: '导出警情日志',
    summaryEn: 'Export the alarm log',
    query: LogQuery.extend(exportOptions),
    data: z.null(),
  }),
}
