import { z } from 'zod'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { Day, Id, Millis, queryBool, queryId } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { attachmentDrafts, attachmentList } from '../files/attachment.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { codeText, keywordText, nameText } from '../text-fields.ts'
import { type Span } from './hours.ts'

export const MAX_PATROL_POINTS = 50
export const MAX_ROUNDS = 24
/** Rounds a day where a point is a key area (domain 2.5). */
export const MIN_KEY_ROUNDS = 5

export const patrolRunStates = ['PLANNED', 'RUNNING', 'DONE', 'MISSED'] as const
export type PatrolRunState = (typeof patrolRunStates)[number]

/** A point counts for a round when it was reached so long before its beginning or after its end. */
export const PATROL_GRACE_MIN = 15
/** A phone without a connection can send so much later what it recorded. */
export const MAX_SCAN_AGE_HOURS = 24

const MINUTE_MS = 60_000

/** Whether a point reached at an instant counts for a round. */
export const isWithinRound = (at: Date, { from, to }: Span): boolean =>
  at.getTime() >= from.getTime() - PATROL_GRACE_MIN * MINUTE_MS &&
  at.getTime() <= to.getTime() + PATROL_GRACE_MIN * MINUTE_MS

/** The state of a round by its points; over means that nothing more counts for it. */
export const patrolRunState = (reached: number, points: number, isOver: boolean): PatrolRunState => {
  if (points > 0 && reached >= points) return 'DONE'
  if (isOver) return 'MISSED'
  return reached > 0 ? 'RUNNING' : 'PLANNED'
}

/** The rounds of one day: its span in equal parts. */
export const splitRounds = ({ from, to }: Span, rounds: number): Span[] => {
  const length = (to.getTime() - from.getTime()) / rounds
  const at = (round: number) => new Date(Math.round(from.getTime() + round * length))
  return Array.from({ length: rounds }, (_, round) => ({ from: at(round), to: at(round + 1) }))
}

export const PatrolPlan = z.strictObject({
  id: field(Id, '编号', 'Id'),
  schoolId: field(Id, '学校', 'School'),
  name: field(z.string(), '巡查路线', 'Patrol'),
  weekdays: field(z.int(), '星期', 'Weekdays'),
  fromMin: field(z.int(), '开始时间', 'From'),
  toMin: field(z.int(), '结束时间', 'To'),
  rounds: field(z.int(), '每日轮数', 'Rounds a day'),
  enabled: field(z.boolean(), '启用', 'In use'),
  remark: field(z.string().nullable(), '备注', 'Remark'),
  ...auditFields,
})
export type PatrolPlan = z.output<typeof PatrolPlan>

export const PatrolPoint = z.strictObject({
  id: Id,
  planId: Id,
  schoolId: Id,
  seq: z.int(),
  name: field(z.string(), '巡查点', 'Point'),
  placeId: field(Id.nullable(), '位置', 'Place'),
  keyPart: field(z.boolean(), '重点部位', 'Key area'),
  /** What is printed at the point. */
  code: field(z.string(), '巡查码', 'Code'),
  /** Since then it is part of no round to come. */
  removedAt: field(Millis.nullable(), '移除时间', 'Removed'),
})
export type PatrolPoint = z.output<typeof PatrolPoint>

export const PatrolPointRow = PatrolPoint.omit({ code: true, planId: true, schoolId: true, removedAt: true }).extend({
  placeName: field(z.string().nullable(), '位置', 'Place'),
})
export type PatrolPointRow = z.output<typeof PatrolPointRow>

/** With its `id` a point keeps its code and its history. */
export const PatrolPointDraft = z.strictObject({
  id: field(Id.nullable().optional(), '编号', 'Id'),
  name: field(nameText(64), '巡查点', 'Point'),
  placeId: field(Id.nullable(), '位置', 'Place'),
  keyPart: field(z.boolean(), '重点部位', 'Key area'),
})
export type PatrolPointDraft = z.output<typeof PatrolPointDraft>

