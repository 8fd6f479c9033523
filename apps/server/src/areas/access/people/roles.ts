import { codes } from '@tocsin/contract/codes'
import { permissions, type UserRoles } from '@tocsin/contract/access/rights/permission'
import type { z } from 'zod'
import { emitEvents } from '#db/event'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission, type Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { runEdit, updateStamp } from '#areas/audit/edit-transaction'
import { grantedRights } from '../roles/granted-rights.ts'
import { assertCoversUser, assertWithinOwnRights, isSeparationOfDutiesOn } from '../roles/grant-guards.ts'
import { checkAdminRemains, hasAdminRole, lockUser, listRoleIds } from './lock.ts'
import { checkUserVersion } from './read.ts'

export const listUserRoles = async (db: Db, userId: number, actor: Actor): Promise<number[]> => {
  const user = await scoped(db, actor).selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
  if (!user) throw new BusinessError(codes.userMissing)
  return listRoleIds(db, userId)
}

/** Locks the roles in the order of their ids, so that their permissions stay unchanged until the commit. */
const lockRoles = (trx: Db, ids: readonly number[]) =>
  trx
    .selectFrom('role')
    .select(['id', 'name', 'enabled'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

const checkAdded = async (
  trx: Db,
  added: readonly number[],
  { user, who }: { user: { deptId: number }; who: Caller },
) => {
  if (added.length === 0) return
  const roles = await lockRoles(trx, added)
  if (roles.length < added.length) throw new BusinessError(codes.roleMissing)
  const disabled = roles.find(({ enabled }) => !enabled)
  if (disabled) throw new BusinessError(codes.roleDisabled, { name: disabled.name })
  await assertWithinOwnRights(trx, who.actor, await grantedRights(trx, added, [user.deptId]))
}

/** The roles of a locked user. */
const replaceRoles = async (trx: Db, user: Row<'users'>, { roleIds, who }: { roleIds: number[]; who: Caller }) => {
  const userId = user.id
  const before = await listRoleIds(trx, userId)
  const after = [...new Set(roleIds)].sort((a, b) => a - b)
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  await assertCoversUser(trx, who.actor, user)
  if (userId === who.actor.userId && (await isSeparationOfDutiesOn(trx)))
    throw new BusinessError(codes.officesNotYourself)
  const wasAdmin = removed.length > 0 && (await hasAdminRole(trx, userId))
  await checkAdded(trx, added, { user, who })
  if (removed.length > 0)
    await trx.deleteFrom('userRole').where('userId', '=', userId).where('roleId', 'in', removed).execute()
  if (added.length > 0)
    await trx
      .insertInto('userRole')
      .values(added.map((roleId) => ({ userId, roleId })))
      .execute()
  if (wasAdmin) await checkAdminRemains(trx)
  await emitEvents(trx, { type: 'permission.changed', ref: userId, userId })
  await writeAudit(trx, {
    ...who,
    action: 'system:permission:assign-user-role',
    subject: 'users',
    subjectId: userId,
    before: { roleIds: before },
    after: { roleIds: after },
  })
}

/** The same for a transaction that changes more. */
export const changeRoles = async (trx: Db, edit: z.output<typeof UserRoles>, caller: Caller): Promise<true> => {
  const { userId, roleIds } = edit
  const user = await lockUser(trx, caller.actor, userId)
  await checkUserVersion(trx, edit.version, user, caller.actor)
  await replaceRoles(trx, user, { roleIds, who: caller })
  await scoped(trx, caller.actor).updateTable('users').set(updateStamp(caller)).where('id', '=', userId).execute()
  return true
}

type Chosen = { roleIds: number[] | undefined; who: Caller }

/**
 * Sets roles by a form with other fields. It needs the same permission as assigning roles (in wire 1.2 one permission
 * covers both). The version was incremented with the other fields.
 */
export const setRoles = async (trx: Db, userId: number, { roleIds, who }: Chosen): Promise<void> => {
  if (roleIds === undefined) return
  const [before, wanted] = [await listRoleIds(trx, userId), new Set(roleIds)]
  if (wanted.size === before.length && before.every((id) => wanted.has(id))) return
  if (!hasPermission(who.actor)(permissions.assignUserRole.permission)) throw new BusinessError(codes.forbidden)
  await replaceRoles(trx, await lockUser(trx, who.actor, userId), { roleIds, who })
}

/** Replaces the roles of a user. New roles must be within the actor's rights; kept ones need not be. */
export const assignUserRoles = (db: Db, edit: z.output<typeof UserRoles>, caller: Caller): Promise<true> =>
  runEdit(db, { userId: edit.userId }, (trx) => changeRoles(trx, edit, caller))
