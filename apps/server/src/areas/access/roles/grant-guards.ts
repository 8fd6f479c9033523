import { codes } from '@tocsin/contract/codes'
import { SECURITY } from '@tocsin/contract/access/user'
import { sql } from 'kysely'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { impliedPermissions } from '#http/permission-aliases'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission } from '#http/route'
import { type GrantedRights, grantedRightsOfUser } from './granted-rights.ts'

registerConstraintErrors({
  offices_apart: { code: codes.officesApart, detail: 'username' },
  offices_held: { code: codes.officesHeld },
})

/**
 * Whether the offices of administration, security and audit are separated (decision 008). Not cached, like the
 * administrator.
 */
export const isSeparationOfDutiesOn = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ separated: boolean }>`select roles_separated() as separated`.execute(db)
  return rows[0]?.separated ?? false
}

/** Holds every right, including those of later versions. Not cached. */
const isAdmin = async (db: Db, { userId }: Actor): Promise<boolean> => {
  const role = await db
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select('role.id')
    .where('userRole.userId', '=', userId)
    .where('role.code', '=', 'super_admin')
    .where('role.builtIn', '=', true)
    .where('role.enabled', '=', true)
    .executeTakeFirst()
  return role !== undefined
}

/**
 * May grant permissions beyond the own ones: the administrator, or, with separated offices, the security role to all
 * other users.
 */
const givesAll = async (db: Db, actor: Actor, own = false): Promise<boolean> =>
  (await isSeparationOfDutiesOn(db)) ? !own && hasPermission(actor)(SECURITY) : isAdmin(db, actor)

export const canSeeDept = (actor: Actor, deptId: number): boolean =>
  actor.depts === 'all' || actor.depts.includes(deptId)

/** The first of these permissions that the actor lacks, as written and by what they mean together. */
const lacking = (actor: Actor, permissions: readonly string[]): string | undefined =>
  [...permissions, ...impliedPermissions(permissions)].find((permission) => !actor.permissions.has(permission))

const beyond = async (db: Db, actor: Actor, reach: GrantedRights): Promise<BusinessError | undefined> => {
  if (await givesAll(db, actor, reach.own)) return undefined
  if (reach.super) return new BusinessError(codes.beyondAdmin)
  const permission = lacking(actor, reach.permissions)
  if (permission) return new BusinessError(codes.beyondPermission, { permission })
  const unseen = reach.all ? actor.depts !== 'all' : reach.depts.some((id) => !canSeeDept(actor, id))
  return unseen ? new BusinessError(codes.beyondScope) : undefined
}

/**
 * Rejects grants beyond the actor's own permissions (DESIGN 5), and changes of a role that grants more than the actor
 * has.
 */
export const assertWithinOwnRights = async (db: Db, actor: Actor, reach: GrantedRights): Promise<void> => {
  const refusal = await beyond(db, actor, reach)
  if (refusal) throw refusal
}

type Entry = { id?: number; permission: string | null }

const holdsOneOf = async (db: Db, { userId }: Actor, menuIds: readonly number[]): Promise<boolean> => {
  const ticked = await db
    .selectFrom('roleMenu')
    .innerJoin('userRole', 'userRole.roleId', 'roleMenu.roleId')
    .select('roleMenu.menuId')
    .where('userRole.userId', '=', userId)
    .where('roleMenu.menuId', '=', sql<number>`any(${menuIds})`)
    .executeTakeFirst()
  return ticked !== undefined
}

/** What menu entries grant to the roles that have them. */
export const assertMayGrantMenus = async (db: Db, actor: Actor, entries: readonly Entry[]): Promise<void> => {
  const ids = entries.flatMap(({ id }) => id ?? [])
  const permissions = entries.flatMap(({ permission }) => permission || [])
  const own = await holdsOneOf(db, actor, ids)
  await assertWithinOwnRights(db, actor, { super: false, all: false, depts: [], permissions, own })
}

/**
 * With separated offices rejects a change of a role of the actor, which would be a grant to the actor (decision 008).
 */
export const assertRoleNotHeld = async (db: Db, { userId }: Actor, roleId: number): Promise<void> => {
  if (!(await isSeparationOfDutiesOn(db))) return
  const held = db.selectFrom('userRole').select('roleId').where('userId', '=', userId).where('roleId', '=', roleId)
  if (await held.executeTakeFirst()) throw new BusinessError(codes.officesNotYourself)
}

/** Rejects an edit of a user with more rights, except by those who may do it. */
export const assertCoversUser = async (db: Db, actor: Actor, user: { id: number; deptId: number }): Promise<void> => {
  if (user.id === actor.userId || hasPermission(actor)(SECURITY)) return
  if (await beyond(db, actor, await grantedRightsOfUser(db, user.id, user.deptId)))
    throw new BusinessError(codes.moreRights)
}
