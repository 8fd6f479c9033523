import { z } from 'zod'
import { modes } from '../alarm/state-machine.ts'
import { auditFields } from '../audit-fields.ts'
import { Id, Millis, queryBool, queryDate, queryId, queryList } from '../codecs.ts'
import { StoredFileInfo } from '../files/file.ts'
import { field } from '../field.ts'
import { PageQuery, sortable } from '../page.ts'
import { keywordText, nameText, phoneText } from '../text-fields.ts'
import { reportKinds } from './report-kind.ts'
import { situationStates } from './situation-machine.ts'
import { AssignedUnit } from './unit.ts'

export const situationSources = ['WARN', 'PHONE_110', 'MANUAL', 'EXTERNAL_CAD', 'PATROL'] as const
/** Sources that a user may choose; alarms and other systems have their own. */
export const manualSources = ['PHONE_110', 'MANUAL', 'PATROL'] as const satisfies (typeof situationSources)[number][]
export const situationDispositions = [
  'RESOLVED_ON_SCENE',
  'MEDIATED',
  'ADMINISTRATIVE_CASE',
  'CRIMINAL_CASE',
  'HELPED',
  'HANDED_OVER',
  'NOTHING_FOUND',
  'FALSE_REPORT',
] as const
/** Dictionary of the categories. */
export const CATEGORY_DICT = 'police_category'

const at = (zh: string, en: string) => field(Millis.nullable(), zh, en)

/** The police's own case (domain 2.5). Place fields are a snapshot: old incidents keep their old place. */
export const Situation = z.strictObject({
  id: field(Id, '编号', 'Id'),
  no: field(z.string(), '警单编号', 'Incident no.'),
  source: field(z.enum(situationSources), '来源', 'Source'),
  warnRecordId: field(Id.nullable(), '警情', 'Alarm'),
  externalNo: field(z.string().nullable(), '外部编号', 'External no.'),
  mode: field(z.enum(modes), '模式', 'Mode'),
  category: field(z.string().nullable(), '类别', 'Category'),
  grade: field(z.int(), '等级', 'Grade'),
  schoolId: field(Id.nullable(), '学校', 'School'),
  schoolName: field(z.string().nullable(), '学校', 'School'),
  place: field(z.string().nullable(), '地点', 'Place'),
  lng: field(z.number().nullable(), '经度', 'Longitude'),
  lat: field(z.number().nullable(), '纬度', 'Latitude'),
  reporterName: field(z.string().nullable(), '报警人', 'Reporter'),
  reporterMobile: field(z.string().nullable(), '报警电话', "Reporter's number"),
  stationDeptId: field(Id.nullable(), '派出所', 'Station'),
  summary: field(z.string(), '简要案情', 'Summary'),
  state: field(z.enum(situationStates), '状态', 'State'),
  ownerId: field(Id.nullable(), '接警人', 'Claimed by'),
  disposition: field(z.enum(situationDispositions).nullable(), '处置结果', 'Result'),
  result: field(z.string().nullable(), '结案说明', 'Closing note'),
  reason: field(z.string().nullable(), '原因', 'Reason'),
  linkedId: field(Id.nullable(), '移交后的警单', 'Transferred to'),
  mergedIntoId: field(Id.nullable(), '并入', 'Merged into'),
  receivedAt: field(Millis, '接警时间', 'Received'),
  claimedAt: at('受理时间', 'Claimed'),
  dispatchedAt: at('派警时间', 'Dispatched'),
  signedAt: at('签收时间', 'Unit received'),
  departedAt: at('出警时间', 'Departed'),
  arrivedAt: at('到场时间', 'On scene'),
  fedBackAt: at('反馈时间', 'Reported back'),
  closedAt: at('结案时间', 'Closed'),
  archivedAt: at('归档时间', 'Archived'),
  /** Since it came back; null: it never did, and limits count from its milestones. */
  limitsFrom: at('时限重计时间', 'Limits restarted'),
  ...auditFields,
})
export type Situation = z.output<typeof Situation>

/** The next step with its deadline (domain 2.9). */
export const dueSteps = ['CLAIM', 'DISPATCH', 'SIGN', 'DEPART', 'ARRIVE', 'FEEDBACK', 'CLOSE'] as const

