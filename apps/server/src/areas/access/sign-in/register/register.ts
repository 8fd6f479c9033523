import { codes } from '@tocsin/contract/codes'
import { Registration } from '@tocsin/contract/access/sign-in/register'
import { maskEmail } from '@tocsin/contract/access/user-contact'
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'
import { defineHook, runHooks } from '#db/transaction-hook'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { RequestInfo } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import type { AuthDeps } from '../deps.ts'
import { networkPrefix, consumeRate } from '../login-throttle.ts'
import { checkNewPassword, hashPassword } from '../password/password.ts'
import { type Contact, consumeCode } from '../verification-code/code.ts'
import { checkChannel, normalizeContact } from '../verification-code/contact.ts'
import { fieldError, toAuditState } from '#areas/audit/edit-transaction'
import { registrationDept, isRegistrationOpen } from '#areas/settings/registration-switch'

/** An application for an account was stored. */
export const registrationSubmitted = defineHook<Row<'users'>>('registration.submitted')

const all = (db: Db) => unscoped(db, 'whoever registers is nobody yet')

const contactFrom = ({ mobile, email }: Registration): Contact => {
  if (mobile) return normalizeContact('MOBILE', mobile)
  if (email) return normalizeContact('EMAIL', email)
  throw fieldError(Registration, 'mobile', 'required')
}

type Newcomer = { given: Registration; contact: Contact; deptId: number; passwordHash: string }

/** An unverified address must not open the account later: the approver sees its mask in the remark. */
const remarkOf = ({ mobile, email }: Registration) =>
  mobile && email ? `未验证的邮箱 / unproven e-mail: ${maskEmail(email)}` : null

const LONGEST_NAME = 30
const SUFFIX = 5

/**
 * A taken name gets a number appended, and the applicant learns the name at approval: an answer "taken" would tell a
 * stranger who has an account. Both cases run the same statements.
 */
const freeName = async (trx: Db, username: string): Promise<string> => {
  const taken = await all(trx)
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`lower(username) = ${username.toLowerCase()}`)
    .executeTakeFirst()
  const digits = String(randomInt(10 ** (SUFFIX - 1))).padStart(SUFFIX - 1, '0')
  return taken ? `${username.slice(0, LONGEST_NAME - SUFFIX)}-${digits}` : username
}

const insert = async (trx: Db, { given, contact, deptId, passwordHash }: Newcomer): Promise<Row<'users'> | undefined> =>
  all(trx)
    .insertInto('users')
    .values({
      username: await freeName(trx, given.username),
      nickname: given.nickname ?? given.username,
      passwordHash,
      deptId,
      ...(contact.type === 'MOBILE' ? { mobile: contact.value } : { email: contact.value }),
      remark: remarkOf(given),
      enabled: false,
      pending: true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

const write = (db: Db, newcomer: Newcomer, origin: RequestInfo) =>
  db.transaction().execute(async (trx) => {
    const user = await insert(trx, newcomer)
    // Another user took the contact since the code was sent: that user has an account.
    if (!user) return
    await writeAudit(trx, {
      actor: null,
      origin,
      action: 'system:user:register',
      subject: 'users',
      subjectId: user.id,
      after: toAuditState(user),
    })
    await runHooks(trx, registrationSubmitted, user)
  })

/** Per network. */
const RATE = { calls: 20, seconds: 600 }

/** Accepts an application for an account, which stays disabled until somebody approves it. */
export const register = async (deps: AuthDeps, given: Registration, origin: RequestInfo): Promise<true> => {
  const { db } = deps
  const deptId = (await isRegistrationOpen(db)) ? await registrationDept(db) : undefined
  if (deptId === undefined) throw new BusinessError(codes.registerOff)
  const contact = contactFrom(given)
  await checkChannel(db, contact)
  checkNewPassword(given.password, given.username)
  if (!(await consumeRate(db, `register:${networkPrefix(origin.ip)}`, RATE))) throw new BusinessError(codes.tooMany)
  if (!(await consumeCode(deps, { contact, scene: 'REGISTER' }, given.smsCode)))
    throw new BusinessError(codes.codeWrong)
  await write(db, { given, contact, deptId, passwordHash: await hashPassword(given.password) }, origin)
  wakeSequencer()
  return true
}
