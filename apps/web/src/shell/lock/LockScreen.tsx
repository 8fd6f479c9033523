import { LockOutlined } from '@ant-design/icons'
import { zone } from '@tocsin/contract/time-zone'
import { codes } from '@tocsin/contract/codes'
import { Button, Flex, Form, Input } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/error.ts'
import { useLive } from '#api/live.ts'
import { useLock } from '#api/lock.ts'
import { inlineErrorText } from '#api/error-display.ts'
import { useServerClock } from '#api/server-clock.ts'
import { useSession } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { useNow, useServerTime } from '#ui/RelativeTime.tsx'
import { formatTime } from '#ui/time.ts'
import { Avatar } from '#ui/upload/Avatar.tsx'
import { signOut } from '../sign-out.ts'
import { unlockSession } from './lock.ts'
import './lock.css'

const Clock = () => {
  const lang = useLang()
  const now = useServerTime()
  const locale = lang === 'en' ? 'en-GB' : 'zh-CN'
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: zone.name }).format(now)
  return (
    <div className="lock-time">
      <time className="lock-clock">{formatTime(now).slice(0, 5)}</time>
      <div className="lock-date">{date}</div>
    </div>
  )
}

/** Numbers only: details are for the user who unlocks. */
const Alarms = ({ bell }: { bell: ReactNode }) => {
  const { t } = useTranslation()
  const open = useLive((status) => status.open) ?? 0
  const due = useLive((status) => status.due) ?? 0
  const now = useNow()
  const { live, since } = useLive()
  const offset = useServerClock((clock) => clock.offset)
  return (
    <div className="lock-alarms" aria-live="assertive">
      {open > 0 && <p data-due={due > 0}>{due > 0 ? t('lock.due', { n: due, open }) : t('lock.open', { n: open })}</p>}
      {!live && now - since > 3000 && (
        <p className="lock-deaf">{t('shell.notLiveSince', { time: formatTime(since + offset) })}</p>
      )}
      {bell}
    </div>
  )
}

const Who = () => {
  const { t } = useTranslation()
  const user = useSession((session) => session.user)
  const item = useLock((lock) => lock.who)
  return (
    <Flex vertical align="center" gap="small">
      <Avatar url={user?.avatar} size={72} name={user?.nickname} id={user?.id} />
      <h1 className="lock-name">{user?.nickname ?? item ?? t('lock.locked')}</h1>
    </Flex>
  )
}

const Unlock = ({ onBack }: { onBack: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<{ password: string }>()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const submit = async ({ password }: { password: string }) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await unlockSession(password)
    } catch (error) {
      setRefusal(error)
      setBusy(false)
      // The input is useless now, unless the server never received it.
      if (error instanceof ApiError && error.code === codes.lockPassword.code) form.resetFields()
      form.focusField('password')
    }
  }
  return (
    <Form
      form={form}
      className="lock-form"
      onFinish={(values) => void submit(values)}
      onFinishFailed={() => setRefusal(undefined)}
      onKeyDown={(event) => event.key === 'Escape' && onBack()}
    >
      <Form.Item
        name="password"
        rules={[{ required: true, message: t('lock.missing') }]}
        {...(refusal !== undefined && { validateStatus: 'error', help: inlineErrorText(refusal, lang) })}
      >
        <Input.Password
          autoFocus
          size="large"
          prefix={<LockOutlined />}
          aria-label={t('lock.password')}
          placeholder={t('lock.password')}
          autoComplete="current-password"
          maxLength={200}
        />
      </Form.Item>
      <Button block type="primary" size="large" htmlType="submit" loading={busy}>
        {t('lock.enter')}
      </Button>
      <Flex justify="space-between" style={{ marginBlockStart: 12 }}>
        <Button type="text" onClick={onBack}>
          {t('lock.back')}
        </Button>
        <Button type="text" onClick={() => void signOut()}>
          {t('shell.toSignIn')}
        </Button>
      </Flex>
    </Form>
  )
}

/**
 * Replaces the application while the session is locked.
 * @param bell component that plays the alarm sound.
 */
export const LockScreen = ({ bell }: { bell: ReactNode }) => {
  const { t } = useTranslation()
  const [entering, setEntering] = useState(false)
  useEffect(() => {
    const before = document.title
    document.title = t('lock.pageTitle')
    return () => {
      document.title = before
    }
  }, [t])
  return (
    <main className="lock-screen">
      <Clock />
      <Alarms bell={bell} />
      <div className="lock-who">
        <Who />
        {entering ? (
          <Unlock onBack={() => setEntering(false)} />
        ) : (
          <Button ghost autoFocus size="large" icon={<LockOutlined />} onClick={() => setEntering(true)}>
            {t('lock.unlock')}
          </Button>
        )}
      </div>
    </main>
  )
}
