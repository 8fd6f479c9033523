import { codes } from '@tocsin/contract/codes'
import type { Login, SignedIn } from '@tocsin/contract/system/auth'
import { sql } from 'kysely'
import { poke } from '#db/event'
import type { AllDb, Db } from '#db/db'
import { everything } from '#db/scope'
import type { Row } from '#db/tables'
import { Refusal } from '#http/refusal'
import type { Origin } from '#http/route'
import { dropCached } from '#http/session'
import { audit } from '../audit.ts'
import { knownBrowser, rememberBrowser } from './browser.ts'
import { checkCaptcha } from './captcha.ts'
import { admit } from './guard.ts'
import { fits } from './password.ts'
import { endSession, openSession, refreshSession, sessionOf } from './session.ts'

/** All derived from the master key, each for one purpose. */
export type AuthKeys = { captcha: Uint8Array; refresh: Uint8Array; browser: Uint8Array }
export type AuthDeps = {
  db: Db
  keys: AuthKeys
  /** Tests only: the answer of every picture. */
  testCaptcha?: string | undefined
  /** Holds a try on an account under attack; an argument, since time is. */
  wait: (seconds: number) => Promise<void>
}

const all = (db: Db): AllDb => everything(db, 'sign-in acts for nobody yet')

type Person = { id: number; deptId: number; username: string } | undefined
type Logged = Pick<Row<'loginLog'>, 'type' | 'result'> & { person: Person; username?: string }

const log = (db: Db, { type, result, person, username }: Logged, { ip, userAgent, traceId }: Origin) =>
  all(db)
    .insertInto('loginLog')
    .values({
      type,
      result,
      userId: person?.id ?? null,
      deptId: person?.deptId ?? null,
      username: (person?.username ?? username ?? '').slice(0, 100),
      ip,
      userAgent,
      traceId,
    })
    .execute()

/** Tries held back at the same time on this node; beyond, the answer is "too many" for everybody alike. */
const HELD = 100
let held = 0
const holdBack = async (wait: AuthDeps['wait'], seconds: number) => {
  if (seconds === 0) return
  if (held >= HELD) throw new Refusal(codes.tooMany)
  held += 1
  try {
    await wait(seconds)
  } finally {
    held -= 1
  }
}

const findUser = (db: Db, username: string) =>
  all(db)
    .selectFrom('users')
    .select(['id', 'deptId', 'username', 'passwordHash', 'enabled', 'mustChangePassword'])
    .where(sql<boolean>`lower(username) = ${username}`)
    .executeTakeFirst()
type User = NonNullable<Awaited<ReturnType<typeof findUser>>>

const authenticate = async (user: User | undefined, password: string): Promise<string> => {
  // Unknown, disabled and wrong cost the same work and get the same answer.
  const fitting = await fits(user?.enabled ? user.passwordHash : null, password)
  if (fitting) return 'SUCCESS'
  if (!user) return 'UNKNOWN_USER'
  return user.enabled ? 'BAD_PASSWORD' : 'DISABLED'
}

type Attempt = { body: Login; origin: Origin; cookie: string | undefined }

/** @returns the answer, and the cookie by which this browser is known from now on. */
export const login = async (
  { db, keys, wait }: AuthDeps,
  { body, origin, cookie }: Attempt,
): Promise<{ signedIn: SignedIn; cookie: string }> => {
  const username = body.username.trim().toLowerCase()
  const note = (result: string, person?: Person) => log(db, { type: 'LOGIN', result, person, username }, origin)
  try {
    await checkCaptcha(db, keys.captcha, body.captchaKey, body.captchaCode)
  } catch (error) {
    if (error instanceof Refusal) await note('CAPTCHA')
    throw error
  }
  const browser = knownBrowser(keys.browser, cookie, username)
  const admission = await admit(db, { username, ip: origin.ip, browser })
  if (!admission.allowed) {
    await note('SLOWED')
    throw new Refusal(codes.slowDown, { seconds: admission.seconds })
  }
  await holdBack(wait, admission.waitSec)
  const user = await findUser(db, username)
  const result = await authenticate(user, body.password)
  if (!user || result !== 'SUCCESS') {
    await note(result, user)
    throw new Refusal(codes.badLogin)
  }
  const tokens = await db.transaction().execute(async (trx) => {
    await admission.success(trx)
    await all(trx)
      .updateTable('users')
      .set({ loginIp: origin.ip, loginAt: sql`now()` })
      .where('id', '=', user.id)
      .execute()
    await log(trx, { type: 'LOGIN', result, person: user }, origin)
    return openSession(trx, user.id, origin)
  })
  return {
    signedIn: { tokenType: 'Bearer', ...tokens, mustChangePassword: user.mustChangePassword },
    cookie: rememberBrowser(keys.browser, cookie, username),
  }
}

const personOf = (db: Db, userId: number) =>
  all(db).selectFrom('users').select(['id', 'deptId', 'username']).where('id', '=', userId).executeTakeFirst()

/** Ends the session of whatever token came; a token that stands for nothing is no error. */
export const logout = async (db: Db, token: string | undefined, origin: Origin): Promise<true> => {
  const session = token ? await sessionOf(db, token) : undefined
  if (!session || session.endedAt) return true
  await db.transaction().execute(async (trx) => {
    await endSession(trx, [session.id], 'LOGOUT')
    await log(trx, { type: 'LOGOUT', result: 'SUCCESS', person: await personOf(trx, session.userId) }, origin)
  })
  dropCached({ sessionId: session.id })
  poke()
  return true
}

const noteReuse = async (trx: Db, { sessionId, userId }: { sessionId: number; userId: number }, origin: Origin) => {
  const person = await personOf(trx, userId)
  await log(trx, { type: 'REFRESH', result: 'REUSED', person }, origin)
  const actor = person && { userId, sessionId, deptId: person.deptId, username: person.username }
  await audit(trx, {
    actor: actor ?? null,
    origin,
    action: 'system:session:reuse',
    subject: 'session',
    subjectId: sessionId,
    result: codes.refreshExpired.code,
  })
}

/** New tokens for a refresh token, or the two refusals that the client matches by their sentence (SPEC 8). */
export const refresh = async ({ db, keys }: Pick<AuthDeps, 'db' | 'keys'>, presented: string, origin: Origin) => {
  // The refusal is thrown after the commit: what the attempt changed must stay.
  const refreshed = await db.transaction().execute(async (trx) => {
    const outcome = await refreshSession(trx, keys.refresh, presented)
    if (outcome.outcome === 'reused') await noteReuse(trx, outcome.session, origin)
    return outcome
  })
  if (refreshed.outcome === 'given') return refreshed.tokens
  if (refreshed.outcome === 'unknown') throw new Refusal(codes.invalidRefresh)
  if (refreshed.outcome === 'reused') dropCached({ sessionId: refreshed.session.sessionId })
  poke()
  throw new Refusal(codes.refreshExpired)
}
