import type { EnumLabels } from '../../field.ts'
import type { RoleRow } from './role.ts'

/** Wire 6.1: labels of `system_data_scope`. */
export const dataScopeLabels: EnumLabels<RoleRow['dataScope']> = {
  ALL: ['全部数据权限', 'All data'],
  CUSTOM: ['指定部门数据权限', 'Chosen departments'],
  DEPT: ['本部门数据权限', 'Own department'],
  DEPT_AND_CHILD: ['本部门及以下数据权限', 'Own department and below'],
  SELF: ['仅本人数据权限', 'Own data only'],
}

/** Wire 6.1: labels of `system_role_type`. */
export const roleTypeLabels: EnumLabels<'true' | 'false'> = { true: ['内置', 'Built in'], false: ['自定义', 'Own'] }
