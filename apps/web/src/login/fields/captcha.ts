import { useEffect, useRef, useState } from 'react'
import { call, type Failure, isRecord } from '../call.ts'

type Picture = { key: string; image: string }
type Settled = { state: 'failed'; failure: Failure } | (Picture & { state: 'ready'; loadedAt: number })
export type Captcha = { state: 'loading' } | Settled

/** The server forgets a captcha after 120 s; one of this age is replaced before the user reads it in vain. */
const staleMs = 110_000

const decodePicture = (data: unknown): Picture | undefined => {
  if (!isRecord(data) || typeof data.captchaKey !== 'string' || typeof data.captchaBase64 !== 'string') return undefined
  return data.captchaBase64.startsWith('data:image/') ? { key: data.captchaKey, image: data.captchaBase64 } : undefined
}

export const isStale = (captcha: Captcha, now: number) =>
  captcha.state === 'failed' || (captcha.state === 'ready' && now - captcha.loadedAt > staleMs)

const askPicture = async (): Promise<Settled> => {
  const answer = await call({ path: 'api/v1/auth/captcha', decode: decodePicture })
  if (!answer.ok) return { state: 'failed', failure: answer.failure }
  return { state: 'ready', ...answer.data, loadedAt: performance.now() }
}

export const useCaptcha = () => {
  const [captcha, setCaptcha] = useState<Captcha>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  const ref = useRef<Promise<Settled>>(undefined)
  useEffect(() => {
    // Only the last requested captcha counts, in whatever order the answers arrive.
    let latest = true
    const mine = askPicture()
    ref.current = mine
    void mine.then((settled) => {
      if (latest) setCaptcha(settled)
    })
    return () => {
      latest = false
    }
  }, [turn])
  const refresh = () => {
    setCaptcha({ state: 'loading' })
    setTurn((before) => before + 1)
  }
  /** The captcha that is loading or loaded: a user who presses too early waits for it. */
  const settled = async (): Promise<Settled> => (await ref.current) ?? askPicture()
  return { captcha, refresh, settled }
}
