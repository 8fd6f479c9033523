import { z } from 'zod'
import { Id, Millis, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { ById, page } from '../page.ts'
import { reportKinds } from './report-kind.ts'
import { SituationTimes } from './report.ts'
import { type SituationVerb, situationMachine } from './situation-machine.ts'
import { SituationDetail, SituationDraft, situationDispositions, SituationQuery, SituationRow } from './situation.ts'
import { UnitChoice } from './unit.ts'

/** Maximum open incidents on the desk, more than a station ever has. */
export const DESK_SITUATIONS = 200

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
const reason = field(z.string().trim().min(1).max(200), '原因', 'Reason')
const unitIds = field(z.array(Id).min(1).max(20), '单位', 'Units')
const fileIds = field(z.array(Id).max(9).optional(), '附件', 'Files')
const text = field(z.string().trim().min(1).max(1000), '内容', 'Text')

const One = z.strictObject({ id, version })

/** The input of each verb beside the incident. */
export const DispatchBody = One.extend({
  unitIds,
  /** Sends units that are busy elsewhere as well. */
  force: field(z.boolean().optional(), '仍要派警', 'Send anyway'),
})
export const TransferBody = One.extend({ stationDeptId: field(Id, '派出所', 'Station'), reason })
export const ReasonBody = One.extend({ reason })
export const MergeBody = One.extend({ intoId: field(Id, '并入', 'Into') })
export const NoteBody = One.extend({ text, fileIds })
export const FeedbackBody = NoteBody.extend({
  /** Left out: the first report, then a further one. */
  kind: field(z.enum(reportKinds).optional(), '反馈类型', 'Kind of report'),
})
export const CloseBody = One.extend({
  category: field(z.string().min(1).max(30), '类别', 'Category'),
  disposition: field(z.enum(situationDispositions), '处置结果', 'Result'),
  result: field(z.string().trim().min(1).max(500), '结案说明', 'Closing note'),
})
export const RecallBody = One.extend({ assignmentId: field(Id, '派警', 'Assignment'), reason })

const call = (verb: string) => ({ kind: 'json', permission: `police:situation:${verb}`, scope: 'school' }) as const

const verb = <const B extends z.ZodObject>(name: SituationVerb, body: B, zh: string, en: string) =>
  endpoint({
    method: 'POST',
    path: `/police/situation/${name}`,
    kind: 'json',
    permission: situationMachine[name].permission,
    scope: 'school',
    summary: `警单：${zh}`,
    summaryEn: `Incident: ${en}`,
    body,
    data: SituationRow,
  })

export const situations = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/police/situation/page',
    summary: '警单分页',
    summaryEn: 'Incidents, by page',
    query: SituationQuery,
    data: page(SituationRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/police/situation/get',
    summary: '一件警单的详情',
    summaryEn: 'One incident with units and timeline',
    query: ById,
    data: SituationDetail,
  }),
  desk: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/police/situation/desk',
    summary: '处警台：未结束的警单',
    summaryEn: 'Dispatch desk: open incidents, the most urgent first',
    data: z.strictObject({ now: Millis, list: z.array(SituationRow) }),
  }),
  ofRecord: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/police/situation/of-record',
    summary: '警情对应的警单',
    summaryEn: 'The incident of an alarm',
    query: z.strictObject({ recordId: field(queryId, '警情', 'Alarm') }),
    data: z.strictObject({ id: Id, no: z.string() }).nullable(),
  }),
  times: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/police/situation/times',
    summary: '警单的用时分布',
    summaryEn: 'How long the incidents of a list took',
    query: SituationQuery,
    data: SituationTimes,
  }),
  cap: endpoint({
    method: 'GET',
    path: '/police/situation/cap',
    kind: 'file',
    permission: 'police:situation:export',
    scope: 'school',
    summary: '导出一件警单（CAP 1.2）',
    summaryEn: 'Export one incident as a CAP 1.2 message',
    query: ById,
    data: z.null(),
  }),
  units: endpoint({
    ...call('dispatch'),
    method: 'GET',
    path: '/police/situation/units',
    summary: '可派的警力，空闲且近的在前',
    summaryEn: 'Units that can be sent, free and near ones first',
    query: ById,
    data: z.array(UnitChoice),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/police/situation/create',
    summary: '新增警单',
    summaryEn: 'Create an incident',
    body: SituationDraft,
    data: Id,
  }),
  ...exportEndpoints({
    permission: 'police:situation:export',
    scope: 'school',
    path: '/police/situation',
    title: '警单',
    titleEn: 'Incidents',
    query: SituationQuery,
  }),
}

export const situationCalls = {
  claim: verb('claim', One, '接警', 'claim'),
  dispatch: verb('dispatch', DispatchBody, '派警', 'dispatch units'),
  addUnit: verb('addUnit', DispatchBody, '增援', 'add units'),
  recall: verb('recall', RecallBody, '撤回单位', 'recall a unit'),
  transfer: verb('transfer', TransferBody, '移交', 'transfer to another station'),
  reject: verb('reject', ReasonBody, '退回学校', 'return to the school'),
  merge: verb('merge', MergeBody, '合并', 'merge into another'),
  unmerge: verb('unmerge', ReasonBody, '取消合并', 'unmerge'),
  note: verb('note', NoteBody, '备注', 'note'),
  feedback: verb('feedback', FeedbackBody, '反馈', 'report back'),
  close: verb('close', CloseBody, '结案', 'close'),
  cancel: verb('cancel', ReasonBody, '撤销', 'cancel'),
  reopen: verb('reopen', ReasonBody, '重新打开', 'reopen'),
}
