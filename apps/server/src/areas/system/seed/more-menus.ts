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
]
