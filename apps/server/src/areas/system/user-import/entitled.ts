import { codes } from '@tocsin/contract/codes'
import type { ImportReason } from '@tocsin/contract/system/user-import'
import { SECURITY } from '@tocsin/contract/system/user'
import type { Db } from '#db/db'
import { Refusal } from '#http/refusal'
import { type Actor, may } from '#http/route'
import { reachOf } from '../role/reach.ts'
import { checkWithin, seesDept } from '../role/rights.ts'
import type { Who } from '../edit.ts'
import { refusedBy, refusedCell } from './reason.ts'

export const ASSIGN = 'system:permission:assign-user-role'
export const UPDATE = 'system:user:update'

/** Nobody grants beyond his own rights (DESIGN 5); asked once for the same roles in the same department. */
export const entitled = (db: Db, actor: Actor) => {
  const known = new Map<string, Promise<Refusal | undefined>>()
  /** Why these roles of a person of this department are more than the actor has; undefined when they are not. */
  const within = (roleIds: readonly number[], deptId: number): Promise<Refusal | undefined> => {
    if (roleIds.length === 0) return Promise.resolve(undefined)
    const key = `${roleIds.join()}@${deptId}`
    const asked = known.get(key) ?? refusalOf(db, actor, roleIds, deptId)
    known.set(key, asked)
    return asked
  }
  /** Whether he may touch somebody who holds these. */
  const covers = async (user: { id: number; deptId: number; roleIds: readonly number[] }): Promise<boolean> =>
    user.id === actor.userId || may(actor)(SECURITY) || !(await within(user.roleIds, user.deptId))
  return { within, covers }
}
export type Entitled = ReturnType<typeof entitled>

const refusalOf = async (db: Db, actor: Actor, roleIds: readonly number[], deptId: number) => {
  try {
    await checkWithin(db, actor, await reachOf(db, roleIds, [deptId]))
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Roles that a line gives in a department, which it may have chosen. */
export type Giving = { line: number; deptId: number; chosen: boolean; roleIds: readonly number[] }

/** Departments that may be chosen at this moment, held until the commit. */
const openDepts = async (trx: Db, { actor }: Who, rows: readonly Giving[]): Promise<ReadonlySet<number>> => {
  const chosen = rows.flatMap(({ chosen, deptId }) => (chosen && seesDept(actor, deptId) ? deptId : []))
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

/** NO KEY UPDATE: what a role gives stays the same until the commit. KEY SHARE: only the role does. */
export type Hold = 'forNoKeyUpdate' | 'forKeyShare'

/** Roles that may be given at this moment, held in order of their ids. */
const openRoles = async (trx: Db, rows: readonly Giving[], hold: Hold): Promise<ReadonlySet<number>> => {
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

/** The check may be a day old: who may, and what may be chosen, is asked again here. */
export const refusals = async (trx: Db, rows: readonly Giving[], who: Who, hold: Hold) => {
  const [depts, roles] = [await openDepts(trx, who, rows), await openRoles(trx, rows, hold)]
  const rights = entitled(trx, who.actor)
  const refused = new Map<number, ImportReason>()
  for (const { line, deptId, chosen, roleIds } of rows) {
    const within = roleIds.length > 0 ? await rights.within(roleIds, deptId) : undefined
    if (chosen && !depts.has(deptId)) refused.set(line, refusedCell('deptId', codes.deptMissing))
    else if (roleIds.some((id) => !roles.has(id))) refused.set(line, refusedCell('roles', codes.roleMissing))
    else if (roleIds.length > 0 && !may(who.actor)(ASSIGN)) refused.set(line, refusedCell('roles', codes.forbidden))
    else if (within) refused.set(line, refusedBy('roles', within))
  }
  return refused
}
