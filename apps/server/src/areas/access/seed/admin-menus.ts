import { button, type ButtonSeed, type MenuSeed } from './menu-seed.ts'
import { adminRecordsMenus } from './admin-records-menus.ts'
import type { RoleCode } from './roles.ts'

const readers: RoleCode[] = ['auditor', 'security_admin']
/** Roles that grant permissions when roles are separated (decision 008). */
const security: RoleCode[] = ['security_admin']
/** Roles that create accounts for visible schools; roles limit what these accounts may do. */
const schools: RoleCode[] = ['school_admin', 'edu_bureau']

const entity = (name: string, changers: readonly RoleCode[] = []): ButtonSeed[] => [
  button(`system:${name}:query`, '查询', 'Query', readers),
  button(`system:${name}:create`, '新增', 'Create', changers),
  button(`system:${name}:update`, '修改', 'Update', changers),
  button(`system:${name}:delete`, '删除', 'Delete', changers),
]

const screen = (path: string, componentName: string, names: Pick<MenuSeed, 'name' | 'nameEn'>): MenuSeed => ({
  ...names,
  path,
  component: `system/${path}/index`,
  componentName,
  icon: path,
  roles: [],
})

/** The administration (wire 9.2). */
export const adminMenu: MenuSeed = {
  name: '系统管理',
  nameEn: 'Administration',
  path: '/system',
  componentName: 'System',
  icon: 'system',
  roles: [],
  children: [
    {
      ...screen('user', 'SystemUser', { name: '用户管理', nameEn: 'Users' }),
      buttons: [
        button('system:user:list', '列表', 'List', readers),
        ...entity('user'),
        button('system:user:import', '导入', 'Import', []),
        button('system:user:export', '导出', 'Export', readers),
        button('system:user:update-password', '重置密码', 'Reset password', security),
        button('system:user:reveal', '查看完整联系方式', 'See full contact data', []),
        button('system:user:approve', '审核注册', 'Approve newcomers', []),
        button('system:user:reset-second-factor', '移除二次验证', 'Remove a second factor', []),
        button('system:user:security', '管理权限更高的用户', 'Manage users with more rights', security),
        button('system:permission:assign-user-role', '分配角色', 'Assign roles', security),
      ],
    },
    {
      name: '学校账号',
      nameEn: 'School accounts',
      path: 'merchant-user',
      component: 'bully/merchantUser/index',
      componentName: 'MerchantUser',
      icon: 'merchant-user',
      roles: [],
      buttons: [
        button('bully:merchant-user:query', '查询', 'Query', [...schools, 'counsellor', 'auditor']),
        button('bully:merchant-user:create', '新增', 'Create', schools),
        button('bully:merchant-user:export', '导出', 'Export', [...schools, 'auditor']),
      ],
    },
    {
      ...screen('role', 'SystemRole', { name: '角色管理', nameEn: 'Roles' }),
      buttons: [
        ...entity('role', security),
        button('system:role:export', '导出', 'Export', readers),
        button('system:permission:assign-role-menu', '菜单权限', 'Assign menus', security),
        button('system:permission:assign-role-data-scope', '数据权限', 'Assign data scope', security),
      ],
    },
    {
      ...screen('menu', 'SystemMenu', { name: '菜单管理', nameEn: 'Menus' }),
      buttons: entity('menu'),
    },
    {
      ...screen('dept', 'SystemDept', { name: '部门管理', nameEn: 'Departments' }),
      buttons: entity('dept'),
    },
    ...adminRecordsMenus,
  ],
}
