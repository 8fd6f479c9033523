import { codes } from '@tocsin/contract/codes'
import type { RoleDraft, RoleEdit } from '@tocsin/contract/access/rights/role'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { createStamp, runEdit, runEditForEach, changedColumns, updateStamp } from '#areas/audit/edit-transaction'
import { setRoleScope } from './assign.ts'
import { lockRole, auditRoleChange } from './lock.ts'

registerConstraintErrors({
  role_name_key: { code: codes.roleName },
  role_code_key: { code: codes.roleCode },
  user_role_role_id_fkey: { code: codes.referred, params: { what: '角色' } },
})

/** The word for every right; a similar name would deceive. */
const checkCode = (code: string | undefined) => {
  if (code?.toLowerCase() === 'super_admin') throw new BusinessError(codes.roleReserved, { code })
}

const insertRole = async (trx: Db, draft: RoleDraft, caller: Caller): Promise<number> => {
  checkCode(draft.code)
  const { status = true, dataScope: _scope, dataScopeDeptIds: _deptIds, ...columns } = draft
  const after = await trx
    .insertInto('role')
    .values({ ...columns, enabled: status, ...createStamp(caller) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await auditRoleChange(trx, caller, { action: 'system:role:create', id: after.id, after })
  await setRoleScope(trx, after, { wanted: draft, who: caller })
  return after.id
}

export const createRole = (db: Db, draft: RoleDraft, caller: Caller): Promise<number> =>
  runEdit(db, 'all', (trx) => insertRole(trx, draft, caller))

export const changeRole = async (trx: Db, edit: RoleEdit, caller: Caller): Promise<true> => {
  const before = await lockRole(trx, edit, caller)
  checkCode(edit.code)
  const { status, dataScope: _scope, dataScopeDeptIds: _deptIds, ...columns } = changedColumns(edit)
  const after = await trx
    .updateTable('role')
    .set({ ...columns, ...(status !== undefined && { enabled: status }), ...updateStamp(caller) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const events = [{ type: 'permission.changed' as const, ref: edit.id }]
  await auditRoleChange(trx, caller, { action: 'system:role:update', id: edit.id, before, after, events })
  await setRoleScope(trx, before, { wanted: edit, who: caller })
  return true
}

export const updateRole = (db: Db, edit: RoleEdit, caller: Caller): Promise<true> =>
  runEdit(db, 'all', (trx) => changeRole(trx, edit, caller))

/** Rolls everything back when one row fails. */
export const deleteRoles = (db: Db, ids: readonly number[], caller: Caller): Promise<true> =>
  runEditForEach(db, {
    ids,
    named: (id) => db.selectFrom('role').select('name').where('id', '=', id).executeTakeFirst(),
    work: async (trx, id) => {
      const before = await lockRole(trx, { id }, caller)
      const menus = await trx.selectFrom('roleMenu').select('menuId').where('roleId', '=', id).execute()
      await trx.deleteFrom('role').where('id', '=', id).execute()
      const menuIds = menus.map(({ menuId }) => menuId)
      await auditRoleChange(trx, caller, { action: 'system:role:delete', id, before: { ...before, menuIds } })
    },
  })
