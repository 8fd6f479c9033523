import { codes } from '@tocsin/contract/codes'
import { CodeRequest, type SmsLogin } from '@tocsin/contract/access/sign-in/contact'
import { maskMobile } from '@tocsin/contract/access/user-contact'
import { BusinessError } from '#http/business-error'
import type { RequestInfo } from '#http/route'
import { checkCaptcha } from '../captcha.ts'
import type { AuthDeps } from '../deps.ts'
import { attemptSignIn, type SignInResult } from '../complete-sign-in.ts'
import { fieldError } from '#areas/audit/edit-transaction'
import { isRegistrationOpen } from '#areas/settings/registration-switch'
import { sendCode, consumeCode } from './code.ts'
import { checkChannel, normalizeContact, findUserByContact } from './contact.ts'

/** Sends a code after a captcha was answered. */
export const requestCode = async (deps: AuthDeps, request: CodeRequest, origin: RequestInfo): Promise<true> => {
  const { db, keys } = deps
  const contact = normalizeContact(request.contactType, request.contact)
  if (request.scene === 'LOGIN' && contact.type !== 'MOBILE') throw fieldError(CodeRequest, 'contactType', 'choice')
  if (request.scene === 'REGISTER' && !(await isRegistrationOpen(db))) throw new BusinessError(codes.registerOff)
  await checkChannel(db, contact)
  await checkCaptcha(db, keys.captcha, request.captchaKey, request.captchaCode)
  await sendCode(deps, { contact, scene: request.scene }, { actor: null, origin })
  return true
}

export type SignInSource = { origin: RequestInfo; cookie: string | undefined }

/** Only an enabled user receives a code, so that a wrong code and an unknown number get the same error. */
export const smsLogin = (deps: AuthDeps, { mobile, code }: SmsLogin, from: SignInSource): Promise<SignInResult> => {
  const contact = normalizeContact('MOBILE', mobile)
  const given = { name: `mobile ${mobile}`, shown: maskMobile(mobile), method: 'SMS' as const, ...from }
  return attemptSignIn(deps, { ...given, refusal: codes.codeWrong }, async () => {
    const right = await consumeCode(deps, { contact, scene: 'LOGIN' }, code)
    // Queried in both cases, so that both take the same time.
    const user = await findUserByContact(deps.db, contact)
    if (right && user) return { user }
    return { result: 'BAD_CODE', ...(user && { person: user }) }
  })
}
