import { useEffect, useState } from 'react'
import { type Answer, call } from '../call.ts'
import type { Texts } from '../text/texts.ts'

/** What a code is wanted for. */
export type Scene = 'LOGIN' | 'REGISTER' | 'RESET'

/** The server sends to one address again only after this. */
const AGAIN_MS = 60_000

export const contactTypeOf = (contact: string) => (contact.includes('@') ? 'EMAIL' : 'MOBILE')

const isMobile = (text: string) => /^1[3-9]\d{9}$/.test(text)
const isMail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text)

/** What is wrong with a number, undefined when nothing. */
export const mobileComplaint = (mobile: string, t: Texts) => {
  if (mobile.trim() === '') return t.mobileMissing
  return isMobile(mobile.trim()) ? undefined : t.mobileWrong
}

export const mailComplaint = (mail: string, t: Texts) => {
  if (mail.trim() === '') return t.mailMissing
  return isMail(mail.trim()) ? undefined : t.mailWrong
}

/** The same of what may be either. */
export const contactComplaint = (contact: string, t: Texts) => {
  if (contact.trim() === '') return t.contactMissing
  return contactTypeOf(contact) === 'EMAIL' ? mailComplaint(contact, t) : mobileComplaint(contact, t)
}

export const codeComplaint = (code: string, t: Texts) => {
  if (code.trim() === '') return t.codeMissing
  return /^\d{6}$/.test(code.trim()) ? undefined : t.codeWrong
}

export type CodeWanted = { contact: string; scene: Scene; captchaKey: string; captchaCode: string }

export const askCode = ({ contact, scene, captchaKey, captchaCode }: CodeWanted): Promise<Answer<true>> =>
  call({
    method: 'POST',
    path: 'system/auth/send-sms-code',
    body: { contact, contactType: contactTypeOf(contact), scene, captchaKey, captchaCode },
    decode: () => true as const,
  })

/** Whole seconds until another code may be asked for; 0 when it may. */
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
