import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

/** NO KEY UPDATE: signing in goes on, and whatever refers to him. UPDATE: for what ends his sessions. */
type Hold = 'forNoKeyUpdate' | 'forUpdate'

const patience = (trx: Db, time: string) => sql`select set_config('lock_timeout', ${time}, true)`.execute(trx)
const LOCKED = '55P03'

/** Where a whole import holds a user, nobody waits for that: calls that wait would take the connections of others. */
export const withLockTimeout = async <T>(trx: Db, locking: () => Promise<T>): Promise<T> => {
  // Longer than it takes to notice two who wait for each other.
  await patience(trx, '1500ms')
  const locked = await locking().catch((error: { code?: unknown }) => {
    throw error.code === LOCKED ? new BusinessError(codes.userHeld) : error
  })
  await patience(trx, '0')
  return locked
}

/** The row of a user in the actor's sight, held until the transaction ends. */
export const lockUser = async (
  trx: Db,
  actor: Actor,
  id: number,
  hold: Hold = 'forNoKeyUpdate',
): Promise<Row<'users'>> => {
  const found = scoped(trx, actor).selectFrom('users').selectAll().where('id', '=', id)
  const user = await withLockTimeout(trx, () => found[hold]().executeTakeFirst())
  if (!user) throw new BusinessError(codes.userMissing)
  return user
}

export const listRoleIds = async (trx: Db, userId: number): Promise<number[]> => {
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
  const left = await unscoped(trx, 'an administrator counts wherever he is')
    .selectFrom('userRole')
    .innerJoin('users', 'users.id', 'userRole.userId')
    .select('users.id')
    .where('userRole.roleId', '=', role.id)
    .where('users.enabled', '=', true)
    .where('users.passwordHash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!left) throw new BusinessError(codes.lastAdmin)
}

export const hasAdminRole = async (trx: Db, userId: number): Promise<boolean> => {
  const found = await trx
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select('role.id')
    .where('userRole.userId', '=', userId)
    .where('role.code', '=', 'super_admin')
    .executeTakeFirst()
  return found !== undefined
}
