import type { Row } from '#db/tables'

type RoleSeed = { code: string; name: string; dataScope: Row<'role'>['dataScope']; remark: string }

/**
 * Domain 2.15. The command centre sees all schools: its department is no school's station. Maintainers see all devices,
 * and nothing but devices.
 */
export const roleSeeds = [
  { code: 'super_admin', name: '系统管理员', dataScope: 'ALL', remark: 'System administrator: everything' },
  {
    code: 'edu_bureau',
    name: '教育局管理员',
    dataScope: 'DEPT_AND_CHILD',
    remark: 'Education bureau: its schools, read',
  },
  { code: 'school_admin', name: '学校管理员', dataScope: 'DEPT_AND_CHILD', remark: 'School: handles and leads' },
  { code: 'safety_officer', name: '学校安全员', dataScope: 'DEPT', remark: 'School: handles' },
  { code: 'guard', name: '学校保安', dataScope: 'DEPT', remark: 'School: claims, goes there, escalates, resolves' },
  { code: 'counsellor', name: '心理辅导员', dataScope: 'DEPT', remark: 'School: bullying cases only' },
  { code: 'command_operator', name: '指挥中心接警员', dataScope: 'ALL', remark: 'Command centre: handles' },
  { code: 'shift_lead', name: '指挥中心值班长', dataScope: 'ALL', remark: 'Command centre: handles and leads' },
  {
    code: 'station_desk',
    name: '派出所值班员',
    dataScope: 'DEPT_AND_CHILD',
    remark: 'Police station: handles for its schools',
  },
  { code: 'officer', name: '民警', dataScope: 'DEPT_AND_CHILD', remark: 'Police station: goes there and reports' },
  { code: 'maintainer', name: '设备维护员', dataScope: 'ALL', remark: 'Operator: devices only' },
  { code: 'supervisor', name: '督导员', dataScope: 'DEPT_AND_CHILD', remark: 'Reads what his department answers for' },
  {
    code: 'security_admin',
    name: '安全管理员',
    dataScope: 'ALL',
    remark: 'Roles, rights and sessions of people; apart from administrator and auditor (decision 008)',
  },
  { code: 'auditor', name: '审计员', dataScope: 'ALL', remark: 'Reads everything, changes nothing' },
] as const satisfies RoleSeed[]

export type RoleCode = (typeof roleSeeds)[number]['code']
