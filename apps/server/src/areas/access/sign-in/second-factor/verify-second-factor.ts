import { codes } from '@tocsin/contract/codes'
import type { SecondFactorProof } from '@tocsin/contract/access/sign-in/second-factor'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { RequestInfo } from '#http/route'
import type { AuthDeps } from '../deps.ts'
import {
  type SignInResult,
  logSignIn,
  signInColumns,
  type VerifiedUser,
  openVerifiedSession,
} from '../complete-sign-in.ts'
import { clearAttempts, countAttempt } from '../login-throttle.ts'
import { passwordFingerprint, decryptTicket, type Ticket, consumeTicket } from '../ticket.ts'
import { factorKey, findFactor, decryptTotpSecret } from './factor.ts'
import { recoveryHash, matchTotpStep } from './totp.ts'

/** Marks the proof as used. @returns false when another request used it first. */
type Use = (trx: Db) => Promise<boolean>

const useStep =
  (userId: number, step: number): Use =>
  async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('secondFactor')
      .set({ lastStep: step })
      .where('userId', '=', userId)
      .where('lastStep', '<', step)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

const useRecovery =
  (userId: number, hash: Buffer): Use =>
  async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('recoveryCode')
      .set({ usedAt: sql`now()` })
      .where('userId', '=', userId)
      .where('hash', '=', hash)
      .where('usedAt', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

const proven = async ({ db, keys }: AuthDeps, userId: number, code: string): Promise<Use | undefined> => {
  const factor = await findFactor(db, userId)
  if (!factor?.confirmedAt) return undefined
  if (!/^\d{6}$/.test(code)) return useRecovery(userId, recoveryHash(keys.factor, userId, code))
  const step = await matchTotpStep(decryptTotpSecret(keys.factor, factor.secret), code, factor.lastStep)
  return step === undefined ? undefined : useStep(userId, step)
}

/** The user of a ticket, while it is valid: not expired, not disabled, and no password change since. */
const holderOf = async (db: Db, ticket: Ticket | undefined): Promise<VerifiedUser> => {
  const user =
    ticket &&
    (await signInColumns(db)
      .where('id', '=', ticket.userId)
      .where(sql<boolean>`now() < ${new Date(ticket.expires)}`)
      .executeTakeFirst())
  if (!user?.enabled || passwordFingerprint(user.passwordHash) !== ticket?.mark)
    throw new BusinessError(codes.ticketGone)
  return user
}

type From = { origin: RequestInfo; cookie: string | undefined }

/** The second step of signing in, by the authenticator or a recovery code; each is accepted once. */
export const verifySecondFactor = async (
  deps: AuthDeps,
  proof: SecondFactorProof,
  from: From,
): Promise<SignInResult> => {
  const { db, keys } = deps
  const ticket = decryptTicket(keys.ticket, proof.ticket)
  const user = await holderOf(db, ticket)
  if (!ticket) throw new BusinessError(codes.ticketGone)
  const { method } = ticket
  const note = (result: string) => logSignIn(db, { type: 'LOGIN', result, person: user, method }, from.origin)
  const attempt = await countAttempt(db, factorKey(user.id))
  if (!attempt.allowed) {
    await note('SLOWED')
    throw new BusinessError(codes.slowDown, { seconds: attempt.seconds })
  }
  const use = await proven(deps, user.id, proof.code)
  const entered =
    use &&
    (await db.transaction().execute(async (trx) => {
      if (!(await use(trx))) return undefined
      await consumeTicket(trx, ticket)
      await clearAttempts(trx, factorKey(user.id))
      return openVerifiedSession(trx, deps, { user, method, ...from })
    }))
  if (entered) return entered
  await note('BAD_SECOND_FACTOR')
  throw new BusinessError(codes.secondFactorWrong)
}
