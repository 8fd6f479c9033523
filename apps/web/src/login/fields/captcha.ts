import { useEffect, useState } from 'react'
import { call, type Failure, isRecord } from '../call.ts'

type Picture = { key: string; image: string }
export type Captcha =
  | { state: 'loading' }
  | { state: 'failed'; failure: Failure }
  | (Picture & { state: 'ready'; loadedAt: number })

/** The server forgets a picture after 120 s; one this old is replaced before somebody reads it in vain. */
const staleMs = 110_000

const decodePicture = (data: unknown): Picture | undefined => {
  if (!isRecord(data) || typeof data.captchaKey !== 'string' || typeof data.captchaBase64 !== 'string') return undefined
  return data.captchaBase64.startsWith('data:image/') ? { key: data.captchaKey, image: data.captchaBase64 } : undefined
}

export const isStale = (captcha: Captcha, now: number) =>
  captcha.state === 'failed' || (captcha.state === 'ready' && now - captcha.loadedAt > staleMs)

export const useCaptcha = () => {
  const [captcha, setCaptcha] = useState<Captcha>({ state: 'loading' })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    // Only the last picture asked for counts, whatever order the answers come in.
    let latest = true
    void call({ path: 'api/v1/auth/captcha', decode: decodePicture }).then((answer) => {
      if (!latest) return
      if (answer.ok) setCaptcha({ state: 'ready', ...answer.data, loadedAt: performance.now() })
      else setCaptcha({ state: 'failed', failure: answer.failure })
    })
    return () => {
      latest = false
    }
  }, [turn])
  const refresh = () => {
    setCaptcha({ state: 'loading' })
    setTurn((before) => before + 1)
  }
  return { captcha, refresh }
}
