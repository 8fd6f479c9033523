import { codeText, phoneText } from '../text-fields.ts'

const domain = String.raw`@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}`
const name = String.raw`[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*`

/** A mobile number of mainland China. */
export const Mobile = phoneText()
  .max(11)
  .regex(/^1[3-9]\d{9}$/)
export const Email = codeText()
  .max(50)
  .regex(new RegExp(`^${name}${domain}$`))

/** A change may send back the displayed mask; it stands for the stored value (DESIGN 5). */
export const MobileOrMask = phoneText()
  .max(11)
  .regex(/^1[3-9]\d(?:\d{4}|\*{4})\d{4}$/)
export const EmailOrMask = codeText()
  .max(50)
  .regex(new RegExp(String.raw`^(?:${name}|.\*{3})${domain}$`))

export const maskMobile = (mobile: string): string => `${mobile.slice(0, 3)}****${mobile.slice(7)}`
/** A mobile number is masked like those of users; a shorter one, which a whole building may share, keeps its end. */
export const maskPhone = (phone: string): string =>
  phone.length >= 11 ? `${phone.slice(0, 3)}****${phone.slice(-4)}` : `****${phone.slice(-2)}`
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/, '$1***')
