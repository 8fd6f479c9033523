import { RoleFormEdit, type RoleForm, rolesV1 } from '@tocsin/contract/compat/role'
import { localStamp } from '@tocsin/contract/clock'
import type { RoleRow } from '@tocsin/contract/system/rights/role'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { badField } from '../edit.ts'
import { assignRoleMenus } from './assign.ts'
import { createRole, deleteRoles, updateRole } from './change.ts'
import { getRole, listRoleMenus, roleOptions, rolePage } from './read.ts'

const scopeNumbers = { ALL: 0, DEPT_AND_CHILD: 1, DEPT: 2, CUSTOM: 2, SELF: 3 } as const
/** What a new role sees. */
const NEW_SCOPE = scopeNumbers.DEPT

const formOf = ({ id, name, code, sort, status, dataScope }: RoleRow): RoleForm => ({
  id,
  name,
  code,
  sort,
  status,
  dataScope: scopeNumbers[dataScope],
})

/** Another scope would need another permission, and another call. */
const checkScope = ({ dataScope }: RoleFormEdit, now: number) => {
  if (dataScope !== undefined && dataScope !== now) throw badField(RoleFormEdit, 'dataScope', 'choice')
}

/** Roles by the other family (wire 1.3): names and shapes only. */
export const roleRoutesV1 = ({ db }: { db: Db }): Route[] => [
  route(rolesV1.page, async ({ query: { keywords: name, ...query }, actor }) => {
    const { list, ...counted } = await rolePage(db, { ...query, name }, actor)
    return { list: list.map((role) => ({ ...formOf(role), createTime: localStamp(role.createTime) })), ...counted }
  }),
  route(rolesV1.options, async () => (await roleOptions(db)).map(({ id, name }) => ({ value: id, label: name }))),
  route(rolesV1.form, async ({ params, actor }) => formOf(await getRole(db, params.id, actor))),
  route(rolesV1.create, ({ body, actor, origin }) => {
    checkScope(body, NEW_SCOPE)
    const { name, code, sort = 0, status = true } = body
    return createRole(db, { name, code, sort, status }, { actor, origin })
  }),
  route(rolesV1.update, async ({ params: { id }, body, actor, origin }) => {
    checkScope(body, formOf(await getRole(db, id, actor)).dataScope)
    const { name, code, sort, status } = body
    await updateRole(db, { id, name, code, sort, status }, { actor, origin })
    return null
  }),
  route(rolesV1.delete, async ({ params, actor, origin }) => {
    await deleteRoles(db, params.ids, { actor, origin })
    return null
  }),
  route(rolesV1.menuIds, ({ params }) => listRoleMenus(db, params.id)),
  route(rolesV1.setMenus, async ({ params, body, actor, origin }) => {
    await assignRoleMenus(db, { roleId: params.id, menuIds: body }, { actor, origin })
    return null
  }),
]
