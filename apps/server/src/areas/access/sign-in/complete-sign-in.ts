import { type Code, codes } from '@tocsin/contract/codes'
import type { SignInResponse } from '@tocsin/contract/access/auth'
import type { LoginMethod } from '@tocsin/contract/audit/login-log'
import { sql } from 'kysely'
import type { AllTablesDb, Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { RequestInfo, AuthTransport } from '#http/route'
import { BROWSER_COOKIE, BROWSER_DAYS, verifyTrustedBrowser, issueTrustedBrowser } from './trusted-browser.ts'
import type { AuthDeps } from './deps.ts'
import { admitAttempt } from './login-throttle.ts'
import { endExcessSessions, openSession } from './session.ts'
import { encryptTicket } from './ticket.ts'

export const unscopedForSignIn = (db: Db): AllTablesDb => unscoped(db, 'sign-in acts for nobody yet')

type Person = Pick<Row<'users'>, 'id' | 'deptId' | 'username'> | undefined
type Logged = Pick<Row<'loginLog'>, 'type' | 'result'> & {
  person: Person
  username?: string
  method?: LoginMethod
}

export const logSignIn = (
  db: Db,
  { type, result, person, username, method }: Logged,
  { ip, userAgent, traceId }: RequestInfo,
) =>
  unscopedForSignIn(db)
    .insertInto('loginLog')
    .values({
      type,
      result,
      method: method ?? null,
      userId: person?.id ?? null,
      deptId: person?.deptId ?? null,
      username: (person?.username ?? username ?? '').slice(0, 100),
      ip,
      userAgent,
      traceId,
    })
    .execute()

/** The columns of a user that decide a sign-in. */
export const signInColumns = (db: Db) =>
  unscopedForSignIn(db)
    .selectFrom('users')
    .select(['id', 'deptId', 'username', 'passwordHash', 'enabled', 'pending', 'mustChangePassword'])
export type VerifiedUser = Pick<
  Row<'users'>,
  'id' | 'deptId' | 'username' | 'passwordHash' | 'enabled' | 'pending' | 'mustChangePassword'
>

/** Either the tokens of a new session or a request for the second factor. */
export type SignInResult = { signedIn: SignInResponse; cookie: string } | { ticket: string }

export type SignInRequest = {
  user: VerifiedUser
  method: LoginMethod
  origin: RequestInfo
  cookie: string | undefined
  /** Runs in the same transaction, also when the second factor is still missing. */
  success?: (trx: Db) => Promise<unknown>
}

/** Creates the session of a user who proved everything that is required. */
export const openVerifiedSession = async (trx: Db, { keys }: AuthDeps, entry: SignInRequest): Promise<SignInResult> => {
  const { user, method, origin, cookie } = entry
  // Waits for a transaction that ends the user's sessions, but not for one that changes the user's name.
  const now = await unscopedForSignIn(trx)
    .selectFrom('users')
    .select(['enabled', 'passwordHash'])
    .where('id', '=', user.id)
    .forKeyShare()
    .executeTakeFirst()
  // Disabled a moment ago, or all sessions ended with the password, which this one would outlive.
  if (!now?.enabled) throw new BusinessError(codes.accountDisabled)
  if (now.passwordHash !== user.passwordHash) throw new BusinessError(codes.ticketGone)
  const last = { at: sql<Date>`now()`, ip: origin.ip }
  await trx
    .insertInto('lastLogin')
    .values({ userId: user.id, ...last })
    .onConflict((other) => other.column('userId').doUpdateSet(last))
    .execute()
  await logSignIn(trx, { type: 'LOGIN', result: 'SUCCESS', person: user, method }, origin)
  const tokens = await openSession(trx, user.id, origin, method !== 'QR')
  await endExcessSessions(trx, user.id)
  return {
    signedIn: { tokenType: 'Bearer', ...tokens, mustChangePassword: user.mustChangePassword },
    cookie: issueTrustedBrowser(keys.browser, cookie, user.username.toLowerCase()),
  }
}

const hasSecondFactor = async (trx: Db, userId: number): Promise<boolean> => {
  const found = await trx
    .selectFrom('secondFactor')
    .select('userId')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * The end of every way to sign in: a verified user gets a session, or the ticket for the second factor; a disabled one
 * gets neither.
 */
export const completeSignIn = async (deps: AuthDeps, entry: SignInRequest): Promise<SignInResult> => {
  const { user, method, origin } = entry
  const note = (db: Db, result: string) => logSignIn(db, { type: 'LOGIN', result, person: user, method }, origin)
  if (!user.enabled) {
    await note(deps.db, user.pending ? 'PENDING' : 'DISABLED')
    throw new BusinessError(user.pending ? codes.accountPending : codes.accountDisabled)
  }
  return deps.db.transaction().execute(async (trx) => {
    await entry.success?.(trx)
    if (!(await hasSecondFactor(trx, user.id))) return openVerifiedSession(trx, deps, entry)
    await note(trx, 'SECOND_FACTOR')
    const { rows } = await sql<{ at: Date }>`select now() as at`.execute(trx)
    const { id: userId, passwordHash } = user
    return { ticket: encryptTicket(deps.keys.ticket, { userId, method, passwordHash }, rows[0]?.at ?? new Date()) }
  })
}

/** The answer of a call that signs in; a second factor is requested by its code, with the ticket as data. */
export const toSignInResponse = (entered: SignInResult, transport: AuthTransport): SignInResponse => {
  if ('ticket' in entered) throw new BusinessError(codes.secondFactor, undefined, { ticket: entered.ticket })
  transport.setCookie(BROWSER_COOKIE, entered.cookie, BROWSER_DAYS)
  return entered.signedIn
}

/** Attempts delayed at the same time on this node, and under one name; above it the answer is "too many". */
const HELD = 100
const HELD_EACH = 10
const held: string[] = []
const holdBack = async (wait: AuthDeps['wait'], seconds: number, name: string) => {
  if (seconds === 0) return
  if (held.length >= HELD || held.filter((item) => item === name).length >= HELD_EACH)
    throw new BusinessError(codes.tooMany)
  held.push(name)
  try {
    await wait(seconds)
  } finally {
    held.splice(held.indexOf(name), 1)
  }
}

/** The verified user, or why there is none; `person` is the user of the attempt, only for the log. */
export type IdentityCheck = { user: VerifiedUser } | { result: string; person?: Person; refusal?: Code }

export type SignInAttempt = {
  /** The key under which attempts are counted, whether an account has it or not. */
  name: string
  /** How the name is logged, where it contains more than a log should. */
  shown?: string
  method: LoginMethod
  origin: RequestInfo
  cookie: string | undefined
  /** The single answer to everything that was not verified. */
  refusal: Code
  /** The work of a blocked attempt instead of the verification, so that it takes as long. */
  blocked?: () => Promise<void>
}

/** An attempt under a given name: counted, delayed, logged, and signed in when it verifies a user. */
export const attemptSignIn = async (
  deps: AuthDeps,
  given: SignInAttempt,
  prove: () => Promise<IdentityCheck>,
): Promise<SignInResult> => {
  const { name, shown = name, method, origin, cookie, refusal, blocked } = given
  const note = (result: string, person?: Person) =>
    logSignIn(deps.db, { type: 'LOGIN', result, person, username: shown, method }, origin)
  const browser = verifyTrustedBrowser(deps.keys.browser, cookie, name)
  const admission = await admitAttempt(deps.db, { username: name, ip: origin.ip, browser })
  // Neither this answer nor its duration tells whether an account has the name.
  if (!admission.allowed) {
    await blocked?.()
    await note('SLOWED')
    throw new BusinessError(codes.slowDown, { seconds: admission.seconds })
  }
  await holdBack(deps.wait, admission.waitSec, name)
  const proof = await prove()
  if ('user' in proof)
    return completeSignIn(deps, { user: proof.user, method, origin, cookie, success: admission.success })
  await note(proof.result, proof.person)
  throw new BusinessError(proof.refusal ?? refusal)
}
