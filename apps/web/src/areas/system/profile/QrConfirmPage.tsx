import { type QrPlace, qrCalls } from '@tocsin/contract/system/sign-in/qr'
import { useMutation } from '@tanstack/react-query'
import { Button, Descriptions, Flex, Result, Skeleton } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { call } from '#api/call.ts'
import type { ApiError } from '#api/error.ts'
import { errorText } from '#api/present.ts'
import { useSession } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { browserOf } from '../log/browser.ts'
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
        <h1>{t('profile.qrTitle')}</h1>
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

/** Opened on a phone by the QR code of another browser: where that browser is, and whether it may sign in as me. */
export const QrConfirmPage = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const [params, setParams] = useSearchParams()
  const ticket = params.get('ticket') ?? ''
  const refused = params.has('refused')
  const input = { body: { ticket } }
  const scan = useMutation<QrPlace, ApiError>({ mutationFn: () => call(qrCalls.scan, input) })
  const confirm = useMutation<true, ApiError>({ mutationFn: () => call(qrCalls.confirm, input) })
  const begin = useEffectEvent(() => {
    if (!refused) scan.mutate()
  })
  useEffect(() => begin(), [ticket])
  const error = scan.error ?? confirm.error
  if (refused) return <Over status="info" text={t('profile.qrRefused')} />
  if (error) return <Over status="warning" text={errorText(error, lang)} />
  if (confirm.isSuccess) return <Over status="success" text={t('profile.qrAgreed')} />
  if (!scan.data) return <Skeleton active />
  return (
    <Ask
      place={scan.data}
      busy={confirm.isPending}
      onAgree={() => confirm.mutate()}
      onRefuse={() => setParams({ ticket, refused: '' }, { replace: true })}
    />
  )
}
