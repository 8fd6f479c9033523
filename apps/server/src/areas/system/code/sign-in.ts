import { codes } from '@tocsin/contract/codes'
import { CodeRequest, type SmsLogin } from '@tocsin/contract/system/sign-in/contact'
import { maskMobile } from '@tocsin/contract/system/user-contact'
import { Refusal } from '#http/refusal'
import type { Origin } from '#http/route'
import { checkCaptcha } from '../auth/captcha.ts'
import type { AuthDeps } from '../auth/deps.ts'
import { attempt, type Entered } from '../auth/enter.ts'
import { badField } from '../edit.ts'
import { registrationOpen } from '../register/open.ts'
import { sendCode, takeCode } from './code.ts'
import { checkChannel, contactOf, userOf } from './contact.ts'

/** Sends a code to whoever asks for it, once he answered a picture. */
export const requestCode = async (deps: AuthDeps, request: CodeRequest, origin: Origin): Promise<true> => {
  const { db, keys } = deps
  const contact = contactOf(request.contactType, request.contact)
  if (request.scene === 'LOGIN' && contact.type !== 'MOBILE') throw badField(CodeRequest, 'contactType', 'choice')
  if (request.scene === 'REGISTER' && !(await registrationOpen(db))) throw new Refusal(codes.registerOff)
  await checkChannel(db, contact)
  await checkCaptcha(db, keys.captcha, request.captchaKey, request.captchaCode)
  await sendCode(deps, { contact, scene: request.scene }, { actor: null, origin })
  return true
}

export type From = { origin: Origin; cookie: string | undefined }

/** A code only ever reaches an enabled user, so a wrong one and a number of nobody are one answer. */
export const smsLogin = (deps: AuthDeps, { mobile, code }: SmsLogin, from: From): Promise<Entered> => {
  const contact = contactOf('MOBILE', mobile)
  const given = { name: `mobile ${mobile}`, shown: maskMobile(mobile), method: 'SMS' as const, ...from }
  return attempt(deps, { ...given, refusal: codes.codeWrong }, async () => {
    const right = await takeCode(deps, { contact, scene: 'LOGIN' }, code)
    // Asked for either way, so that both take the same time.
    const user = await userOf(deps.db, contact)
    if (right && user) return { user }
    return { result: 'BAD_CODE', ...(user && { person: user }) }
  })
}
