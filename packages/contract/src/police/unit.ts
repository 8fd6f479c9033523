import { z } from 'zod'
import { assignmentStates, declineReasons } from '../alarm/assignment-machine.ts'
import { auditFields } from '../audit-fields.ts'
import { Id, Millis, queryBool, queryId, queryList } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { keywordText, nameText } from '../text-fields.ts'

export const unitTypes = ['CAR', 'FOOT', 'POST', 'AUX'] as const
/** Derived from its open assignment, or from being on duty. */
export const unitStates = ['FREE', 'ASSIGNED', 'EN_ROUTE', 'ON_SCENE', 'OFF'] as const
export type UnitState = (typeof unitStates)[number]
export const MAX_MEMBERS = 20

export const Unit = z.strictObject({
  id: field(Id, '编号', 'Id'),
  deptId: field(Id, '派出所', 'Station'),
  name: field(z.string(), '名称', 'Name'),
  type: field(z.enum(unitTypes), '类型', 'Type'),
  onDuty: field(z.boolean(), '在岗', 'On duty'),
  onDutySince: field(Millis.nullable(), '上岗时间', 'On duty since'),
  lng: field(z.number().nullable(), '经度', 'Longitude'),
  lat: field(z.number().nullable(), '纬度', 'Latitude'),
  positionAt: field(Millis.nullable(), '定位时间', 'Position at'),
  ...auditFields,
})
export type Unit = z.output<typeof Unit>

const Member = z.strictObject({ id: Id, name: z.string() })

export const UnitRow = Unit.extend({
  stationName: field(z.string(), '派出所', 'Station'),
  members: field(z.array(Member), '成员', 'Members'),
  state: field(z.enum(unitStates), '状态', 'State'),
  situationId: field(Id.nullable(), '警单', 'Incident'),
  situationNo: field(z.string().nullable(), '警单', 'Incident'),
})
export type UnitRow = z.output<typeof UnitRow>

/** A unit that can be sent to an incident, with its distance. */
export const UnitChoice = UnitRow.extend({
  /** Straight-line metres; null without a position. */
  distanceM: field(z.int().nullable(), '直线距离（米）', 'Distance (m)'),
  neighbour: field(z.boolean(), '邻近派出所', 'Of another station'),
})
export type UnitChoice = z.output<typeof UnitChoice>

const stamp = (zh: string, en: string) => field(Millis.nullable(), zh, en)

/** A unit on an incident, with its times. */
export const AssignedUnit = z.strictObject({
  id: field(Id, '编号', 'Id'),
  unitId: field(Id, '单位', 'Unit'),
  unitName: field(z.string(), '单位', 'Unit'),
  /** The reader is a member of it. */
  isOwn: field(z.boolean(), '本人所在单位', 'Own unit'),
  state: field(z.enum(assignmentStates), '状态', 'State'),
  declineReason: field(z.enum(declineReasons).nullable(), '无法前往的原因', 'Why not'),
  assignedAt: field(Millis, '派警', 'Sent'),
  receivedAt: stamp('签收', 'Received'),
  departedAt: stamp('出警', 'Departed'),
  arrivedAt: stamp('到场', 'On scene'),
  endedAt: stamp('完成', 'Ended'),
})
export type AssignedUnit = z.output<typeof AssignedUnit>

export const UnitDraft = z.strictObject({
  deptId: field(Id, '派出所', 'Station'),
  name: field(nameText(40), '名称', 'Name'),
  type: field(z.enum(unitTypes), '类型', 'Type'),
  memberIds: field(z.array(Id).max(MAX_MEMBERS), '成员', 'Members'),
})
export type UnitDraft = z.output<typeof UnitDraft>

export const UnitQuery = PageQuery.extend({
  keyword: field(keywordText(40).optional(), '名称或成员', 'Name or member'),
  deptId: field(queryId.optional(), '派出所', 'Station'),
  type: field(queryList(unitTypes).optional(), '类型', 'Type'),
  onDuty: field(queryBool.optional(), '在岗', 'On duty'),
  state: field(queryList(unitStates).optional(), '状态', 'State'),
  orderBy: sortable(['name', 'stationName', 'createTime']),
})
export type UnitQuery = z.output<typeof UnitQuery>

const id = field(Id, '编号', 'Id')
const version = field(z.int(), '版本', 'Version')
const call = (verb: string) => ({ kind: 'json', permission: `police:unit:${verb}`, scope: 'dept' }) as const

export const units = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/police/unit/page',
    summary: '警力分页',
    summaryEn: 'Units, by page',
    query: UnitQuery,
    data: page(UnitRow),
  }),
  members: endpoint({
    ...call('update'),
    method: 'GET',
    path: '/police/unit/members',
    summary: '一个派出所可编入警力的人员',
    summaryEn: 'People of a station who can be in a unit',
    query: z.strictObject({ deptId: field(queryId, '派出所', 'Station') }),
    data: z.array(Member),
  }),
  create: endpoint({
    ...call('update'),
    method: 'POST',
    path: '/police/unit/create',
    summary: '新增警力单位',
    summaryEn: 'Create a unit',
    body: UnitDraft,
    data: Id,
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/police/unit/update',
    summary: '修改警力单位',
    summaryEn: 'Change a unit',
    body: UnitDraft.extend({ id, version }),
    data: z.literal(true),
  }),
  duty: endpoint({
    ...call('duty'),
    method: 'POST',
    path: '/police/unit/duty',
    summary: '单位上岗或下班',
    summaryEn: 'Start or end the shift of a unit',
    body: z.strictObject({ id, version, onDuty: field(z.boolean(), '在岗', 'On duty') }),
    data: z.literal(true),
  }),
  locate: endpoint({
    ...call('duty'),
    method: 'POST',
    path: '/police/unit/locate',
    summary: '上报单位位置',
    summaryEn: 'Report where a unit is',
    body: z.strictObject({
      id,
      lng: field(z.number().min(-180).max(180), '经度', 'Longitude'),
      lat: field(z.number().min(-90).max(90), '纬度', 'Latitude'),
    }),
    data: z.literal(true),
  }),
  delete: endpoint({
    ...call('update'),
    method: 'DELETE',
    path: '/police/unit/delete',
    summary: '删除从未出警的单位',
    summaryEn: 'Delete a unit that was never sent',
    query: ById,
    data: z.literal(true),
  }),
}
