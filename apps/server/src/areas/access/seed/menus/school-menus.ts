import { button, type MenuSeed } from '../menu-seed.ts'
import type { RoleCode } from '../roles.ts'
import { all, desk, readers, systems } from './role-groups.ts'

/** Roles that maintain the register of people. */
const keepers: RoleCode[] = ['school_admin', 'edu_bureau']

/** Schools and what belongs to them. */
export const schoolMenu: MenuSeed = {
  name: '学校',
  nameEn: 'Schools',
  path: '/school',
  componentName: 'Schools',
  icon: 'school',
  roles: [],
  children: [
    {
      name: '学校',
      nameEn: 'Schools',
      path: 'list',
      component: 'school/index',
      componentName: 'School',
      icon: 'school',
      roles: [],
      buttons: [
        button('school:school:query', '查询', 'Query', [...all, ...systems, 'maintainer']),
        // Users who may claim an alarm, or are sent there, must be able to call.
        button('school:school:reveal', '查看联系人电话', 'See numbers of contacts', desk),
        button('school:school:create', '新增', 'Create', ['edu_bureau']),
        button('school:school:update', '修改', 'Update', ['edu_bureau', 'school_admin']),
        button('school:school:status', '启用、停用与关闭', 'Change the status', ['edu_bureau']),
        button('school:school:delete', '删除', 'Delete', ['edu_bureau']),
        button('school:school:import', '导入', 'Import', ['edu_bureau']),
        button('school:school:export', '导出', 'Export', ['school_admin', 'shift_lead', ...readers]),
        button('school:place:query', '查询位置', 'Query places', [...all, ...systems, 'maintainer']),
        button('school:place:create', '新增位置', 'Create places', ['edu_bureau', 'school_admin', 'maintainer']),
        button('school:place:update', '修改位置', 'Update places', ['edu_bureau', 'school_admin', 'maintainer']),
        button('school:place:import', '导入位置', 'Import places', ['edu_bureau', 'school_admin', 'maintainer']),
        button('school:place:delete', '删除位置', 'Delete places', ['edu_bureau', 'school_admin']),
      ],
    },
    {
      name: '校历',
      nameEn: 'Calendar',
      path: 'calendar',
      component: 'school/calendar',
      componentName: 'SchoolCalendar',
      icon: 'calendar',
      roles: [],
      buttons: [
        button('school:calendar:query', '查询', 'Query', [...keepers, 'safety_officer', 'maintainer']),
        button('school:calendar:update', '修改', 'Update', keepers),
        button('school:calendar:import', '导入', 'Import', keepers),
      ],
    },
    {
      name: '人员',
      nameEn: 'People',
      path: 'employee',
      component: 'employee/index',
      componentName: 'Employee',
      icon: 'user',
      roles: [],
      buttons: [
        button('school:employee:query', '查询', 'Query', [
          ...keepers,
          'safety_officer',
          'station_desk',
          'shift_lead',
          'auditor',
        ]),
        button('school:employee:reveal', '查看手机号码', 'See mobile numbers', [
          ...keepers,
          'safety_officer',
          'station_desk',
          'shift_lead',
        ]),
        button('school:employee:create', '新增', 'Create', keepers),
        button('school:employee:update', '修改', 'Update', keepers),
        button('school:employee:delete', '删除', 'Delete', keepers),
        button('school:employee:leave', '离职与复职', 'Left or employed again', keepers),
        button('school:employee:account', '开通账号', 'Give accounts', keepers),
        button('school:employee:import', '导入', 'Import', keepers),
        button('school:employee:export', '导出', 'Export', [...keepers, 'auditor']),
      ],
    },
  ],
}
