import { SECURITY } from '@tocsin/contract/system/user'
import type { Db } from '#db/db'
import { Refusal } from '#http/refusal'
import { type Actor, may } from '#http/route'
import { reachOf } from '../role/reach.ts'
import { checkWithin } from '../role/rights.ts'

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
