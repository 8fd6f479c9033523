import type { Tokens } from '@tocsin/contract/access/auth'
import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { emitEvents } from '#db/event'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import type { RequestInfo } from '#http/route'
import { hashToken } from '#http/session-auth'
import { getSetting } from '#settings/settings-cache'
import { networkPrefix } from './login-throttle.ts'

const ACCESS = sql<Date>`now() + interval '30 minutes'`
const IDLE = '12 hours'
const ABSOLUTE = sql<Date>`now() + interval '30 days'`
/** How long tabs that refresh at the same moment, or that lost the answer, get the same successor. */
const AGAIN = sql.lit('10 seconds')

export type EndReason = NonNullable<Row<'session'>['endReason']>

const fresh = () => randomBytes(32).toString('base64url')

const giveAccess = async (trx: Db, sessionId: number, token: string): Promise<Date> => {
  const { expiresAt } = await trx
    .insertInto('accessToken')
    .values({ hash: hashToken(token), sessionId, expiresAt: ACCESS })
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  return expiresAt
}

/**
 * Signs a user in: creates a session with its first tokens.
 * @param proved whether the user was verified in this browser; another one may have confirmed it.
 */
export const openSession = async (
  trx: Db,
  userId: number,
  { ip, userAgent }: RequestInfo,
  proved = true,
): Promise<Tokens> => {
  const { id } = await trx
    .insertInto('session')
    .values({
      userId,
      ip,
      userAgent,
      ...(!proved && { provedAt: null }),
      idleExpiresAt: sql<Date>`now() + interval '12 hours'`,
      expiresAt: ABSOLUTE,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [accessToken, refreshToken] = [fresh(), fresh()]
  await trx
    .insertInto('refreshToken')
    .values({ hash: hashToken(refreshToken), sessionId: id })
    .execute()
  return { accessToken, refreshToken, expiresTime: await giveAccess(trx, id, accessToken), userId }
}

/**
 * Ends running sessions and informs their screens. Their rows stay with the reason, which the client of an ended
 * session receives. After the commit: `invalidateSessionCache` and `poke`.
 */
export const endSession = async (trx: Db, ids: readonly number[], reason: EndReason): Promise<void> => {
  if (ids.length === 0) return
  const ended = await trx
    .updateTable('session')
    .set({ endedAt: sql`now()`, endReason: reason })
    .where('id', 'in', ids)
    .where('endedAt', 'is', null)
    .returning(['id', 'userId'])
    .execute()
  await emitEvents(trx, ...ended.map(({ id, userId }) => ({ type: 'session.ended' as const, ref: id, userId })))
}

/** All running sessions of a user except the given one; as `endSession`. */
export const endSessionsOf = async (trx: Db, userId: number, reason: EndReason, but = 0): Promise<void> => {
  const open = await trx
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '<>', but)
    .where('endedAt', 'is', null)
    .execute()
  await endSession(
    trx,
    open.map(({ id }) => id),
    reason,
  )
}

/** Ends the oldest sessions of a user beyond the number that the setting allows. After the commit: as `endSession`. */
export const endExcessSessions = async (trx: Db, userId: number): Promise<void> => {
  const most = Number(await getSetting(trx, 'security.max-sessions'))
  const excess = await trx
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where(sql<boolean>`least(idle_expires_at, expires_at) > now()`)
    .orderBy('id', 'desc')
    .offset(most)
    .execute()
  await endSession(
    trx,
    excess.map(({ id }) => id),
    'LIMIT',
  )
}

/** The session of an access token, ended or not. */
export const findSession = (db: Db, accessToken: string) =>
  db
    .selectFrom('accessToken')
    .innerJoin('session', 'session.id', 'accessToken.sessionId')
    .select(['session.id', 'session.userId', 'session.endedAt'])
    .where('hash', '=', hashToken(accessToken))
    .executeTakeFirst()

type Successor = { accessToken: string; refreshToken: string }

/** Both tokens are derived from the one presented, so that they can be returned again without being stored. */
const successorOf = (key: Uint8Array, presented: string): Successor => {
  const derived = (kind: string) => createHmac('sha256', key).update(`${kind} ${presented}`).digest('base64url')
  return { accessToken: derived('access'), refreshToken: derived('refresh') }
}

export type RefreshResult =
  | { outcome: 'given'; tokens: Tokens }
  | { outcome: 'unknown' | 'over' }
  | { outcome: 'reused'; session: { sessionId: number; userId: number } }

const find = (trx: Db, hash: Buffer) =>
  trx
    .selectFrom('refreshToken')
    .innerJoin('session', 'session.id', 'refreshToken.sessionId')
    .select(['session.id as sessionId', 'session.userId', 'session.endedAt'])
    .select(sql<boolean>`least(session.idle_expires_at, session.expires_at) <= now()`.as('expired'))
    .where('hash', '=', hash)
    .executeTakeFirst()

type Session = { sessionId: number; userId: number }

const rotate = async (trx: Db, { sessionId, userId }: Session, next: Successor): Promise<RefreshResult> => {
  await trx
    .insertInto('refreshToken')
    .values({ hash: hashToken(next.refreshToken), sessionId })
    .execute()
  await trx
    .deleteFrom('accessToken')
    .where('sessionId', '=', sessionId)
    .where('expiresAt', '<', sql<Date>`now()`)
    .execute()
  const expiresTime = await giveAccess(trx, sessionId, next.accessToken)
  await trx
    .updateTable('session')
    .set({
      lastUsedAt: sql`now()`,
      idleExpiresAt: sql`least(now() + ${sql.lit(IDLE)}::interval, expires_at)`,
    })
    .where('id', '=', sessionId)
    .execute()
  return { outcome: 'given', tokens: { ...next, expiresTime, userId } }
}

/** Who presents a refresh token: a copy from elsewhere was stolen. */
const presenter = ({ ip, userAgent }: RequestInfo) => ({ usedNetwork: networkPrefix(ip), usedAgent: userAgent })

/**
 * The same successor again, for another tab or a lost answer: within the grace time, to the same browser and network,
 * and only while the successor is unused.
 */
const giveAgain = async (
  trx: Db,
  presented: Buffer,
  { next, origin }: { next: Successor; origin: RequestInfo },
): Promise<Date | undefined> => {
  const { usedNetwork, usedAgent } = presenter(origin)
  const row = await trx
    .selectFrom('refreshToken as old')
    .innerJoin('refreshToken as successor', 'successor.hash', 'old.successorHash')
    .innerJoin('accessToken', 'accessToken.sessionId', 'old.sessionId')
    .select('accessToken.expiresAt')
    .where('old.hash', '=', presented)
    .where('old.usedNetwork', '=', usedNetwork)
    .where('old.usedAgent', '=', usedAgent)
    .where('accessToken.hash', '=', hashToken(next.accessToken))
    .where(sql<boolean>`old.used_at > now() - ${AGAIN}::interval`)
    .where('successor.usedAt', 'is', null)
    .executeTakeFirst()
  return row?.expiresAt
}

/**
 * Exchanges a refresh token. The first to present it wins by a conditional update. A token that was exchanged before
 * the grace time, comes from another browser or network, or whose successor is in use, was copied: the session ends.
 */
export const refreshSession = async (
  trx: Db,
  key: Uint8Array,
  { presented, origin }: { presented: string; origin: RequestInfo },
): Promise<RefreshResult> => {
  const hash = hashToken(presented)
  const found = await find(trx, hash)
  if (!found) return { outcome: 'unknown' }
  if (found.endedAt) return { outcome: 'over' }
  if (found.expired) {
    await endSession(trx, [found.sessionId], 'EXPIRED')
    return { outcome: 'over' }
  }
  const next = successorOf(key, presented)
  const won = await trx
    .updateTable('refreshToken')
    .set({ usedAt: sql`now()`, successorHash: hashToken(next.refreshToken), ...presenter(origin) })
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (won.numUpdatedRows === 1n) return rotate(trx, found, next)
  const expiresTime = await giveAgain(trx, hash, { next, origin })
  if (expiresTime) return { outcome: 'given', tokens: { ...next, expiresTime, userId: found.userId } }
  await endSession(trx, [found.sessionId], 'REUSED')
  return { outcome: 'reused', session: found }
}

/**
 * Removes expired rows of sign-ins, periodically. Ended sessions stay 30 days, so that a returning user learns how the
 * session ended.
 */
export const deleteExpiredSessions = async (db: Db): Promise<void> => {
  await db.deleteFrom('captchaUse').where('expiresAt', '<', sql<Date>`now() - interval '1 hour'`).execute()
  await db
    .deleteFrom('loginGuard')
    .where(sql<boolean>`greatest(last_at, blocked_until) < now() - interval '1 day'`)
    .execute()
  await db
    .deleteFrom('session')
    .where(sql<boolean>`coalesce(ended_at, least(idle_expires_at, expires_at)) < now() - interval '30 days'`)
    .execute()
}
