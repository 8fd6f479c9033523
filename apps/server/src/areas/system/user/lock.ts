import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import { everything, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { Refusal } from '#http/refusal'
import type { Actor } from '#http/route'

/** The row of a user in the actor's sight, held until the transaction ends. */
export const lockUser = async (trx: Db, actor: Actor, id: number): Promise<Row<'users'>> => {
  const user = await scoped(trx, actor)
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!user) throw new Refusal(codes.userMissing)
  return user
}

export const roleIdsOf = async (trx: Db, userId: number): Promise<number[]> => {
  const found = await trx
    .selectFrom('userRole')
    .select('roleId')
    .where('userId', '=', userId)
    .orderBy('roleId')
    .execute()
  return found.map(({ roleId }) => roleId)
}

/**
 * Refuses what left nobody who administers the system: asked after the change, before its commit. The role's row makes
 * removals at the same time wait for each other, so that the second sees the first.
 */
export const checkAdminRemains = async (trx: Db): Promise<void> => {
  const role = await trx
    .selectFrom('role')
    .select('id')
    .where('code', '=', 'super_admin')
    .where('builtIn', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const left = await everything(trx, 'an administrator counts wherever he is')
    .selectFrom('userRole')
    .innerJoin('users', 'users.id', 'userRole.userId')
    .select('users.id')
    .where('userRole.roleId', '=', role.id)
    .where('users.enabled', '=', true)
    .where('users.passwordHash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!left) throw new Refusal(codes.lastAdmin)
}

export const holdsAdmin = async (trx: Db, userId: number): Promise<boolean> => {
  const found = await trx
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select('role.id')
    .where('userRole.userId', '=', userId)
    .where('role.code', '=', 'super_admin')
    .executeTakeFirst()
  return found !== undefined
}
