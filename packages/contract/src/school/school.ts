import { z } from 'zod'
import { Id, queryList } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page } from '../page.ts'
import { EmergencyContacts, EmergencyContactsDraft } from './contact.ts'
import { Geofence, GeofenceDraft } from './geofence.ts'

export const schoolStages = [
  'KINDERGARTEN',
  'PRIMARY',
  'JUNIOR',
  'SENIOR',
  'VOCATIONAL',
  'SPECIAL',
  'UNIVERSITY',
] as const
export const areaTypes = ['URBAN', 'SUBURBAN', 'RURAL'] as const
export const schoolStatuses = ['PREPARING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const

export const School = z.strictObject({
  id: field(Id, '编号', 'Id'),
  deptId: field(Id, '所属部门', 'Department'),
  policeDeptId: field(Id.nullable(), '辖区派出所', 'Police station'),
  code: field(z.string(), '学校代码', 'School code'),
  name: field(z.string(), '学校名称', 'School name'),
  stage: field(z.enum(schoolStages), '学段', 'Stage'),
  areaType: field(z.enum(areaTypes), '区域类型', 'Area type'),
  boarding: field(z.boolean(), '寄宿制', 'Boarding'),
  studentCount: field(z.int(), '学生数', 'Pupils'),
  boarderCount: field(z.int(), '寄宿生数', 'Boarders'),
  staffCount: field(z.int(), '教职工数', 'Staff'),
  address: field(z.string().nullable(), '地址', 'Address'),
  lng: field(z.number().nullable(), '经度', 'Longitude'),
  lat: field(z.number().nullable(), '纬度', 'Latitude'),
  geofence: field(Geofence.nullable(), '电子围栏', 'Geofence'),
  dutyPhone: field(z.string().nullable(), '值班电话', 'Duty phone'),
  emergencyContacts: field(EmergencyContacts, '应急联系人', 'Emergency contacts'),
  status: field(z.enum(schoolStatuses), '状态', 'Status'),
  readiness: field(z.int().nullable(), '就绪度', 'Readiness'),
  ...auditFields,
})
export type School = z.output<typeof School>

/** Limits stand here and as lengths and checks in the table; a repo test holds them against each other. */
export const SchoolDraft = School.omit({ ...generatedColumns, deptId: true, readiness: true }).extend({
  code: field(z.string().trim().min(1).max(32), '学校代码', 'School code'),
  name: field(z.string().trim().min(1).max(64), '学校名称', 'School name'),
  studentCount: field(z.int().min(0).max(1_000_000), '学生数', 'Pupils'),
  boarderCount: field(z.int().min(0).max(1_000_000), '寄宿生数', 'Boarders'),
  staffCount: field(z.int().min(0).max(100_000), '教职工数', 'Staff'),
  address: field(z.string().trim().max(200).nullable(), '地址', 'Address'),
  lng: field(z.number().min(-180).max(180).nullable(), '经度', 'Longitude'),
  lat: field(z.number().min(-90).max(90).nullable(), '纬度', 'Latitude'),
  geofence: field(GeofenceDraft.nullable(), '电子围栏', 'Geofence'),
  dutyPhone: field(z.string().trim().max(20).nullable(), '值班电话', 'Duty phone'),
  emergencyContacts: field(EmergencyContactsDraft, '应急联系人', 'Emergency contacts'),
})

const shown = {
  policeDeptName: field(z.string().nullable(), '辖区派出所', 'Police station'),
  deviceCount: field(z.int(), '设备数', 'Devices'),
}
/** Of one school everything; `emergencyContacts` with the numbers that the reader may see. */
export const SchoolDetail = School.extend(shown)
export type SchoolDetail = z.output<typeof SchoolDetail>

/** In a list nobody calls anybody, so it holds no number, masked or not. */
export const SchoolRow = School.omit({ geofence: true, emergencyContacts: true }).extend(shown)
export type SchoolRow = z.output<typeof SchoolRow>

export const SchoolQuery = PageQuery.extend({
  keyword: field(z.string().max(64).optional(), '名称或代码', 'Name or code'),
  stage: field(queryList(schoolStages).optional(), '学段', 'Stage'),
  status: field(queryList(schoolStatuses).optional(), '状态', 'Status'),
})
export type SchoolQuery = z.output<typeof SchoolQuery>

export const schools = {
  page: endpoint({
    method: 'GET',
    path: '/school/school/page',
    kind: 'json',
    permission: 'school:school:query',
    scope: 'school',
    summary: '学校分页',
    summaryEn: 'Schools, by page',
    query: SchoolQuery,
    data: page(SchoolRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/school/school/get',
    kind: 'json',
    permission: 'school:school:query',
    scope: 'school',
    summary: '学校详情',
    summaryEn: 'One school',
    query: ById,
    data: SchoolDetail,
  }),
  simpleList: endpoint({
    method: 'GET',
    path: '/school/school/simple-list',
    kind: 'json',
    permission: 'token',
    scope: 'school',
    summary: '学校选项',
    summaryEn: 'Schools to choose from',
    data: z.array(z.strictObject({ id: Id, name: z.string() })),
  }),
}
