import { z } from 'zod'
import { auditFields } from '../audit-fields.ts'
import { Id } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { exportEndpoints } from '../export.ts'
import { field } from '../field.ts'
import { PageQuery, page, sortable } from '../page.ts'
import { Geofence, GeofenceDraft } from '../school/geofence.ts'
import { keywordText } from '../text-fields.ts'

const minutes = (zh: string, en: string) => field(z.int().nullable(), zh, en)
const urban = ['城区到场目标（分钟）', 'Urban: minutes to arrive'] as const
const suburban = ['城郊到场目标（分钟）', 'Suburban: minutes to arrive'] as const
const rural = ['乡村到场目标（分钟）', 'Rural: minutes to arrive'] as const

/** Data of a department of kind POLICE_STATION beyond the department; null targets: as soon as possible. */
export const Station = z.strictObject({
  id: field(Id, '编号', 'Id'),
  deptId: field(Id, '部门', 'Department'),
  dutyPhone: field(z.string().nullable(), '值班电话', 'Duty phone'),
  jurisdiction: field(Geofence.nullable(), '辖区范围', 'Jurisdiction'),
  arriveUrbanMin: minutes(...urban),
  arriveSuburbanMin: minutes(...suburban),
  arriveRuralMin: minutes(...rural),
  ...auditFields,
})
export type Station = z.output<typeof Station>

export const StationRow = Station.extend({
  name: field(z.string(), '派出所', 'Station'),
  schoolCount: field(z.int(), '学校', 'Schools'),
  unitCount: field(z.int(), '警力', 'Units'),
  onDutyCount: field(z.int(), '在岗', 'On duty'),
  openCount: field(z.int(), '未结警单', 'Open incidents'),
})
export type StationRow = z.output<typeof StationRow>

const target = ([zh, en]: readonly [string, string]) => field(z.int().min(1).max(240).nullable(), zh, en)

export const StationDraft = z.strictObject({
  dutyPhone: field(z.string().trim().max(20).nullable(), '值班电话', 'Duty phone'),
  jurisdiction: field(GeofenceDraft.nullable(), '辖区范围', 'Jurisdiction'),
  arriveUrbanMin: target(urban),
  arriveSuburbanMin: target(suburban),
  arriveRuralMin: target(rural),
})
export type StationDraft = z.output<typeof StationDraft>

export const StationQuery = PageQuery.extend({
  keyword: field(keywordText(40).optional(), '名称', 'Name'),
  orderBy: sortable(['name', 'schoolCount', 'unitCount', 'openCount']),
})
export type StationQuery = z.output<typeof StationQuery>

const call = (verb: string) => ({ kind: 'json', permission: `police:station:${verb}`, scope: 'dept' }) as const

export const stations = {
  page: endpoint({
    ...call('query'),
    method: 'GET',
    path: '/police/station/page',
    summary: '派出所分页',
    summaryEn: 'Police stations, by page',
    query: StationQuery,
    data: page(StationRow),
  }),
  simpleList: endpoint({
    kind: 'json',
    permission: 'police:situation:query',
    scope: 'dept',
    method: 'GET',
    path: '/police/station/simple-list',
    summary: '派出所选项',
    summaryEn: 'Police stations to choose from',
    data: z.array(z.strictObject({ id: Id, name: z.string() })),
  }),
  update: endpoint({
    ...call('update'),
    method: 'PUT',
    path: '/police/station/update',
    summary: '修改派出所',
    summaryEn: 'Change a police station',
    body: StationDraft.partial().extend({
      id: field(Id, '编号', 'Id'),
      version: field(z.int(), '版本', 'Version'),
    }),
    data: z.literal(true),
  }),
  ...exportEndpoints({
    permission: 'police:station:export',
    scope: 'dept',
    path: '/police/station',
    title: '派出所',
    titleEn: 'Police stations',
    query: StationQuery,
  }),
}
