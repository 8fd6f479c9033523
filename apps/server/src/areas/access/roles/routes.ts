import { permissions } from '@tocsin/contract/access/rights/permission'
import { roles } from '@tocsin/contract/access/rights/role'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { exportRoutes } from '#areas/audit/export-routes'
import { assignRoleMenus, assignRoleScope } from './assign.ts'
import { createRole, deleteRoles, updateRole } from './change.ts'
import { roleExport } from './export.ts'
import { getRole, listRoleMenus, roleOptions, rolePage } from './read.ts'
import { roleRoutesV1 } from './compat.ts'

export const roleRoutes = ({ db }: { db: Db }): Route[] => [
  route(roles.page, ({ query, actor }) => rolePage(db, query, actor)),
  route(roles.get, ({ query, actor }) => getRole(db, query.id, actor)),
  route(roles.simpleList, () => roleOptions(db)),
  route(roles.create, ({ body, caller }) => createRole(db, body, caller)),
  route(roles.update, ({ body, caller }) => updateRole(db, body, caller)),
  route(roles.delete, ({ query, caller }) => deleteRoles(db, [query.id], caller)),
  route(roles.updateStatus, ({ body, caller }) => updateRole(db, body, caller)),
  route(roles.deleteList, ({ query, caller }) => deleteRoles(db, query.ids, caller)),
  ...exportRoutes(db, roleExport),
  route(permissions.listRoleMenus, ({ query }) => listRoleMenus(db, query.roleId)),
  route(permissions.assignRoleMenu, ({ body, caller }) => assignRoleMenus(db, body, caller)),
  route(permissions.assignRoleDataScope, ({ body, caller }) => assignRoleScope(db, body, caller)),
  ...roleRoutesV1({ db }),
]
