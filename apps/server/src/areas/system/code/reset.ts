import { codes } from '@tocsin/contract/codes'
import type { ResetPassword } from '@tocsin/contract/system/sign-in/contact'
import { Refusal } from '#http/refusal'
import type { Origin } from '#http/route'
import type { AuthDeps } from '../auth/deps.ts'
import { admit } from '../auth/guard.ts'
import { setOwnPassword } from '../auth/own-password.ts'
import { checkNewPassword, hashPassword } from '../auth/password.ts'
import { committed } from '../edit.ts'
import { takeCode } from './code.ts'
import { checkChannel, contactOf, userOf } from './contact.ts'

/**
 * A new password for whoever proves the contact of an enabled account. A contact of nobody goes the same way to the
 * same answer as a wrong code.
 */
export const resetPassword = async (deps: AuthDeps, reset: ResetPassword, origin: Origin): Promise<true> => {
  const { db, wait } = deps
  const contact = contactOf(reset.contactType, reset.contact)
  await checkChannel(db, contact)
  checkNewPassword(reset.password, contact.value)
  const visitor = { username: `reset ${contact.value}`, ip: origin.ip, browser: undefined }
  const admission = await admit(db, visitor)
  if (!admission.allowed) throw new Refusal(codes.slowDown, { seconds: admission.seconds })
  if (admission.waitSec > 0) await wait(admission.waitSec)
  const right = await takeCode(deps, { contact, scene: 'RESET' }, reset.code)
  const user = await userOf(db, contact)
  if (!right || !user?.enabled) throw new Refusal(codes.codeWrong)
  checkNewPassword(reset.password, user.username)
  const passwordHash = await hashPassword(reset.password)
  return committed(db, { userId: user.id }, async (trx) => {
    await admission.success(trx)
    await setOwnPassword(trx, user, { passwordHash, action: 'system:user:forgotten-password', origin })
    return true as const
  })
}
