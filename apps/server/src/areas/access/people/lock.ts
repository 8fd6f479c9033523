import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

/** NO KEY UPDATE does not block sign-ins and references to the user. UPDATE is for changes that end the sessions. */
type Hold = 'forNoKeyUpdate' | 'forUpdate'

const patience = (trx: Db, time: string) => sql`select set_config('lock_timeout', ${time}, true)`.execute(trx)
const LOCKED = '55P03'

/** Calls do not wait while an import locks a user: waiting calls would use up the connections. */
export const withLockTimeout = async <T>(trx: Db, locking: () => Promise<T>): Promise<T> => {
  // Longer than the deadlock detection takes.
  await patience(trx, '1500ms')
  const locked = await locking().catch((error: { code?: unknown }) => {
    throw error.code === LOCKED ? new BusinessError(codes.userHeld) : error
  })
  await patience(trx, '0')
  return locked
}

/** The row of a user whom the actor can see, locked until the transaction ends. */
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
 * Rejects a change that leaves no system administrator. Called after the change, before its commit. The lock of the role's
 * row serializes concurrent removals, so that the second one sees the first.
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
