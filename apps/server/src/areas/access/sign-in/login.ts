import { codes } from '@tocsin/contract/codes'
import type { Login } from '@tocsin/contract/access/auth'
import { sql } from 'kysely'
import { wakeSequencer } from '#db/event'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { RequestInfo } from '#http/route'
import { invalidateSessionCache } from '#http/session-auth'
import { writeAudit } from '#areas/audit/audit'
import { checkCaptcha } from './captcha.ts'
import type { AuthDeps } from './deps.ts'
import {
  unscopedForSignIn,
  attemptSignIn,
  type SignInResult,
  logSignIn,
  type IdentityCheck,
  signInColumns,
} from './complete-sign-in.ts'
import { verifyPassword, simulateVerify } from './password/password.ts'
import { endSession, refreshSession, findSession } from './session.ts'

/**
 * Unknown, disabled and wrong cost the same work and get the same answer; only the right password of a pending account
 * learns that it is pending.
 */
const authenticate = async (db: Db, username: string, password: string): Promise<IdentityCheck> => {
  const user = await signInColumns(db).where(sql<boolean>`lower(username) = ${username}`).executeTakeFirst()
  const open = user && (user.enabled || user.pending)
  const fitting = await verifyPassword(open ? user.passwordHash : null, password)
  if (!user) return { result: 'UNKNOWN_USER' }
  if (fitting) return { user }
  return { result: open ? 'BAD_PASSWORD' : 'DISABLED', person: user }
}

type Attempt = { body: Login; origin: RequestInfo; cookie: string | undefined }

export const login = async (deps: AuthDeps, { body, origin, cookie }: Attempt): Promise<SignInResult> => {
  const { db, keys } = deps
  const name = body.username.trim().toLowerCase()
  const method = 'PASSWORD' as const
  try {
    await checkCaptcha(db, keys.captcha, body.captchaKey, body.captchaCode)
  } catch (error) {
    if (error instanceof BusinessError)
      await logSignIn(db, { type: 'LOGIN', result: 'CAPTCHA', person: undefined, username: name, method }, origin)
    throw error
  }
  const blocked = () => simulateVerify(body.password)
  const given = { name, method, origin, cookie, refusal: codes.badLogin, blocked }
  return attemptSignIn(deps, given, () => authenticate(db, name, body.password))
}

const personOf = (db: Db, userId: number) =>
  unscopedForSignIn(db)
    .selectFrom('users')
    .select(['id', 'deptId', 'username'])
    .where('id', '=', userId)
    .executeTakeFirst()

/** Ends the session of the given token; an unknown token is no error. */
export const logout = async (db: Db, token: string | undefined, origin: RequestInfo): Promise<true> => {
  const session = token ? await findSession(db, token) : undefined
  if (!session || session.endedAt) return true
  await db.transaction().execute(async (trx) => {
    await endSession(trx, [session.id], 'LOGOUT')
    await logSignIn(trx, { type: 'LOGOUT', result: 'SUCCESS', person: await personOf(trx, session.userId) }, origin)
  })
  invalidateSessionCache({ sessionId: session.id })
  wakeSequencer()
  return true
}

const noteReuse = async (
  trx: Db,
  { sessionId, userId }: { sessionId: number; userId: number },
  origin: RequestInfo,
) => {
  const person = await personOf(trx, userId)
  await logSignIn(trx, { type: 'REFRESH', result: 'REUSED', person }, origin)
  const actor = person && { userId, sessionId, deptId: person.deptId, username: person.username }
  await writeAudit(trx, {
    actor: actor ?? null,
    origin,
    action: 'system:session:reuse',
    subject: 'session',
    subjectId: sessionId,
    result: codes.refreshExpired.code,
  })
}

/** New tokens for a refresh token, or one of the two refusals that the client recognizes by their sentence (SPEC 8). */
export const refresh = async ({ db, keys }: Pick<AuthDeps, 'db' | 'keys'>, presented: string, origin: RequestInfo) => {
  // The error is thrown after the commit: the changes of the attempt must stay.
  const refreshed = await db.transaction().execute(async (trx) => {
    const outcome = await refreshSession(trx, keys.refresh, { presented, origin })
    if (outcome.outcome === 'reused') await noteReuse(trx, outcome.session, origin)
    return outcome
  })
  if (refreshed.outcome === 'given') return refreshed.tokens
  if (refreshed.outcome === 'unknown') throw new BusinessError(codes.invalidRefresh)
  if (refreshed.outcome === 'reused') invalidateSessionCache({ sessionId: refreshed.session.sessionId })
  wakeSequencer()
  throw new BusinessError(codes.refreshExpired)
}
