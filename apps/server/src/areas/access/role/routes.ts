import { permissions } from '@tocsin/contract/access/rights/permission'
import { roles } from '@tocsin/contract/access/rights/role'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { exportRoutes } from '#areas/audit/export-routes'
import { assignRoleMenus, assignRoleScope } from './assign.ts'
import { createRole, deleteRoles, updateRole } from './change.ts'
import { roleExport } from './export.ts'
import { getRole, listRoleMenus, roleOptions, rolePage } from './read.ts'
import { roleRoutesV1 } from './v1.ts'

export const roleRoutes = ({ db }: { db: Db }): Route[] => [
  route(roles.page, ({ query, actor }) => rolePage(db, query, actor)),
  route(roles.get, ({ query, actor }) => getRole(db, query.id, actor)),
  route(roles.simpleList, () => roleOptions(db)),
  route(roles.create, ({ body, actor, origin }) => createRole(db, body, { actor, origin })),
  route(roles.update, ({ body, actor, origin }) => updateRole(db, body, { actor, origin })),
  route(roles.delete, ({ query, actor, origin }) => deleteRoles(db, [query.id], { actor, origin })),
  route(roles.updateStatus, ({ body, actor, origin }) => updateRole(db, body, { actor, origin })),
  route(roles.deleteList, ({ query, actor, origin }) => deleteRoles(db, query.ids, { actor, origin })),
  ...exportRoutes(db, roleExport),
  route(permissions.listRoleMenus, ({ query }) => listRoleMenus(db, query.roleId)),
  route(permissions.assignRoleMenu, ({ body, actor, origin }) => assignRoleMenus(db, body, { actor, origin })),
  route(permissions.assignRoleDataScope, ({ body, actor, origin }) => assignRoleScope(db, body, { actor, origin })),
  ...roleRoutesV1({ db }),
]
