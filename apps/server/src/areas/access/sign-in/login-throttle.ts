import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/db'

const FREE_TRIES = 5
/** Failures are forgotten after this long without one. */
const MEMORY = '15 minutes'
const FIRST_BLOCK_SEC = 60
const LONGEST_BLOCK_SEC = 900
const LONGEST_WAIT_SEC = 30

/** The network of an address: /24 for IPv4, also mapped into IPv6, /64 for IPv6. */
export const networkPrefix = (ip: string): string => {
  const four = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(ip)?.[1]
  if (four) return `${four}.0/24`
  const [left = '', right] = ip.replace(/%.*$/, '').split('::')
  const head = left.split(':').filter(Boolean)
  const tail = right?.split(':').filter(Boolean) ?? []
  const groups = [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}

/** User names are counted whether an account has them or not, so that counting discloses nothing. */
const nameKey = (username: string) => createHash('sha256').update(username).digest('base64url')

const stale = sql<boolean>`greatest(login_guard.last_at, login_guard.blocked_until) < now() - ${sql.lit(MEMORY)}::interval`

/** Seconds from now that this many failures block: 60 at the fifth, doubling to 900. */
const blockFor = (failures: ReturnType<typeof sql<number>>) =>
  sql<Date | null>`case when ${failures} >= ${FREE_TRIES}
    then now() + make_interval(secs => least(${LONGEST_BLOCK_SEC}, ${FIRST_BLOCK_SEC} * 2.0 ^ least(${failures} - ${FREE_TRIES}, 10)))
    end`

export type AttemptResult = { allowed: true } | { allowed: false; seconds: number }

/**
 * Counts an attempt as failed before it is verified, so that concurrent attempts cannot exceed the limit; a success
 * clears it. @returns refused with the seconds to wait, when the key is blocked.
 */
export const countAttempt = async (db: Db, key: string): Promise<AttemptResult> => {
  const next = sql<number>`(case when ${stale} then 1 else login_guard.failures + 1 end)`
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('loginGuard')
    .values({ key, failures: 1 })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ failures: next, lastAt: sql`now()`, blockedUntil: blockFor(next) })
        .where(sql<boolean>`coalesce(login_guard.blocked_until <= now(), true)`),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return { allowed: true }
  const blocked = await db
    .selectFrom('loginGuard')
    .select(sql<number>`greatest(1, ceil(extract(epoch from blocked_until - now())))::int`.as('seconds'))
    .where('key', '=', key)
    .executeTakeFirst()
  return { allowed: false, seconds: blocked?.seconds ?? 1 }
}

export const clearAttempts = (db: Db, key: string) => db.deleteFrom('loginGuard').where('key', '=', key).execute()

/**
 * Counts an attempt on an account over all networks. It never blocks, since anybody could then lock anybody out; it
 * only delays each further attempt. @returns seconds, 0 to 30.
 */
const slowness = async (db: Db, key: string): Promise<number> => {
  const { failures } = await db
    .insertInto('loginGuard')
    .values({ key, failures: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        failures: sql<number>`case when ${stale} then 1 else login_guard.failures + 1 end`,
        lastAt: sql`now()`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return Math.min(LONGEST_WAIT_SEC, Math.max(0, failures - 2 * FREE_TRIES))
}

/** Removes the failure counted for a successful attempt; those of others stay counted. */
const takeBack = (trx: Db, key: string) =>
  trx.updateTable('loginGuard').set({ failures: sql`greatest(0, failures - 1)` }).where('key', '=', key).execute()

export type AttemptSource = { username: string; ip: string; browser: string | undefined }
export type AttemptAdmission = AttemptResult & { waitSec: number; success: (trx: Db) => Promise<unknown> }

/**
 * Whether this visitor may try a password now. A browser that signed in before has its own counter, so that attempts
 * from elsewhere cannot lock its user out.
 */
export const admitAttempt = async (db: Db, { username, ip, browser }: AttemptSource): Promise<AttemptAdmission> => {
  const name = nameKey(username)
  const own = browser ? `browser:${browser}:${name.slice(0, 16)}` : `pair:${name}:${networkPrefix(ip)}`
  const allowed = await countAttempt(db, own)
  const counted = allowed.allowed && !browser
  const waitSec = counted ? await slowness(db, `account:${name}`) : 0
  const success = async (trx: Db) => {
    await clearAttempts(trx, own)
    if (counted) await takeBack(trx, `account:${name}`)
  }
  return { ...allowed, waitSec, success }
}

/** This many calls, refilled evenly over this many seconds. */
export type RateQuota = { calls: number; seconds: number }

/**
 * A steady rate per key (generic cell rate; `blocked_until` is the time at which the bucket is full again).
 * @returns the database's clock when the call may proceed, undefined when it may not.
 */
export const consumeRate = async (db: Db, key: string, { calls, seconds }: RateQuota): Promise<Date | undefined> => {
  const step = seconds / calls
  const fullAt = sql<Date>`greatest(now(), login_guard.blocked_until) + make_interval(secs => ${step})`
  const row = await db
    .insertInto('loginGuard')
    .values({ key, blockedUntil: sql<Date>`now() + make_interval(secs => ${step})` })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ blockedUntil: fullAt, lastAt: sql`now()` })
        .where(sql<boolean>`${fullAt} <= now() + make_interval(secs => ${seconds})`),
    )
    .returning(sql<Date>`now()`.as('now'))
    .executeTakeFirst()
  return row?.now
}

/** Returns what `consumeRate` counted for a call that did not need it. */
export const refundRate = async (db: Db, key: string, { calls, seconds }: RateQuota): Promise<void> => {
  const blockedUntil = sql<Date>`blocked_until - make_interval(secs => ${seconds / calls})`
  await db.updateTable('loginGuard').set({ blockedUntil }).where('key', '=', key).execute()
}

/** Whether one more call is within the rate; does not count it. */
export const hasCapacity = async (db: Db, key: string, { calls, seconds }: RateQuota): Promise<boolean> => {
  const full = await db
    .selectFrom('loginGuard')
    .select('key')
    .where('key', '=', key)
    .where(sql<boolean>`blocked_until > now() + make_interval(secs => ${seconds - seconds / calls})`)
    .executeTakeFirst()
  return full === undefined
}

/** Seconds until one more call is within the rate. */
export const secondsUntilCapacity = async (db: Db, key: string, { calls, seconds }: RateQuota): Promise<number> => {
  const row = await db
    .selectFrom('loginGuard')
    .select(
      sql<number>`greatest(1, ceil(extract(epoch from blocked_until - now()) + ${seconds / calls - seconds}))::int`.as(
        'left',
      ),
    )
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.left ?? 1
}
