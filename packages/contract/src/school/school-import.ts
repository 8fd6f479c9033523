import { z } from 'zod'
import { field } from '../field.ts'
import { importEndpoints, ImportQuery } from '../files/import.ts'
import { coordinateSystems } from './plan/coordinate-system.ts'
import { SchoolCreateDraft } from './school.ts'

/** The columns of a school; contacts, the fence and the responsible people are edited in the form. */
export const SchoolImportDraft = SchoolCreateDraft.omit({
  emergencyContacts: true,
  geofence: true,
  principalId: true,
  safetyOfficerId: true,
  legalViceHeadId: true,
}).extend({
  /** The system of the two numbers beside it; they are stored as CGCS2000. */
  coordinateSystem: field(z.enum(coordinateSystems).optional(), '坐标系', 'Coordinate system'),
})
export type SchoolImportDraft = z.output<typeof SchoolImportDraft>

/** The columns of the spreadsheet; departments are named by their name or code. */
export const SchoolSheetRow = z.strictObject({
  code: field(z.string(), '学校代码', 'School code'),
  name: field(z.string(), '学校名称', 'School name'),
  eduDeptId: field(z.string(), '教育部门', 'Education department'),
  policeDeptId: field(z.string(), '辖区派出所', 'Police station'),
  stage: field(z.string(), '学段', 'Stage'),
  areaType: field(z.string(), '区域类型', 'Area type'),
  boarding: field(z.string(), '寄宿制', 'Boarding'),
  studentCount: field(z.string(), '学生数', 'Pupils'),
  boarderCount: field(z.string(), '寄宿生数', 'Boarders'),
  staffCount: field(z.string(), '教职工数', 'Staff'),
  address: field(z.string(), '地址', 'Address'),
  lng: field(z.string(), '经度', 'Longitude'),
  lat: field(z.string(), '纬度', 'Latitude'),
  dutyPhone: field(z.string(), '值班电话', 'Duty phone'),
  coordinateSystem: field(z.string(), '坐标系', 'Coordinate system'),
})

export const schoolImports = importEndpoints({
  permission: 'school:school:import',
  scope: 'school',
  path: '/school/school',
  title: '学校',
  titleEn: 'Schools',
  query: ImportQuery,
})
