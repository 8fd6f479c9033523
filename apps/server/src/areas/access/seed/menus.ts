import { adminMenu } from './admin-menus.ts'
import { demoMenu } from './demo-menus.ts'
import { button, type MenuSeed } from './menu-seed.ts'
import type { RoleCode } from './roles.ts'

const leads: RoleCode[] = ['school_admin', 'shift_lead']
const handlers: RoleCode[] = [...leads, 'safety_officer', 'command_operator', 'station_desk']
const first: RoleCode[] = [...handlers, 'guard']
const desk: RoleCode[] = [...first, 'officer']
const readers: RoleCode[] = ['edu_bureau', 'supervisor', 'auditor']
const all: RoleCode[] = [...desk, ...readers]
/** Who looks after devices. */
const keepers: RoleCode[] = ['maintainer']
/** Who accepts, at a school, what somebody else installed. */
const atSchool: RoleCode[] = ['school_admin', 'safety_officer', 'guard']
/** Another system reads alarms and what they name; it does nothing about them. */
const systems: RoleCode[] = ['api_client']

const ruleButtons = [
  button('warn:rule:query', '查询', 'Query', [...leads, 'command_operator', ...readers]),
  button('warn:rule:export', '导出', 'Export', [...leads, ...readers]),
  button('warn:rule:create', '新增', 'Create', []),
  button('warn:rule:update', '修改', 'Update', []),
  button('warn:rule:delete', '删除', 'Delete', []),
]

const recordButtons = [
  button('warn:record:query', '查询', 'Query', [...all, ...systems]),
  button('warn:record:claim', '接警', 'Claim', first),
  button('warn:record:release', '退回队列', 'Release', first),
  button('warn:record:reassign', '转交', 'Reassign', first),
  button('warn:record:verify', '核实', 'Verify', first),
  button('warn:record:dispatch', '派人', 'Send', desk),
  button('warn:record:escalate', '转警方', 'Hand to police', first),
  button('warn:record:resolve', '处置完成', 'Resolve', first),
  button('warn:record:false', '标记误报', 'Mark as false alarm', handlers),
  button('warn:record:merge', '合并', 'Merge', handlers),
  button('warn:record:close', '结案', 'Close', handlers),
  button('warn:record:reopen', '重新打开', 'Reopen', leads),
  button('warn:record:shelve', '搁置', 'Shelve', leads),
  button('warn:record:lead', '值班长权限', 'Act as shift lead', leads),
  button('warn:record:export', '导出', 'Export', [...leads, ...readers]),
]

