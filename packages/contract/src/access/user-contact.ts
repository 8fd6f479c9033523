import { codeText, phoneText } from '../text-fields.ts'
import { pattern } from '../field.ts'

const domain = String.raw`@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}`
const name = String.raw`[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*`

/** The name by which a user signs in. */
export const Username = codeText().regex(
  pattern(
    /^[A-Za-z0-9._-]{2,30}$/,
    '2 至 30 个字母、数字、.、- 或 _，例如 zhang.san',
    '2 to 30 letters, digits, dots, - or _, such as zhang.san',
  ),
)

/** A mobile number of mainland China. */
export const Mobile = phoneText()
  .max(11)
  .regex(pattern(/^1[3-9]\d{9}$/, '11 位手机号，例如 13800138000', 'a mobile number of 11 digits, such as 13800138000'))
export const Email = codeText()
  .max(50)
  .regex(
    pattern(
      new RegExp(`^${name}${domain}$`),
      '邮箱地址，例如 zhang@example.com',
      'an e-mail address such as zhang@example.com',
    ),
  )

/** A change may send back the displayed mask; it stands for the stored value (DESIGN 5). */
export const MobileOrMask = phoneText()
  .max(11)
  .regex(
    pattern(
      /^1[3-9]\d(?:\d{4}|\*{4})\d{4}$/,
      '11 位手机号，例如 13800138000',
      'a mobile number of 11 digits, such as 13800138000',
    ),
  )
export const EmailOrMask = codeText()
  .max(50)
  .regex(
    pattern(
      new RegExp(String.raw`^(?:${name}|.\*{3})${domain}$`),
      '邮箱地址，例如 zhang@example.com',
      'an e-mail address such as zhang@example.com',
    ),
  )

export const maskMobile = (mobile: string): string => `${mobile.slice(0, 3)}****${mobile.slice(7)}`
/** A mobile number is masked like those of users; a shorter one, which a whole building may share, keeps its end. */
export const maskPhone = (phone: string): string =>
  phone.length >= 11 ? `${phone.slice(0, 3)}****${phone.slice(-4)}` : `****${phone.slice(-2)}`
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/, '$1***')
