import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { recordChange, type RowChange } from '#areas/audit/edit-row'
import type { Caller } from '#http/route'
import { checkVersion } from '#areas/audit/edit-transaction'
import { grantedRightsOfRole } from './granted-rights.ts'
import { currentRole } from './read.ts'
import { assertRoleNotHeld, assertWithinOwnRights } from './grant-guards.ts'

/** A custom role within the actor's current rights, locked until the transaction ends. */
export const lockRole = async (
  trx: Db,
  edit: { id: number; version?: number | undefined },
  { actor }: Caller,
): Promise<Row<'role'>> => {
  const role = await trx.selectFrom('role').selectAll().where('id', '=', edit.id).forNoKeyUpdate().executeTakeFirst()
  if (!role) throw new BusinessError(codes.roleMissing)
  if (role.builtIn) throw new BusinessError(codes.roleBuiltIn)
  await checkVersion(edit.version, role, () => currentRole(trx, edit.id, actor))
  await assertRoleNotHeld(trx, actor, edit.id)
  await assertWithinOwnRights(trx, actor, await grantedRightsOfRole(trx, edit.id))
  return role
}

export const auditRoleChange = (trx: Db, caller: Caller, entry: Omit<RowChange, 'subject'>) =>
  recordChange(trx, caller, { ...entry, subject: 'role' })
