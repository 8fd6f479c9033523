import type { RoleCode } from '../roles.ts'
import { button, type MenuSeed } from '../menu-seed.ts'
import { readers } from './role-groups.ts'

/** Roles that plan posts and shifts of a school. */
const planners: RoleCode[] = ['school_admin', 'safety_officer']
/** Roles that plan the seats of a command centre and the duty of a station. */
const seatPlanners: RoleCode[] = ['shift_lead', 'station_desk']

/** Roles that stand at a post or sit at a seat. */
const people: RoleCode[] = [...planners, ...seatPlanners, 'guard', 'officer', 'command_operator']

/** Who hands over what is open at the end of a shift. */
const signers: RoleCode[] = [...planners, ...seatPlanners, 'guard', 'command_operator']

/** Duty: posts, shifts, patrols. */
export const dutyMenu: MenuSeed = {
  name: '值守',
  nameEn: 'Duty',
  path: '/duty',
  componentName: 'Duty',
  icon: 'duty',
  roles: [],
  children: [
    {
      name: '岗位',
      nameEn: 'Posts',
      path: 'post',
      component: 'security/index',
      componentName: 'SecurityPost',
      icon: 'duty',
      roles: [],
      buttons: [
        button('security:post:query', '查询', 'Query', [...planners, ...seatPlanners, ...readers]),
        button('security:post:create', '新增', 'Create', [...planners, 'shift_lead']),
        button('security:post:update', '修改', 'Update', [...planners, 'shift_lead']),
        button('security:post:delete', '删除', 'Delete', ['school_admin', 'shift_lead']),
        button('security:post:import', '导入', 'Import', ['school_admin', 'shift_lead']),
        button('security:post:export', '导出', 'Export', ['school_admin', ...readers]),
      ],
    },
    {
      name: '排班',
      nameEn: 'Shifts',
      path: 'shift',
      component: 'security/shift',
      componentName: 'SecurityShift',
      icon: 'calendar',
      roles: [],
      buttons: [
        button('security:shift:query', '查询', 'Query', [...people, 'edu_bureau']),
        button('security:shift:create', '排班', 'Plan', [...planners, ...seatPlanners]),
        button('security:shift:update', '调整与请假', 'Change', [...planners, ...seatPlanners]),
        button('security:shift:publish', '发布', 'Publish', [...planners, ...seatPlanners]),
        button('security:shift:check-in', '上岗与下班', 'Check in', people),
        button('security:shift:swap', '换班', 'Swap', people),
        button('security:shift:export', '导出', 'Export', ['school_admin', 'shift_lead', 'edu_bureau']),
      ],
    },
    {
      name: '巡查',
      nameEn: 'Patrols',
      path: 'patrol',
      component: 'security/patrol',
      componentName: 'Patrol',
      icon: 'record',
      roles: [],
      buttons: [
        button('security:patrol:query', '查询', 'Query', [...planners, 'guard', 'edu_bureau', 'supervisor']),
        button('security:patrol:create', '新增', 'Create', planners),
        button('security:patrol:update', '修改', 'Update', planners),
        button('security:patrol:delete', '删除', 'Delete', planners),
        button('security:patrol:run', '巡查', 'Walk', [...planners, 'guard']),
        button('security:patrol:export', '导出', 'Export', ['school_admin', 'edu_bureau', 'supervisor']),
      ],
    },
    {
      name: '交接班',
      nameEn: 'Handover',
      path: 'handover',
      component: 'security/handover',
      componentName: 'Handover',
      icon: 'task',
      roles: [],
      buttons: [
        button('security:handover:query', '查询', 'Query', signers),
        button('security:handover:sign', '交班与接班', 'Hand over and take over', signers),
        button('security:handover:export', '导出', 'Export', ['school_admin', 'shift_lead']),
      ],
    },
    {
      name: '覆盖缺口',
      nameEn: 'Coverage gaps',
      path: 'gap',
      component: 'security/gap',
      componentName: 'CoverageGap',
      icon: 'warn',
      roles: [],
      buttons: [
        button('security:shift:gap', '查询', 'Query', [...planners, ...seatPlanners, 'edu_bureau', 'supervisor']),
      ],
    },
  ],
}