const points = field(z.array(PatrolPointDraft).min(1).max(MAX_PATROL_POINTS), '巡查点', 'Points')

export const PatrolPlanDraft = PatrolPlan.omit(generatedColumns).extend({
  name: field(nameText(64), '巡查路线', 'Patrol'),
  weekdays: field(z.int().min(1).max(127), '星期', 'Weekdays'),
  fromMin: field(z.int().min(0).max(1439), '开始时间', 'From'),
  toMin: field(z.int().min(0).max(1440), '结束时间', 'To'),
  rounds: field(z.int().min(1).max(MAX_ROUNDS), '每日轮数', 'Rounds a day'),
  remark: field(z.string().trim().max(200).nullable(), '备注', 'Remark'),
})
export const PatrolDraft = PatrolPlanDraft.extend({ points })
export type PatrolDraft = z.output<typeof PatrolDraft>

export const PatrolEdit = PatrolDraft.omit({ schoolId: true })
  .partial()
  .extend({
    id: field(Id, '编号', 'Id'),
    version: field(z.int().optional(), '版本', 'Version'),
  })
export type PatrolEdit = z.output<typeof PatrolEdit>

export const PatrolPlanRow = PatrolPlan.extend({
  schoolName: field(z.string(), '学校', 'School'),
  pointCount: field(z.int(), '巡查点', 'Points'),
  doneToday: field(z.int(), '今日已完成', 'Done today'),
  missedToday: field(z.int(), '今日漏检', 'Missed today'),
})
export type PatrolPlanRow = z.output<typeof PatrolPlanRow>

export const PatrolPlanDetail = PatrolPlanRow.extend({ points: z.array(PatrolPointRow) })
export type PatrolPlanDetail = z.output<typeof PatrolPlanDetail>

export const PatrolQuery = PageQuery.extend({
  keyword: field(keywordText(64).optional(), '巡查路线', 'Patrol'),
  schoolId: field(queryId.optional(), '学校', 'School'),
  missed: field(queryBool.optional(), '今日漏检', 'Missed today'),
  enabled: field(queryBool.optional(), '启用', 'In use'),
  orderBy: sortable(['name', 'schoolName', 'createTime']),
})
export type PatrolQuery = z.output<typeof PatrolQuery>

/** One round of one day. */
export const PatrolRun = z.strictObject({
  id: Id,
  planId: Id,
  schoolId: Id,
  day: field(Day, '日期', 'Day'),
  round: field(z.int(), '轮次', 'Round'),
  fromAt: field(Millis, '开始', 'From'),
  toAt: field(Millis, '结束', 'To'),
  state: field(z.enum(patrolRunStates), '状态', 'State'),
})
export type PatrolRun = z.output<typeof PatrolRun>

export const PatrolScan = z.strictObject({
  id: Id,
  runId: Id,
  pointId: Id.nullable(),
  schoolId: Id,
  pointName: field(z.string(), '巡查点', 'Point'),
  userId: Id,
  stepKey: z.string(),
  scannedAt: field(Millis, '到达时间', 'Reached'),
  receivedAt: field(Millis, '接收时间', 'Received'),
  isOdd: field(z.boolean(), '发现异常', 'Something is odd'),
  note: field(z.string().nullable(), '说明', 'Note'),
})
export type PatrolScan = z.output<typeof PatrolScan>

export const PatrolScanRow = PatrolScan.omit({ stepKey: true, schoolId: true }).extend({
  userName: field(z.string(), '巡查人', 'By'),
  attachments: attachmentList,
})
export type PatrolScanRow = z.output<typeof PatrolScanRow>

/** Rounds × points of one day. */
export const PatrolGrid = z.strictObject({
  day: Day,
  points: z.array(PatrolPointRow),
  runs: z.array(PatrolRun.omit({ planId: true, schoolId: true })),
  scans: z.array(PatrolScanRow),
})
export type PatrolGrid = z.output<typeof PatrolGrid>

