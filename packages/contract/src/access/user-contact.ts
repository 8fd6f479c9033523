import { z } from 'zod'

const domain = String.raw`@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}`
const name = String.raw`[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*`

/** A mobile number of mainland China. */
export const Mobile = z
  .string()
  .max(11)
  .regex(/^1[3-9]\d{9}$/)
export const Email = z
  .string()
  .max(50)
  .regex(new RegExp(`^${name}${domain}$`))

/** In changes the mask that was shown may come back; it stands for what is stored (DESIGN 5). */
export const MobileOrMask = z
  .string()
  .max(11)
  .regex(/^1[3-9]\d(?:\d{4}|\*{4})\d{4}$/)
export const EmailOrMask = z
  .string()
  .max(50)
  .regex(new RegExp(String.raw`^(?:${name}|.\*{3})${domain}$`))

export const maskMobile = (mobile: string): string => `${mobile.slice(0, 3)}****${mobile.slice(7)}`
/** Of a mobile number what the masks of users leave; of a shorter one, which a whole house may share, its end. */
export const maskPhone = (phone: string): string =>
  phone.length >= 11 ? `${phone.slice(0, 3)}****${phone.slice(-4)}` : `****${phone.slice(-2)}`
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/, '$1***')
