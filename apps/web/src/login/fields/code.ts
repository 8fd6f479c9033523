import { useEffect, useState } from 'react'
import { type CallResult, call } from '../call.ts'
import type { Texts } from '../text/texts.ts'

/** The purpose of a code. */
export type CodeScene = 'LOGIN' | 'REGISTER' | 'RESET'

/** The server sends a further code to the same contact only after this time. */
const AGAIN_MS = 60_000

export const contactTypeOf = (contact: string) => (contact.includes('@') ? 'EMAIL' : 'MOBILE')

const isMobile = (text: string) => /^1[3-9]\d{9}$/.test(text)
const isMail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text)

/** The error of a number, undefined when it is valid. */
export const validateMobile = (mobile: string, t: Texts) => {
  if (mobile.trim() === '') return t.mobileMissing
  return isMobile(mobile.trim()) ? undefined : t.mobileWrong
}

export const validateMail = (mail: string, t: Texts) => {
  if (mail.trim() === '') return t.mailMissing
  return isMail(mail.trim()) ? undefined : t.mailWrong
}

/** The same for a number or an address. */
export const validateContact = (contact: string, t: Texts) => {
  if (contact.trim() === '') return t.contactMissing
  return contactTypeOf(contact) === 'EMAIL' ? validateMail(contact, t) : validateMobile(contact, t)
}

export const validateCode = (code: string, t: Texts) => {
  if (code.trim() === '') return t.codeMissing
  return /^\d{6}$/.test(code.trim()) ? undefined : t.codeWrong
}

export type CodeRequest = { contact: string; scene: CodeScene; captchaKey: string; captchaCode: string }

export const requestCode = ({ contact, scene, captchaKey, captchaCode }: CodeRequest): Promise<CallResult<true>> =>
  call({
    method: 'POST',
    path: 'system/auth/send-sms-code',
    body: { contact, contactType: contactTypeOf(contact), scene, captchaKey, captchaCode },
    decode: () => true as const,
  })

/** Whole seconds until another code may be requested; 0 when it may. */
export const useCountdown = () => {
  const [until, setUntil] = useState(0)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const look = () => setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1000)))
    look()
    if (until <= performance.now()) return
    const timer = setInterval(look, 250)
    return () => clearInterval(timer)
  }, [until])
  return { left, start: (ms = AGAIN_MS) => setUntil(performance.now() + ms) }
}