/** A round on the phone: where to go next. The codes of the points are at the points only. */
export const MyPatrolRun = PatrolRun.extend({
  planName: field(z.string(), '巡查路线', 'Patrol'),
  schoolName: field(z.string(), '学校', 'School'),
  rounds: z.int(),
  points: z.array(PatrolPointRow.extend({ scannedAt: Millis.nullable() })),
})
export type MyPatrolRun = z.output<typeof MyPatrolRun>

export const ScanDraft = z.strictObject({
  /** Made by the client once per scan: one that is sent again is applied once and answered again. */
  stepKey: field(z.uuid(), '步骤编号', 'Step key'),
  runId: field(Id, '轮次', 'Round'),
  code: field(codeText().min(1).max(64), '巡查码', 'Code'),
  /** When the point was reached, where it was sent later. */
  scannedAt: field(Millis.nullable(), '到达时间', 'Reached'),
  isOdd: field(z.boolean(), '发现异常', 'Something is odd'),
  note: field(z.string().trim().max(500).nullable(), '说明', 'Note'),
  attachments: attachmentDrafts,
})
export type ScanDraft = z.output<typeof ScanDraft>

export const ScanResult = z.strictObject({
  pointName: field(z.string(), '巡查点', 'Point'),
  /** Points of the plan as it is now. */
  done: field(z.int(), '已到', 'Reached'),
  total: field(z.int(), '巡查点', 'Points'),
  /** The point has left the plan since: the scan is stored but counts for no round. */
  isRemoved: field(z.boolean(), '已移出路线', 'Removed from the patrol'),
})
export type ScanResult = z.output<typeof ScanResult>

const call = (verb: string) => ({ kind: 'json', permission: `security:patrol:${verb}`, scope: 'school' }) as const

export const patrols = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/patrol/page',
    summary: '巡查路线分页',
    summaryEn: 'Patrols, by page',
    query: PatrolQuery,
    data: page(PatrolPlanRow),
  }),
  get: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/patrol/get',
    summary: '巡查路线与巡查点',
    summaryEn: 'One patrol with its points',
    query: ById,
    data: PatrolPlanDetail,
  }),
  grid: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/security/patrol/grid',
    summary: '某日各轮各点的巡查情况',
    summaryEn: 'Rounds and points of one day',
    query: z.strictObject({
      id: field(queryId, '编号', 'Id'),
      day: field(Day.optional(), '日期', 'Day'),
    }),
    data: PatrolGrid,
  }),
  codes: endpoint({
    ...call('update'),
    method: 'GET',
    path: '/security/patrol/codes',
    summary: '巡查码，用于打印',
    summaryEn: 'Codes of the points, to print',
    query: ById,
    data: z.array(z.strictObject({ id: Id, name: z.string(), code: z.string() })),
  }),
  create: endpoint({
    ...call('create'),
    method: 'POST',
    path: '/security/patrol/create',
    summary: '新增巡查路线',
    summaryEn: 'Create a patrol',
    body: PatrolDraft,
    data: Id,
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/security/patrol/update',
    summary: '修改巡查路线',
    summaryEn: 'Change a patrol',
    body: PatrolEdit,
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('delete'),
    method: 'DELETE',
    path: '/security/patrol/delete',
    summary: '删除没有巡查记录的路线',
    summaryEn: 'Delete a patrol without any scan',
    query: ById,
    data: z.literal(true),
  }),
  mine: endpoint({
    ...call('run'),
    method: 'GET',
    path: '/security/patrol/mine',
    summary: '当前可巡查的轮次',
    summaryEn: 'Rounds to walk now',
    data: z.strictObject({ now: Millis, runs: z.array(MyPatrolRun), nextAt: Millis.nullable() }),
  }),
  scan: endpoint({
    ...call('run'),
    method: 'POST',
    path: '/security/patrol/scan',
    summary: '到达巡查点',
    summaryEn: 'Reach a point',
    body: ScanDraft,
    data: ScanResult,
  }),
}
