import type { Row } from '#db/tables'

type RoleSeed = { code: string; name: string; nameEn: string; dataScope: Row<'role'>['dataScope']; remark: string }

/**
 * Domain 2.15. The command centre sees all schools, because no school has its department as station. Maintainers see
 * devices only, but all of them.
 */
export const roleSeeds = [
  { code: 'super_admin', name: '系统管理员', nameEn: 'System administrator', dataScope: 'ALL', remark: '管理整个系统' },
  {
    code: 'edu_bureau',
    name: '教育局管理员',
    nameEn: 'Education bureau administrator',
    dataScope: 'DEPT_AND_CHILD',
    remark: '教育局：查看所属学校',
  },
  {
    code: 'school_admin',
    name: '学校管理员',
    nameEn: 'School administrator',
    dataScope: 'DEPT_AND_CHILD',
    remark: '学校：处置并复核',
  },
  {
    code: 'safety_officer',
    name: '学校安全员',
    nameEn: 'School safety officer',
    dataScope: 'DEPT',
    remark: '学校：处置',
  },
  {
    code: 'guard',
    name: '学校保安',
    nameEn: 'School guard',
    dataScope: 'DEPT',
    remark: '学校：接警、到场、转警方、处置',
  },
  { code: 'counsellor', name: '心理辅导员', nameEn: 'Counsellor', dataScope: 'DEPT', remark: '学校：只处理欺凌事件' },
  {
    code: 'command_operator',
    name: '指挥中心接警员',
    nameEn: 'Command centre operator',
    dataScope: 'ALL',
    remark: '指挥中心：处置',
  },
  {
    code: 'shift_lead',
    name: '指挥中心值班长',
    nameEn: 'Command centre shift lead',
    dataScope: 'ALL',
    remark: '指挥中心：处置并复核',
  },
  {
    code: 'station_desk',
    name: '派出所值班员',
    nameEn: 'Police station desk',
    dataScope: 'DEPT_AND_CHILD',
    remark: '派出所：处置辖区学校的警情',
  },
  {
    code: 'officer',
    name: '民警',
    nameEn: 'Police officer',
    dataScope: 'DEPT_AND_CHILD',
    remark: '派出所：到场并反馈',
  },
  {
    code: 'maintainer',
    name: '设备维护员',
    nameEn: 'Device maintainer',
    dataScope: 'ALL',
    remark: '运营单位：只管设备',
  },
  {
    code: 'supervisor',
    name: '督导员',
    nameEn: 'Supervisor',
    dataScope: 'DEPT_AND_CHILD',
    remark: '查看本部门负责的范围',
  },
  {
    code: 'security_admin',
    name: '安全管理员',
    nameEn: 'Security administrator',
    dataScope: 'ALL',
    remark: '管理角色、权限与会话，与系统管理员、审计员分立',
  },
  { code: 'auditor', name: '审计员', nameEn: 'Auditor', dataScope: 'ALL', remark: '只查看，不改动' },
  {
    code: 'api_client',
    name: '接口客户端',
    nameEn: 'API client',
    dataScope: 'DEPT',
    remark: '对接系统的账号：只读警情、学校与设备',
  },
] as const satisfies RoleSeed[]

export type RoleCode = (typeof roleSeeds)[number]['code']
