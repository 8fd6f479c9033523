import { codes } from '@tocsin/contract/codes'
import { ResetPassword } from '@tocsin/contract/access/sign-in/contact'
import { BusinessError } from '#http/business-error'
import type { RequestInfo } from '#http/route'
import type { AuthDeps } from '../deps.ts'
import { admitAttempt } from '../login-throttle.ts'
import { resetOwnPassword } from '../password/own-password.ts'
import { checkConfirmation, checkNewPassword, hashPassword } from '../password/password.ts'
import { fieldError, runEdit } from '#areas/audit/edit-transaction'
import { type Contact, consumeCode } from './code.ts'
import { checkChannel, normalizeContact, findUserByContact } from './contact.ts'

type ProvenContact = { contact: Contact; code: string }

/** The contact and its code, by either set of field names. */
const provenContact = (reset: ResetPassword): ProvenContact => {
  const { mobile, email, smsCode, code = smsCode } = reset
  const { contact = mobile ?? email, contactType = mobile || !email ? 'MOBILE' : 'EMAIL' } = reset
  if (!contact) throw fieldError(ResetPassword, 'contact', 'required')
  if (!code) throw fieldError(ResetPassword, 'code', 'required')
  return { contact: normalizeContact(contactType, contact), code }
}

const isNamed = ({ userName }: ResetPassword, user: { username: string }): boolean =>
  userName === undefined || userName.toLowerCase() === user.username.toLowerCase()

/**
 * Sets a new password when the code proves the contact of an enabled account. An unknown contact runs the same
 * statements and gets the same error as a wrong code.
 */
export const resetPassword = async (deps: AuthDeps, reset: ResetPassword, origin: RequestInfo): Promise<true> => {
  const { db, wait } = deps
  const { contact, code } = provenContact(reset)
  checkConfirmation(ResetPassword, reset.password, reset.confirmPassword)
  await checkChannel(db, contact)
  checkNewPassword(reset.password, contact.value)
  const visitor = { username: `reset ${contact.value}`, ip: origin.ip, browser: undefined }
  const admission = await admitAttempt(db, visitor)
  if (!admission.allowed) throw new BusinessError(codes.slowDown, { seconds: admission.seconds })
  if (admission.waitSec > 0) await wait(admission.waitSec)
  const right = await consumeCode(deps, { contact, scene: 'RESET' }, code)
  const user = await findUserByContact(db, contact)
  if (!right || !user?.enabled || !isNamed(reset, user)) throw new BusinessError(codes.codeWrong)
  checkNewPassword(reset.password, user.username)
  const passwordHash = await hashPassword(reset.password)
  return runEdit(db, { userId: user.id }, async (trx) => {
    await admission.success(trx)
    await resetOwnPassword(trx, user, { passwordHash, action: 'system:user:forgotten-password', origin })
    return true as const
  })
}
