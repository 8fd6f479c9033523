import { type QrPlace, qrCalls } from '@tocsin/contract/access/sign-in/qr'
import { Button, Descriptions, Flex, Result, Skeleton } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { call } from '#api/call.ts'
import { ApiError } from '#api/error.ts'
import { inlineErrorText } from '#api/error-display.ts'
import { useSession } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { browserOf } from '@tocsin/contract/audit/user-agent'
import './profile.css'

const Over = ({ status, text }: { status: 'success' | 'warning' | 'info'; text: string }) => {
  const { t } = useTranslation()
  return (
    <Result
      status={status}
      title={text}
      extra={
        <Link to="/">
          <Button>{t('shell.home')}</Button>
        </Link>
      }
    />
  )
}

type AskProps = { place: QrPlace; busy: boolean; onAgree: () => void; onRefuse: () => void }

const Ask = ({ place, busy, onAgree, onRefuse }: AskProps) => {
  const { t } = useTranslation()
  const user = useSession((session) => session.user)
  return (
    <Flex vertical gap="large" className="qr-confirm">
      <div>
        <h2>{t('profile.qrTitle')}</h2>
        <p>{t('profile.qrAsk', { name: user?.nickname ?? '' })}</p>
      </div>
      <Descriptions
        bordered
        column={1}
        size="small"
        items={[
          { key: 'browser', label: t('profile.qrBrowser'), children: browserOf(place.userAgent) },
          { key: 'ip', label: t('profile.qrIp'), children: place.ip },
        ]}
      />
      <p>{t('profile.qrWarning')}</p>
      <Flex vertical gap="small">
        <Button block type="primary" size="large" loading={busy} onClick={onAgree}>
          {t('profile.qrAgree')}
        </Button>
        <Button block size="large" disabled={busy} onClick={onRefuse}>
          {t('profile.qrRefuse')}
        </Button>
      </Flex>
    </Flex>
  )
}

/** The state of a ticket; an error is shown in place of the question, and only there. */
const useTicket = (ticket: string) => {
  const [place, setPlace] = useState<QrPlace>()
  const [state, setState] = useState<'asked' | 'agreeing' | 'agreed'>('asked')
  const [error, setError] = useState<unknown>()
  const input = { body: { ticket } }
  const scan = () => call(qrCalls.scan, input).then(setPlace, setError)
  const confirm = () => {
    setState('agreeing')
    return call(qrCalls.confirm, input).then(() => setState('agreed'), setError)
  }
  return { place, state, error, scan, confirm }
}

/**
 * Opened on a phone by the QR code of another browser: shows where that browser is, and asks whether it may sign in.
 */
export const QrConfirmPage = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const [params, setParams] = useSearchParams()
  const ticket = params.get('ticket') ?? ''
  const refused = params.has('refused')
  const { place, state, error, scan, confirm } = useTicket(ticket)
  const unreadable = error instanceof ApiError && error.errors.some(({ field }) => field === 'ticket')
  const begin = useEffectEvent(() => {
    if (!refused) void scan()
  })
  useEffect(() => begin(), [ticket])
  if (refused) return <Over status="info" text={t('profile.qrRefused')} />
  if (error !== undefined)
    return <Over status="warning" text={unreadable ? t('profile.qrBad') : inlineErrorText(error, lang)} />
  if (state === 'agreed') return <Over status="success" text={t('profile.qrAgreed')} />
  if (!place) return <Skeleton active />
  return (
    <Ask
      place={place}
      busy={state === 'agreeing'}
      onAgree={() => void confirm()}
      onRefuse={() => setParams({ ticket, refused: '' }, { replace: true })}
    />
  )
}
