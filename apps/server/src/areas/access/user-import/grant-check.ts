import { codes } from '@tocsin/contract/codes'
import type { ImportReason } from '@tocsin/contract/files/import'
import { SECURITY } from '@tocsin/contract/access/user'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission, type Caller } from '#http/route'
import { grantedRights } from '../roles/granted-rights.ts'
import { assertWithinOwnRights, canSeeDept } from '../roles/grant-guards.ts'
import { cellErrorFrom, cellError } from '#areas/files/import/cell-errors'

export const ASSIGN_ROLE = 'system:permission:assign-user-role'
export const UPDATE_USER = 'system:user:update'

/** Rejects grants beyond the importer's own permissions (DESIGN 5); checked once per roles and department. */
export const createGrantCheck = (db: Db, actor: Actor) => {
  const known = new Map<string, Promise<BusinessError | undefined>>()
  /** Why these roles in this department exceed the actor's rights; undefined when they do not. */
  const within = (roleIds: readonly number[], deptId: number): Promise<BusinessError | undefined> => {
    if (roleIds.length === 0) return Promise.resolve(undefined)
    const key = `${roleIds.join()}@${deptId}`
    const query = known.get(key) ?? grantError(db, actor, roleIds, deptId)
    known.set(key, query)
    return query
  }
  /** Whether the actor may change a user who holds these. */
  const covers = async (user: { id: number; deptId: number; roleIds: readonly number[] }): Promise<boolean> =>
    user.id === actor.userId || hasPermission(actor)(SECURITY) || !(await within(user.roleIds, user.deptId))
  return { within, covers }
}
export type GrantCheck = ReturnType<typeof createGrantCheck>

const grantError = async (db: Db, actor: Actor, roleIds: readonly number[], deptId: number) => {
  try {
    await assertWithinOwnRights(db, actor, await grantedRights(db, roleIds, [deptId]))
    return undefined
  } catch (error) {
    if (error instanceof BusinessError) return error
    throw error
  }
}

/** Roles that a line grants, and the department that it names or defaults to. */
export type GrantRequest = { line: number; deptId: number; chosen: boolean; roleIds: readonly number[] }

/** Departments that may be chosen now, locked until the commit. */
const openDepts = async (trx: Db, { actor }: Caller, rows: readonly GrantRequest[]): Promise<ReadonlySet<number>> => {
  const chosen = rows.flatMap(({ chosen, deptId }) => (chosen && canSeeDept(actor, deptId) ? deptId : []))
  if (chosen.length === 0) return new Set()
  const found = await trx
    .selectFrom('dept')
    .select('id')
    .where('id', 'in', [...new Set(chosen)])
    .where('enabled', '=', true)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Set(found.map(({ id }) => id))
}

/** NO KEY UPDATE: what a role grants stays the same until the commit. KEY SHARE: only the role itself does. */
export type RoleLock = 'forNoKeyUpdate' | 'forKeyShare'

/** Roles that may be granted now, locked in order of their ids. */
const openRoles = async (trx: Db, rows: readonly GrantRequest[], hold: RoleLock): Promise<ReadonlySet<number>> => {
  const ids = [...new Set(rows.flatMap(({ roleIds }) => roleIds))]
  if (ids.length === 0) return new Set()
  const found = await trx
    .selectFrom('role')
    .select('id')
    .where('id', 'in', ids)
    .where('enabled', '=', true)
    .orderBy('id')
    [hold]()
    .execute()
  return new Set(found.map(({ id }) => id))
}

/** The check may be a day old: permissions and choices are verified again here. */
export const findGrantErrors = async (trx: Db, rows: readonly GrantRequest[], caller: Caller, hold: RoleLock) => {
  const [depts, roles] = [await openDepts(trx, caller, rows), await openRoles(trx, rows, hold)]
  const rights = createGrantCheck(trx, caller.actor)
  const refused = new Map<number, ImportReason>()
  for (const { line, deptId, chosen, roleIds } of rows) {
    const within = roleIds.length > 0 ? await rights.within(roleIds, deptId) : undefined
    if (chosen && !depts.has(deptId)) refused.set(line, cellError('deptId', codes.deptMissing))
    else if (roleIds.some((id) => !roles.has(id))) refused.set(line, cellError('roles', codes.roleMissing))
    else if (roleIds.length > 0 && !hasPermission(caller.actor)(ASSIGN_ROLE))
      refused.set(line, cellError('roles', codes.forbidden))
    else if (within) refused.set(line, cellErrorFrom('roles', within))
  }
  return refused
}