const deviceMenu: MenuSeed = {
  name: '设备',
  nameEn: 'Devices',
  path: '/device',
  componentName: 'Device',
  icon: 'device',
  roles: [],
  children: [
    {
      name: '设备库',
      nameEn: 'Device store',
      path: 'device',
      component: 'device/index',
      componentName: 'DeviceList',
      icon: 'device',
      roles: [],
      buttons: [
        button('device:device:query', '查询', 'Query', [...handlers, ...readers, 'maintainer']),
        button('device:device:quarantine', '被拒绝的设备', 'Refused devices', keepers),
        button('device:device:create', '登记', 'Register', keepers),
        button('device:device:update', '修改', 'Update', keepers),
        button('device:device:import', '导入', 'Import', keepers),
        button('device:device:export', '导出', 'Export', [...keepers, 'edu_bureau', 'auditor']),
        button('device:device:allocate', '分配与退库', 'Allocate', keepers),
        button('device:device:repair', '送修', 'Send to repair', keepers),
        button('device:device:lost', '报失与找回', 'Report lost', keepers),
        button('device:device:retire', '报废', 'Retire', keepers),
        button('device:device:secret', '轮换密钥', 'Rotate secrets', keepers),
        button('device:device:message', '查看消息', 'See messages', keepers),
        button('device:command:query', '查询命令', 'Query commands', [...leads, ...keepers, 'auditor']),
        button('device:command:create', '下发命令', 'Send commands', [...leads, ...keepers]),
      ],
    },
    {
      name: '设备型号',
      nameEn: 'Models',
      path: 'model',
      component: 'device/model/index',
      componentName: 'DeviceModel',
      icon: 'model',
      roles: [],
      buttons: [
        button('device:model:query', '查询', 'Query', [...leads, ...readers, ...keepers]),
        button('device:model:create', '新增', 'Create', keepers),
        button('device:model:update', '修改', 'Update', keepers),
        button('device:model:delete', '删除', 'Delete', keepers),
        button('device:model:export', '导出', 'Export', [...keepers, 'auditor']),
      ],
    },
    {
      name: '学校设备',
      nameEn: 'Installed devices',
      path: 'schoolDevice',
      component: 'schoolDevice/index',
      componentName: 'SchoolDevice',
      icon: 'installed',
      roles: [],
      buttons: [
        button('device:school-device:query', '查询', 'Query', [...all, ...systems, ...keepers]),
        button('device:school-device:install', '安装与换位', 'Install', keepers),
        button('device:school-device:accept', '验收', 'Accept', atSchool),
        button('device:school-device:suspend', '停用', 'Suspend', ['school_admin', ...keepers]),
        button('device:school-device:remove', '拆除', 'Remove', keepers),
        button('device:school-device:export', '导出', 'Export', ['school_admin', ...keepers, ...readers]),
      ],
    },
    {
      name: '按钮测试',
      nameEn: 'Button tests',
      path: 'test',
      component: 'device/test',
      componentName: 'ButtonTest',
      icon: 'installed',
      roles: [],
      buttons: [
        button('device:test:query', '查询', 'Query', [
          ...atSchool,
          ...keepers,
          'station_desk',
          'officer',
          'edu_bureau',
        ]),
        button('device:test:create', '安排与结束', 'Plan', ['school_admin', 'safety_officer', ...keepers]),
      ],
    },
  ],
}

const warnMenu: MenuSeed = {
  name: '接警',
  nameEn: 'Alarms',
  path: '/warn',
  componentName: 'Warn',
  icon: 'warn',
  roles: [],
  children: [
    {
      name: '警情记录',
      nameEn: 'Alarm records',
      path: 'record',
      component: 'warn/record/index',
      componentName: 'WarnRecord',
      icon: 'record',
      roles: [],
      buttons: recordButtons,
    },
    {
      name: '接警规则',
      nameEn: 'Alarm rules',
      path: 'list',
      component: 'warn/list/index',
      componentName: 'WarnRule',
      icon: 'rule',
      roles: [],
      buttons: ruleButtons,
    },
    {
      name: '警情日志',
      nameEn: 'Alarm log',
      path: 'warnLog',
      component: 'warn/warnLog/index',
      componentName: 'WarnLog',
      icon: 'log',
      roles: [],
      buttons: [
        button('warn:log:query', '查询', 'Query', [...all, ...systems]),
        button('warn:log:export', '导出', 'Export', [...leads, ...readers]),
      ],
    },
  ],
}

/** The console's menu in its order: an entry per screen that exists, a button per permission that a call asks for. */
export const menuSeeds: readonly MenuSeed[] = [
  {
    name: '接警台',
    nameEn: 'Alarm desk',
    path: '/desk',
    component: 'warn/desk/index',
    componentName: 'AlarmDesk',
    icon: 'desk',
    roles: desk,
  },
  warnMenu,
  {
    name: '学校',
    nameEn: 'Schools',
    path: '/school',
    component: 'school/index',
    componentName: 'School',
    icon: 'school',
    roles: [],
    buttons: [
      button('school:school:query', '查询', 'Query', [...all, ...systems, 'maintainer']),
      // Whoever may take an alarm, or is sent there, must be able to call.
      button('school:school:reveal', '查看联系人电话', 'See numbers of contacts', desk),
      button('school:place:query', '查询位置', 'Query places', [...all, ...systems, 'maintainer']),
    ],
  },
  deviceMenu,
  adminMenu,
  demoMenu,
]
