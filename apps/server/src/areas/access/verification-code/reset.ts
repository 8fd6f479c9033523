import { codes } from '@tocsin/contract/codes'
import type { ResetPassword } from '@tocsin/contract/access/sign-in/contact'
import { BusinessError } from '#http/business-error'
import type { RequestInfo } from '#http/route'
import type { AuthDeps } from '../sign-in/deps.ts'
import { admitAttempt } from '../sign-in/login-throttle.ts'
import { resetOwnPassword } from '../sign-in/own-password.ts'
import { checkNewPassword, hashPassword } from '../sign-in/password.ts'
import { runEdit } from '#areas/audit/edit-transaction'
import { consumeCode } from './code.ts'
import { checkChannel, normalizeContact, findUserByContact } from './contact.ts'

/**
 * A new password for whoever proves the contact of an enabled account. A contact of nobody goes the same way to the
 * same answer as a wrong code.
 */
export const resetPassword = async (deps: AuthDeps, reset: ResetPassword, origin: RequestInfo): Promise<true> => {
  const { db, wait } = deps
  const contact = normalizeContact(reset.contactType, reset.contact)
  await checkChannel(db, contact)
  checkNewPassword(reset.password, contact.value)
  const visitor = { username: `reset ${contact.value}`, ip: origin.ip, browser: undefined }
  const admission = await admitAttempt(db, visitor)
  if (!admission.allowed) throw new BusinessError(codes.slowDown, { seconds: admission.seconds })
  if (admission.waitSec > 0) await wait(admission.waitSec)
  const right = await consumeCode(deps, { contact, scene: 'RESET' }, reset.code)
  const user = await findUserByContact(db, contact)
  if (!right || !user?.enabled) throw new BusinessError(codes.codeWrong)
  checkNewPassword(reset.password, user.username)
  const passwordHash = await hashPassword(reset.password)
  return runEdit(db, { userId: user.id }, async (trx) => {
    await admission.success(trx)
    await resetOwnPassword(trx, user, { passwordHash, action: 'system:user:forgotten-password', origin })
    return true as const
  })
}