/** For lists and the desk. */
export const SituationRow = Situation.extend({
  recordNo: field(z.string().nullable(), '警情', 'Alarm'),
  stationName: field(z.string().nullable(), '派出所', 'Station'),
  ownerName: field(z.string().nullable(), '接警人', 'Claimed by'),
  unitNames: field(z.string(), '单位', 'Units'),
  feedbackCount: field(z.int(), '反馈', 'Reports'),
  /** Minutes that the station allows for travel; null without a target. */
  arriveTargetMin: field(z.int().nullable(), '到场目标（分钟）', 'Target to arrive (min)'),
  dueStep: field(z.enum(dueSteps).nullable(), '下一步', 'Next step'),
  dueFrom: at('计时开始', 'Limit counts from'),
  dueAt: at('时限', 'Limit'),
})
export type SituationRow = z.output<typeof SituationRow>

/** One entry of the timeline, append-only. */
export const SituationLog = z.strictObject({
  id: field(Id, '编号', 'Id'),
  situationId: field(Id, '警单', 'Incident'),
  at: field(Millis, '时间', 'Time'),
  verb: field(z.string(), '动作', 'Action'),
  actorId: field(Id.nullable(), '操作人', 'By'),
  actorName: field(z.string().nullable(), '操作人', 'By'),
  fromState: field(z.enum(situationStates).nullable(), '原状态', 'From'),
  toState: field(z.enum(situationStates).nullable(), '新状态', 'To'),
  unitName: field(z.string().nullable(), '单位', 'Unit'),
  text: field(z.string().nullable(), '说明', 'Text'),
  fileIds: field(z.array(Id), '附件', 'Files'),
  /** Of a report; earlier ones have none. */
  reportKind: field(z.enum(reportKinds).nullable(), '反馈类型', 'Kind of report'),
})
export type SituationLog = z.output<typeof SituationLog>

const Named = z.strictObject({ id: Id, no: z.string(), state: z.enum(situationStates) })

export const SituationDetail = SituationRow.extend({
  address: field(z.string().nullable(), '地址', 'Address'),
  dutyPhone: field(z.string().nullable(), '学校值班电话', 'Duty phone of the school'),
  stationPhone: field(z.string().nullable(), '派出所值班电话', 'Duty phone of the station'),
  units: field(z.array(AssignedUnit), '单位', 'Units'),
  log: field(
    z.array(
      SituationLog.extend({
        actorAccount: field(z.string().nullable(), '账号', 'Account'),
        files: z.array(StoredFileInfo),
      }),
    ),
    '时间线',
    'Timeline',
  ),
  linked: Named.nullable(),
  mergedInto: Named.nullable(),
  merged: z.array(Named),
})
export type SituationDetail = z.output<typeof SituationDetail>

export const SituationQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '编号、学校、地点或案情', 'No., school, place or summary'),
  state: field(queryList(situationStates).optional(), '状态', 'State'),
  category: field(z.string().max(30).optional(), '类别', 'Category'),
  source: field(queryList(situationSources).optional(), '来源', 'Source'),
  stationDeptId: field(queryId.optional(), '派出所', 'Station'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  claimed: field(queryBool.optional(), '已接警', 'Claimed'),
  overdue: field(queryBool.optional(), '超时', 'Overdue'),
  open: field(queryBool.optional(), '未结束', 'Not closed'),
  /** Default: the last 7 days; at most 92. */
  from: field(queryDate.optional(), '开始时间', 'From'),
  to: field(queryDate.optional(), '结束时间', 'To'),
  orderBy: sortable(['receivedAt', 'grade', 'state']),
})
export type SituationQuery = z.output<typeof SituationQuery>

export const SituationDraft = z.strictObject({
  source: field(z.enum(manualSources), '来源', 'Source'),
  externalNo: field(z.string().trim().max(40).nullable().optional(), '外部编号', 'External no.'),
  category: field(z.string().min(1).max(30), '类别', 'Category'),
  grade: field(z.int().min(1).max(4), '等级', 'Grade'),
  schoolId: field(Id.nullable().optional(), '学校', 'School'),
  place: field(z.string().trim().max(300).nullable().optional(), '地点', 'Place'),
  reporterName: field(nameText(64).nullable().optional(), '报警人', 'Reporter'),
  reporterMobile: field(phoneText().max(20).nullable().optional(), '报警电话', "Reporter's number"),
  stationDeptId: field(Id.nullable().optional(), '派出所', 'Station'),
  summary: field(z.string().trim().min(1).max(1000), '简要案情', 'Summary'),
})
export type SituationDraft = z.output<typeof SituationDraft>
