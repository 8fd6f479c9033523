import { RoleFormEdit, type RoleForm, rolesV1 } from '@tocsin/contract/compat/role'
import { localStamp } from '@tocsin/contract/time-zone'
import type { RoleRow } from '@tocsin/contract/access/rights/role'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { fieldError, runEdit } from '#areas/audit/edit-transaction'
import { assignRoleMenus } from './assign.ts'
import { changeRole, createRole, deleteRoles } from './change.ts'
import { lockRole } from './lock.ts'
import { getRole, listRoleMenus, roleOptions, rolePage } from './read.ts'

const scopeNumbers = { ALL: 0, DEPT_AND_CHILD: 1, DEPT: 2, CUSTOM: 2, SELF: 3 } as const
const scopes = ['ALL', 'DEPT_AND_CHILD', 'DEPT', 'SELF'] as const

const formOf = ({ id, name, code, sort, status, dataScope }: RoleRow): RoleForm => ({
  id,
  name,
  code,
  sort,
  status,
  dataScope: scopeNumbers[dataScope],
})

/** The scope of a form; chosen departments have no number here and would be lost silently (wire 11.1). */
const nextScope = ({ dataScope }: RoleFormEdit, now: RoleRow['dataScope']): RoleRow['dataScope'] | undefined => {
  if (dataScope === undefined || dataScope === scopeNumbers[now]) return undefined
  if (now === 'CUSTOM') throw fieldError(RoleFormEdit, 'dataScope', 'choice')
  return scopes[dataScope]
}

/** Roles of `/api/v1` (wire 1.3): only names and shapes differ. */
export const roleRoutesV1 = ({ db }: { db: Db }): Route[] => [
  route(rolesV1.page, async ({ query: { keywords: name, ...query }, actor }) => {
    const { list, ...counted } = await rolePage(db, { ...query, name }, actor)
    return { list: list.map((role) => ({ ...formOf(role), createTime: localStamp(role.createTime) })), ...counted }
  }),
  route(rolesV1.options, async () => (await roleOptions(db)).map(({ id, name }) => ({ value: id, label: name }))),
  route(rolesV1.form, async ({ params, actor }) => formOf(await getRole(db, params.id, actor))),
  route(rolesV1.create, ({ body, caller }) => {
    const { name, code, sort = 0, status = true } = body
    return createRole(db, { name, code, sort, status, dataScope: nextScope(body, 'DEPT') }, caller)
  }),
  route(rolesV1.update, async ({ params: { id }, body, caller }) => {
    const { name, code, sort, status } = body
    return runEdit(db, 'all', async (trx) => {
      const now = await lockRole(trx, { id }, caller)
      await changeRole(trx, { id, name, code, sort, status, dataScope: nextScope(body, now.dataScope) }, caller)
      return null
    })
  }),
  route(rolesV1.delete, async ({ params, caller }) => {
    await deleteRoles(db, params.ids, caller)
    return null
  }),
  route(rolesV1.menuIds, ({ params }) => listRoleMenus(db, params.id)),
  route(rolesV1.setMenus, async ({ params, body, caller }) => {
    await assignRoleMenus(db, { roleId: params.id, menuIds: body }, caller)
    return null
  }),
]
