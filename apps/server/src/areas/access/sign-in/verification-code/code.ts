import { codes } from '@tocsin/contract/codes'
import {
  CODE_AGAIN_SEC,
  CODE_SEC,
  CODE_TRIES,
  type CodeScene,
  type ContactType,
} from '@tocsin/contract/access/sign-in/contact'
import { maskEmail, maskMobile } from '@tocsin/contract/access/user-contact'
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Actor, RequestInfo } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import type { AuthDeps } from '../deps.ts'
import { networkPrefix, type RateQuota, secondsUntilCapacity, consumeRate } from '../login-throttle.ts'
import { getSetting } from '#settings/settings-cache'
import { sendMail, sendSms } from '../../outbound/queue.ts'

export type Contact = { type: ContactType; value: string }
/** What a code is sent for. `userId`: the user who binds a contact. `VERIFY`: a number of another person, such as a contact. */
export type CodePurpose = { contact: Contact; scene: CodeScene | 'VERIFY'; userId?: number }

const mac = (key: Uint8Array, ...parts: (string | number)[]) =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest()

const keyOf = (key: Uint8Array, { contact, scene, userId = 0 }: CodePurpose) =>
  mac(key, scene, userId, contact.type, contact.value)

/** The key of a contact in the rate limiter: hashed, so that its table contains no numbers. */
const nameOf = (key: Uint8Array, { type, value }: Contact) => mac(key, 'rate', type, value).toString('base64url')

const AGAIN: RateQuota = { calls: 1, seconds: CODE_AGAIN_SEC }
const DAILY: RateQuota = { calls: 10, seconds: 86_400 }
const NETWORK: RateQuota = { calls: 20, seconds: 600 }
const USER: RateQuota = { calls: 20, seconds: 86_400 }

/** `actor`: the user who binds a contact; absent when the code is for signing in. */
type From = { actor: Actor | null; origin: RequestInfo }

/** The limits of a contact, a network and a user (wire 11.10). None depends on whether an account exists. */
const checkRates = async (db: Db, key: Uint8Array, contact: Contact, { actor, origin }: From): Promise<void> => {
  if (!(await consumeRate(db, `code-net:${networkPrefix(origin.ip)}`, NETWORK))) throw new BusinessError(codes.tooMany)
  if (actor && !(await consumeRate(db, `code-user:${actor.userId}`, USER))) throw new BusinessError(codes.tooMany)
  const name = nameOf(key, contact)
  const again = `code-again:${name}`
  if (!(await consumeRate(db, again, AGAIN)))
    throw new BusinessError(codes.codeTooOften, { seconds: await secondsUntilCapacity(db, again, AGAIN) })
  if (!(await consumeRate(db, `code-day:${name}`, DAILY))) throw new BusinessError(codes.codeDaily)
}

const onlyTo = { LOGIN: 'USER', RESET: 'USER', REGISTER: 'NOBODY', BIND: undefined, VERIFY: undefined } as const

const write = async (trx: Db, { keys }: AuthDeps, { contact, scene }: CodePurpose, code: string): Promise<void> => {
  const to = { to: contact.value, onlyTo: onlyTo[scene] }
  if (contact.type === 'MOBILE') return sendSms(trx, keys.outbound, { ...to, code }, CODE_SEC)
  const title = await getSetting(trx, 'site.title')
  const minutes = CODE_SEC / 60
  const subject = `${title} 验证码 ${code} / Verification code`
  const text =
    `您的验证码是 ${code}，${minutes} 分钟内有效。若非本人操作，请忽略本邮件，并勿告知他人。\n\n` +
    `Your verification code is ${code}. It is good for ${minutes} minutes. If you did not ask for it, ignore this mail ` +
    `and give the code to nobody.\n`
  return sendMail(trx, keys.outbound, { ...to, subject, text }, CODE_SEC)
}

/** Audits the contact masked, as the log of sign-ins does. */
const recorded = (trx: Db, { contact: { type, value }, scene }: CodePurpose, { actor, origin }: From) =>
  writeAudit(trx, {
    actor,
    origin,
    action: 'system:user:send-code',
    subject: 'users',
    ...(actor && { subjectId: actor.userId }),
    after: { scene, contact: type === 'MOBILE' ? maskMobile(value) : maskEmail(value) },
  })

/**
 * Creates a code for a purpose, replaces the one before, and queues the message. The sender checks whether a user has
 * the contact, so that the work here is the same for every contact.
 */
export const sendCode = async (deps: AuthDeps, purpose: CodePurpose, from: From): Promise<void> => {
  const { db, keys } = deps
  await checkRates(db, keys.code, purpose.contact, from)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const keyHash = keyOf(keys.code, purpose)
  const fresh = {
    codeHash: mac(keys.code, 'code', keyHash.toString('base64'), code),
    tries: 0,
    expiresAt: sql<Date>`now() + make_interval(secs => ${CODE_SEC})`,
  }
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('verificationCode')
      .values({ keyHash, ...fresh })
      .onConflict((conflict) => conflict.column('keyHash').doUpdateSet(fresh))
      .execute()
    await write(trx, deps, purpose, code)
    await recorded(trx, purpose, from)
  })
}

/**
 * Consumes a code. A statement of its own counts the try before the comparison, so that tries at the same moment cannot
 * exceed the limit. The right code works once.
 */
export const consumeCode = async ({ db, keys }: AuthDeps, purpose: CodePurpose, code: string): Promise<boolean> => {
  const keyHash = keyOf(keys.code, purpose)
  const kept = await db
    .updateTable('verificationCode')
    .set({ tries: sql`tries + 1` })
    .where('keyHash', '=', keyHash)
    .where('tries', '<', CODE_TRIES)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('codeHash')
    .executeTakeFirst()
  const given = mac(keys.code, 'code', keyHash.toString('base64'), code)
  if (!kept || !timingSafeEqual(kept.codeHash, given)) return false
  const used = await db
    .deleteFrom('verificationCode')
    .where('keyHash', '=', keyHash)
    .where('codeHash', '=', given)
    .returning('tries')
    .executeTakeFirst()
  return used !== undefined
}

export const deleteExpiredCodes = async (db: Db): Promise<void> => {
  await db.deleteFrom('verificationCode').where('expiresAt', '<', sql<Date>`now()`).execute()
  await db
    .deleteFrom('activationCode')
    .where(({ eb, or }) => or([eb('expiresAt', '<', sql<Date>`now()`), eb('usedAt', 'is not', null)]))
    .execute()
}
