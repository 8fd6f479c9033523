import { codegenMenu } from './codegen-menus.ts'
import { button, type MenuSeed } from './menu-seed.ts'
import type { RoleCode } from './roles.ts'

const readers: RoleCode[] = ['auditor']
/** Roles that grant permissions when roles are separated (decision 008). */
const security: RoleCode[] = ['security_admin']
const writers: RoleCode[] = ['edu_bureau', 'school_admin', 'shift_lead']

/** Dictionaries, configuration, logs, sessions and notices, in the menu of the administration. */
export const adminRecordsMenus: readonly MenuSeed[] = [
  {
    name: '字典管理',
    nameEn: 'Dictionaries',
    path: 'dict',
    component: 'system/dict/index',
    componentName: 'SystemDict',
    icon: 'dict',
    roles: [],
    buttons: [
      button('system:dict:query', '查询', 'Query', readers),
      button('system:dict:create', '新增', 'Create', []),
      button('system:dict:update', '修改', 'Update', []),
      button('system:dict:delete', '删除', 'Delete', []),
      button('system:dict:export', '导出', 'Export', readers),
    ],
  },
  {
    name: '参数配置',
    nameEn: 'Settings',
    path: 'config',
    component: 'system/config/index',
    componentName: 'SystemConfig',
    icon: 'config',
    roles: [],
    buttons: [
      button('infra:config:query', '查询', 'Query', [...readers, ...security]),
      button('infra:config:create', '新增', 'Create', []),
      button('infra:config:update', '修改', 'Update', security),
      button('infra:config:delete', '删除', 'Delete', []),
      button('infra:config:refresh', '刷新缓存', 'Refresh', []),
      button('infra:config:export', '导出', 'Export', readers),
    ],
  },
  {
    name: '登录日志',
    nameEn: 'Sign-ins',
    path: 'login-log',
    component: 'system/login-log/index',
    componentName: 'SystemLoginLog',
    icon: 'login-log',
    roles: [],
    buttons: [
      button('system:login-log:query', '查询', 'Query', readers),
      button('system:login-log:export', '导出', 'Export', readers),
    ],
  },
  {
    name: '操作日志',
    nameEn: 'Operations',
    path: 'log',
    component: 'system/log/index',
    componentName: 'SystemLog',
    icon: 'log',
    roles: [],
    buttons: [
      button('system:operate-log:query', '查询', 'Query', readers),
      button('system:operate-log:export', '导出', 'Export', readers),
    ],
  },
  {
    name: '在线会话',
    nameEn: 'Online sessions',
    path: 'online',
    component: 'system/online/index',
    componentName: 'SystemOnline',
    icon: 'online',
    roles: [],
    buttons: [
      button('system:online-session:query', '查询', 'Query', [...readers, ...security]),
      button('system:online-session:delete', '强制下线', 'Sign out', security),
    ],
  },
  {
    name: '文件管理',
    nameEn: 'Files',
    path: 'file',
    component: 'system/file/index',
    componentName: 'SystemFile',
    icon: 'file',
    roles: [],
    buttons: [
      button('infra:file:query', '查询', 'Query', [...writers, ...readers]),
      button('infra:file:create', '上传', 'Upload', writers),
      button('infra:file:delete', '删除', 'Delete', writers),
    ],
  },
  {
    name: '通知管理',
    nameEn: 'Notices',
    path: 'notice',
    component: 'system/notice/index',
    componentName: 'SystemNotice',
    icon: 'notice',
    roles: [],
    buttons: [
      button('system:notice:query', '查询', 'Query', [...writers, ...readers]),
      button('system:notice:create', '新增', 'Create', writers),
      button('system:notice:update', '修改', 'Update', writers),
      button('system:notice:delete', '删除', 'Delete', writers),
      button('system:notice:publish', '发布', 'Publish', writers),
      button('system:notice:revoke', '撤回', 'Revoke', writers),
    ],
  },
  codegenMenu,
]
