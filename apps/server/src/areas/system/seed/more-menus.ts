import { button, type MenuSeed } from './menu-seed.ts'
import type { RoleCode } from './roles.ts'

const readers: RoleCode[] = ['auditor']

/** Dictionaries, configuration, logs, sessions and notices, in the menu of the administration. */
export const moreScreens: readonly MenuSeed[] = [
  {
    name: '字典管理',
    nameEn: 'Dictionaries',
    path: 'dict',
    component: 'system/dict/index',
    componentName: 'SystemDict',
    icon: 'dict',
    visible: false,
    roles: [],
    buttons: [
      button('system:dict:query', '查询', 'Query', readers),
      button('system:dict:create', '新增', 'Create', []),
      button('system:dict:update', '修改', 'Update', []),
      button('system:dict:delete', '删除', 'Delete', []),
    ],
  },
  {
    name: '参数配置',
    nameEn: 'Settings',
    path: 'config',
    component: 'system/config/index',
    componentName: 'SystemConfig',
    icon: 'config',
    visible: false,
    roles: [],
    buttons: [
      button('infra:config:query', '查询', 'Query', readers),
      button('infra:config:create', '新增', 'Create', []),
      button('infra:config:update', '修改', 'Update', []),
      button('infra:config:delete', '删除', 'Delete', []),
      button('infra:config:refresh', '刷新缓存', 'Refresh', []),
    ],
  },
]
