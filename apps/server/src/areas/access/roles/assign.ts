import { codes } from '@tocsin/contract/codes'
import { permissions, type RoleMenus, type RoleScope } from '@tocsin/contract/access/rights/permission'
import type { RoleEdit } from '@tocsin/contract/access/rights/role'
import type { z } from 'zod'
import { emitEvents } from '#db/event'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { hasPermission, type Caller } from '#http/route'
import { runEdit, updateStamp } from '#areas/audit/edit-transaction'
import { lockRole, auditRoleChange } from './lock.ts'
import { grantedRightsOfRole } from './granted-rights.ts'
import { listRoleMenus } from './read.ts'
import { assertWithinOwnRights, canSeeDept } from './grant-guards.ts'

/** After the change: what the role grants must be within the actor's rights, or the change is rolled back. */
const settle = async (trx: Db, roleId: number, caller: Caller) => {
  await assertWithinOwnRights(trx, caller.actor, await grantedRightsOfRole(trx, roleId))
  // The change may extend or reduce what every member of the role sees.
  await emitEvents(trx, { type: 'permission.changed', ref: roleId })
}

/** Replaces the entries of a role. */
export const assignRoleMenus = (db: Db, edit: z.output<typeof RoleMenus>, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    const { roleId } = edit
    await lockRole(trx, { id: roleId, version: edit.version }, caller)
    const before = await listRoleMenus(trx, roleId)
    const menuIds = [...new Set(edit.menuIds)].sort((a, b) => a - b)
    await trx.deleteFrom('roleMenu').where('roleId', '=', roleId).execute()
    if (menuIds.length > 0) {
      const known = await trx.selectFrom('menu').select('id').where('id', 'in', menuIds).forKeyShare().execute()
      if (known.length < menuIds.length) throw new BusinessError(codes.menuMissing)
      await trx
        .insertInto('roleMenu')
        .values(menuIds.map((menuId) => ({ roleId, menuId })))
        .execute()
    }
    await settle(trx, roleId, caller)
    await trx.updateTable('role').set(updateStamp(caller)).where('id', '=', roleId).execute()
    await auditRoleChange(trx, caller, {
      action: 'system:permission:assign-role-menu',
      id: roleId,
      before: { menuIds: before },
      after: { menuIds },
    })
    return true
  })

const deptIdsOf = async (trx: Db, roleId: number): Promise<number[]> => {
  const found = await trx
    .selectFrom('roleDept')
    .select('deptId')
    .where('roleId', '=', roleId)
    .orderBy('deptId')
    .execute()
  return found.map(({ deptId }) => deptId)
}

const checkDepts = async (trx: Db, deptIds: readonly number[], { actor }: Caller) => {
  if (deptIds.length === 0) return
  const known = await trx.selectFrom('dept').select('id').where('id', 'in', deptIds).forKeyShare().execute()
  const seen = known.filter(({ id }) => canSeeDept(actor, id))
  if (seen.length < deptIds.length) throw new BusinessError(codes.deptMissing)
}

const replaceDepts = async (trx: Db, roleId: number, deptIds: readonly number[]) => {
  await trx.deleteFrom('roleDept').where('roleId', '=', roleId).execute()
  if (deptIds.length === 0) return
  await trx
    .insertInto('roleDept')
    .values(deptIds.map((deptId) => ({ roleId, deptId })))
    .execute()
}

type Scope = Pick<z.output<typeof RoleScope>, 'dataScope' | 'dataScopeDeptIds'>

/** Of a locked role, whose version the caller increments. */
const changeScope = async (trx: Db, role: Row<'role'>, edit: Scope, caller: Caller): Promise<void> => {
  const { dataScope } = edit
  const before = { dataScope: role.dataScope, dataScopeDeptIds: await deptIdsOf(trx, role.id) }
  const chosen = dataScope === 'CUSTOM' ? [...new Set(edit.dataScopeDeptIds)] : []
  await checkDepts(trx, chosen, caller)
  // Departments invisible to the actor stay as long as the scope chooses departments.
  const kept = dataScope === 'CUSTOM' ? before.dataScopeDeptIds.filter((id) => !canSeeDept(caller.actor, id)) : []
  const deptIds = [...chosen, ...kept].sort((a, b) => a - b)
  await trx.updateTable('role').set({ dataScope }).where('id', '=', role.id).execute()
  await replaceDepts(trx, role.id, deptIds)
  await settle(trx, role.id, caller)
  await auditRoleChange(trx, caller, {
    action: 'system:permission:assign-role-data-scope',
    id: role.id,
    before,
    after: { dataScope, dataScopeDeptIds: deptIds },
  })
}

/** Sets what the holders of a role see; departments apply to the scope of chosen departments only. */
export const assignRoleScope = (db: Db, edit: z.output<typeof RoleScope>, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx) => {
    const role = await lockRole(trx, { id: edit.roleId, version: edit.version }, caller)
    await changeScope(trx, role, edit, caller)
    await trx.updateTable('role').set(updateStamp(caller)).where('id', '=', role.id).execute()
    return true
  })

type Chosen = { wanted: Pick<RoleEdit, 'dataScope' | 'dataScopeDeptIds'>; who: Caller }

/**
 * The scope in a form with more fields needs the permission of the scope call, as roles in the form of a user do. The
 * version was incremented with the rest of the form.
 */
export const setRoleScope = async (trx: Db, role: Row<'role'>, { wanted, who }: Chosen): Promise<void> => {
  const { dataScope = role.dataScope } = wanted
  const shown = (await deptIdsOf(trx, role.id)).filter((id) => canSeeDept(who.actor, id))
  const chosen = new Set(wanted.dataScopeDeptIds ?? shown)
  const sameDepts = chosen.size === shown.length && shown.every((id) => chosen.has(id))
  if (dataScope === role.dataScope && (dataScope !== 'CUSTOM' || sameDepts)) return
  const { permission } = permissions.assignRoleDataScope
  if (!hasPermission(who.actor)(permission)) throw new BusinessError(codes.beyondPermission, { permission })
  await changeScope(trx, role, { dataScope, dataScopeDeptIds: [...chosen] }, who)
}
