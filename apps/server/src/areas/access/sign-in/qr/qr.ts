import { codes } from '@tocsin/contract/codes'
import { QR_SEC, type QrPlace, type QrQuery, type QrState, type QrTicket } from '@tocsin/contract/access/sign-in/qr'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Actor, RequestInfo, Caller } from '#http/route'
import { hashToken } from '#http/session-auth'
import { writeAudit } from '#areas/audit/audit'
import type { AuthDeps } from '../deps.ts'
import { completeSignIn, type SignInResult, signInColumns } from '../complete-sign-in.ts'
import { networkPrefix, consumeRate } from '../login-throttle.ts'
import { getSetting } from '#settings/settings-cache'

const RATE = { calls: 30, seconds: 60 }
/** How long the browser may fetch its session after a confirmation at the last moment. */
const FETCH_SEC = 30

const fresh = () => randomBytes(32).toString('base64url')

/** A ticket for the picture and a verifier for the browser that shows it; only their hashes are stored. */
export const createQrTicket = async ({ db }: AuthDeps, { ip, userAgent }: RequestInfo): Promise<QrTicket> => {
  if ((await getSetting(db, 'sign-in.qr')) !== 'true') throw new BusinessError(codes.channelOff)
  if (!(await consumeRate(db, `qr:${networkPrefix(ip)}`, RATE))) throw new BusinessError(codes.tooMany)
  const [ticket, verifier] = [fresh(), fresh()]
  const { expiresAt } = await db
    .insertInto('qrTicket')
    .values({
      ticketHash: hashToken(ticket),
      verifierHash: hashToken(verifier),
      ip,
      userAgent,
      expiresAt: sql<Date>`now() + make_interval(secs => ${QR_SEC})`,
    })
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  return { ticket, verifier, expiresTime: expiresAt }
}

const inTime = sql<boolean>`expires_at > now()`

/** Exchanges the confirmed ticket for a session, once, even for concurrent requests. */
const use = (db: Db, ticketHash: Buffer) =>
  db
    .updateTable('qrTicket')
    .set({ state: 'USED' })
    .where('ticketHash', '=', ticketHash)
    .where('state', '=', 'CONFIRMED')
    .where(inTime)
    .returning(['userId', 'sessionId'])
    .executeTakeFirst()

/** Rejects a confirmation by a session that has ended since: removed, or ended by a password change. */
const stillOpen =
  (sessionId: number | null) =>
  async (trx: Db): Promise<void> => {
    const session = await trx
      .selectFrom('session')
      .select('id')
      .where('id', '=', sessionId)
      .where('endedAt', 'is', null)
      .executeTakeFirst()
    if (!session) throw new BusinessError(codes.qrGone)
  }

export type QrOutcome = { state: QrState['state']; entered?: SignInResult }

/** The state of a ticket, answered only to the browser with its verifier. */
export const qrState = async (
  deps: AuthDeps,
  { ticket, verifier }: QrQuery,
  from: { origin: RequestInfo; cookie: string | undefined },
): Promise<QrOutcome> => {
  const { db } = deps
  const ticketHash = hashToken(ticket)
  const found = await db
    .selectFrom('qrTicket')
    .select(['state', inTime.as('inTime')])
    .where('ticketHash', '=', ticketHash)
    .where('verifierHash', '=', hashToken(verifier))
    .executeTakeFirst()
  if (!found) throw new BusinessError(codes.qrGone)
  if (found.state === 'USED') return { state: 'USED' }
  if (!found.inTime) return { state: 'EXPIRED' }
  if (found.state !== 'CONFIRMED') return { state: found.state }
  const used = await use(db, ticketHash)
  if (!used?.userId) return { state: 'USED' }
  const user = await signInColumns(db).where('id', '=', used.userId).executeTakeFirst()
  if (!user) throw new BusinessError(codes.qrGone)
  const success = stillOpen(used.sessionId)
  return { state: 'USED', entered: await completeSignIn(deps, { user, method: 'QR', success, ...from }) }
}

const shown = ['ip', 'userAgent', 'expiresAt'] as const

/**
 * A signed-in user read the picture: answers where the browser that shows it is. Nobody else can read it afterwards.
 */
export const scanTicket = async ({ db }: AuthDeps, ticket: string, { userId }: Actor): Promise<QrPlace> => {
  const place = await db
    .updateTable('qrTicket')
    .set({ state: 'SCANNED', userId })
    .where('ticketHash', '=', hashToken(ticket))
    .where(inTime)
    .where((eb) =>
      eb.or([eb('state', '=', 'WAITING'), eb.and([eb('state', '=', 'SCANNED'), eb('userId', '=', userId)])]),
    )
    .returning(shown)
    .executeTakeFirst()
  if (!place) throw new BusinessError(codes.qrGone)
  const { ip, userAgent, expiresAt: expiresTime } = place
  return { ip, userAgent, expiresTime }
}

/** The user who scanned it signs in the other browser as himself. */
export const confirmTicket = ({ db }: AuthDeps, ticket: string, caller: Caller): Promise<true> =>
  db.transaction().execute(async (trx) => {
    const { userId, sessionId } = caller.actor
    const place = await trx
      .updateTable('qrTicket')
      .set({
        state: 'CONFIRMED',
        sessionId,
        expiresAt: sql<Date>`greatest(expires_at, now() + make_interval(secs => ${FETCH_SEC}))`,
      })
      .where('ticketHash', '=', hashToken(ticket))
      .where('state', '=', 'SCANNED')
      .where('userId', '=', userId)
      .where(inTime)
      .returning(shown)
      .executeTakeFirst()
    if (!place) throw new BusinessError(codes.qrGone)
    const { ip, userAgent } = place
    await writeAudit(trx, {
      ...caller,
      action: 'system:session:confirm-qr',
      subject: 'users',
      subjectId: userId,
      after: { ip, userAgent },
    })
    return true as const
  })

export const deleteExpiredTickets = async (db: Db): Promise<void> => {
  await db.deleteFrom('qrTicket').where('expiresAt', '<', sql<Date>`now() - interval '1 hour'`).execute()
}
