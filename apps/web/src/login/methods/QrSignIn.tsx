import { useEffect, useEffectEvent, useState } from 'react'
import { type CallResult, call, type Failure, isRecord, showFailure } from '../call.ts'
import { decodeSession, type Session } from '../session.ts'
import { useLanguage } from '../text/language.tsx'
import type { ContinueSignIn } from '../forms/continue-sign-in.ts'
import { BackTo } from '../forms/SubmitForm.tsx'

// The QR code encoder is a tenth of this page, and few users need it. It may fail to load.
const loadPicture = () =>
  import('./QrPicture.tsx').then(
    ({ QrPicture }) => QrPicture,
    () => undefined,
  )
type Picture = Awaited<ReturnType<typeof loadPicture>>

type Ticket = { ticket: string; verifier: string }
type State = { state: string; session: Session | undefined }
type DisplayedQr = 'making' | 'waiting' | 'scanned' | 'expired' | 'failed'

const POLL_MS = 1500

const decodeTicket = (data: unknown): Ticket | undefined =>
  isRecord(data) && typeof data.ticket === 'string' && typeof data.verifier === 'string'
    ? { ticket: data.ticket, verifier: data.verifier }
    : undefined

const decodeState = (data: unknown): State | undefined =>
  isRecord(data) && typeof data.state === 'string'
    ? { state: data.state, session: decodeSession(data.signedIn) }
    : undefined

const askTicket = () => call({ method: 'POST', path: 'system/auth/qr-ticket', decode: decodeTicket })
const askState = ({ ticket, verifier }: Ticket) =>
  call({ path: 'system/auth/qr-state', query: { ticket, verifier }, decode: decodeState })

const shownBy: Partial<Record<string, DisplayedQr>> = { WAITING: 'waiting', SCANNED: 'scanned' }

/** Polls the ticket until it has a result; an unreachable server is asked again. */
const usePolling = (ticket: Ticket | undefined, value: (answer: CallResult<State>) => boolean) => {
  const hear = useEffectEvent(value)
  useEffect(() => {
    if (!ticket) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const turn = async () => {
      const answer = await askState(ticket)
      if (over) return
      if (hear(answer)) timer = setTimeout(() => void turn(), POLL_MS)
    }
    timer = setTimeout(() => void turn(), POLL_MS)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [ticket])
}

const useTicket = (enter: ContinueSignIn) => {
  const [ticket, setTicket] = useState<Ticket>()
  const [Picture, setPicture] = useState<Picture>()
  const [shown, setShown] = useState<DisplayedQr>('making')
  const [failure, setFailure] = useState<Failure>()
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let latest = true
    void Promise.all([askTicket(), loadPicture()]).then(([answer, picture]) => {
      if (!latest) return
      if (answer.ok && picture) {
        setPicture(() => picture)
        setTicket(answer.data)
        return setShown('waiting')
      }
      setFailure(answer.ok ? { reason: 'offline' } : answer.failure)
      setShown('failed')
    })
    return () => {
      latest = false
    }
  }, [turn])
  usePolling(ticket, (answer) => {
    if (!answer.ok) {
      // Refused permanently, such as an unknown ticket; other errors are temporary.
      const gone = answer.failure.reason === 'refused' && answer.failure.status === 200
      const failed = enter({ ok: false, failure: answer.failure })
      if (gone && failed) setShown('expired')
      return !gone
    }
    const { state, session } = answer.data
    if (session) {
      setFailure(enter({ ok: true, data: session }))
      return false
    }
    setShown(shownBy[state] ?? 'expired')
    return shownBy[state] !== undefined
  })
  const again = () => {
    setTicket(undefined)
    setFailure(undefined)
    setShown('making')
    setTurn((before) => before + 1)
  }
  return { ticket, Picture, shown, failure, again }
}

/** A phone that is signed in already signs this browser in. */
export const QrSignIn = ({ enter }: { enter: ContinueSignIn }) => {
  const { t, language } = useLanguage()
  const { ticket, Picture, shown, failure, again } = useTicket(enter)
  const words = { making: t.qrMaking, waiting: '', scanned: t.qrScanned, expired: t.qrExpired, failed: t.qrFailed }
  const over = shown === 'expired' || shown === 'failed'
  return (
    <>
      <p className="lead">{t.qrLead}</p>
      <div className="qr" data-shown={shown}>
        {ticket && Picture && (
          <Picture
            text={`${location.origin}/qr-confirm?${new URLSearchParams({ ticket: ticket.ticket })}`}
            alt={t.qrAlt}
          />
        )}
        <div className="qr-words" role="status">
          {words[shown] && <p>{words[shown]}</p>}
          {over && (
            <button type="button" className="get-code" autoFocus onClick={again}>
              {t.qrAgain}
            </button>
          )}
        </div>
      </div>
      <div role="alert" className="alert">
        {failure && <p>{showFailure(failure, language)}</p>}
      </div>
      <ol className="steps">
        {t.qrSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <BackTo />
    </>
  )
}
