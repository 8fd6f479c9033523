import { z } from 'zod'
import { Id, queryBool, queryId, queryList } from '../codecs.ts'
import { auditFields, generatedColumns } from '../audit-fields.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { ById, PageQuery, page, sortable } from '../page.ts'
import { EmergencyContacts, EmergencyContactsDraft } from './contact.ts'
import { Geofence, GeofenceDraft } from './geofence.ts'
import { coordinateSystems } from './plan/coordinate-system.ts'
import { nameText } from '../text-fields.ts'

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
  /** Where the position was taken from; it is stored in CGCS2000. */
  coordinateSystem: field(z.enum(coordinateSystems), '坐标来源', 'Source of the position'),
  geofence: field(Geofence.nullable(), '电子围栏', 'Geofence'),
  dutyPhone: field(z.string().nullable(), '值班电话', 'Duty phone'),
  emergencyContacts: field(EmergencyContacts, '应急联系人', 'Emergency contacts'),
  principalId: field(Id.nullable(), '校长', 'Principal'),
  safetyOfficerId: field(Id.nullable(), '安全主任', 'Safety officer'),
  legalViceHeadId: field(Id.nullable(), '法治副校长', 'Legal vice-head'),
  status: field(z.enum(schoolStatuses), '状态', 'Status'),
  statusReason: field(z.string().nullable(), '状态说明', 'Reason of the status'),
  readiness: field(z.int().nullable(), '就绪度', 'Readiness'),
  ...auditFields,
})
export type School = z.output<typeof School>

/** Limits are here and also as lengths and checks in the table; a repository test compares them. */
export const SchoolDraft = School.omit({
  ...generatedColumns,
  deptId: true,
  status: true,
  statusReason: true,
  readiness: true,
}).extend({
  code: field(z.string().trim().min(1).max(32), '学校代码', 'School code'),
  name: field(nameText(64), '学校名称', 'School name'),
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

export type SchoolDraft = z.output<typeof SchoolDraft>

/** A school is created together with its department, below an education department. */
export const SchoolCreateDraft = SchoolDraft.partial()
  .required({ code: true, name: true, stage: true, areaType: true })
  .extend({ eduDeptId: field(Id, '教育部门', 'Education department') })
export type SchoolCreateDraft = z.output<typeof SchoolCreateDraft>

const shown = {
  eduDeptId: field(Id.nullable(), '教育部门', 'Education department'),
  eduDeptName: field(z.string().nullable(), '教育部门', 'Education department'),
  policeDeptName: field(z.string().nullable(), '辖区派出所', 'Police station'),
  deviceCount: field(z.int(), '设备数', 'Devices'),
  inServiceCount: field(z.int(), '在用设备', 'Devices in service'),
  openAlarmCount: field(z.int().nullable(), '未结警情', 'Open alarms'),
}

/** Requirements of a new school, in the order of its checklist. */
export const setupSteps = ['STATION', 'LOCATION', 'PLACES', 'PEOPLE', 'CONTACTS', 'DEVICES', 'TEST'] as const
export type SetupStep = (typeof setupSteps)[number]

/** Somebody of the register who answers for a school; null where the reader does not see people. */
export const leaderFields = ['principalId', 'safetyOfficerId', 'legalViceHeadId'] as const
export type LeaderField = (typeof leaderFields)[number]

const leaderName = z.string().nullable()

/** All data of one school; `emergencyContacts` with the numbers that the reader may see. */
export const SchoolDetail = School.extend({
  ...shown,
  placeCount: field(z.int(), '位置数', 'Places'),
  onlineCount: field(z.int(), '在线设备', 'Devices online'),
  overdueTestCount: field(z.int(), '测试过期', 'Tests overdue'),
  principalName: field(leaderName, '校长', 'Principal'),
  safetyOfficerName: field(leaderName, '安全主任', 'Safety officer'),
  legalViceHeadName: field(leaderName, '法治副校长', 'Legal vice-head'),
  stepsDone: field(z.array(z.enum(setupSteps)), '已完成的步骤', 'Steps that are done'),
})
export type SchoolDetail = z.output<typeof SchoolDetail>

/** A list contains no numbers, masked or not, because nobody calls from it. */
export const SchoolRow = School.omit({ geofence: true, emergencyContacts: true }).extend(shown)
export type SchoolRow = z.output<typeof SchoolRow>

export const SchoolQuery = PageQuery.extend({
  keyword: field(z.string().max(64).optional(), '名称、代码或地址', 'Name, code or address'),
  stage: field(queryList(schoolStages).optional(), '学段', 'Stage'),
  eduDeptId: field(queryId.optional(), '教育部门', 'Education department'),
  policeDeptId: field(queryId.optional(), '辖区派出所', 'Police station'),
  noStation: field(queryBool.optional(), '无派出所', 'Without a station'),
  openAlarms: field(queryBool.optional(), '有未结警情', 'With open alarms'),
  status: field(queryList(schoolStatuses).optional(), '状态', 'Status'),
  /** Without a choice the least ready schools come first. */
  orderBy: sortable(['name', 'code', 'eduDeptName', 'studentCount', 'deviceCount', 'openAlarmCount', 'readiness']),
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
