import { type FormEvent, useState } from 'react'
import { call, type Failure, showFailure } from './call.ts'
import { CaptchaField } from './fields/CaptchaField.tsx'
import { useCaptcha } from './fields/captcha.ts'
import { type Complaints, useDraft } from './fields/draft.ts'
import { PasswordField } from './fields/PasswordField.tsx'
import { TextField } from './fields/TextField.tsx'
import { icons } from './icons.tsx'
import { decodeSession, type Session } from './session.ts'
import { store, stored } from './storage.ts'
import { useLanguage } from './text/language.tsx'

type Name = 'username' | 'password' | 'captchaCode'
type Draft = Record<Name, string>

/** [spec 5] */
const complaints: Complaints<Name> = {
  username: ({ username }, t) => (username.trim() === '' ? t.usernameMissing : undefined),
  password: ({ password }, t) => {
    if (password === '') return t.passwordMissing
    return password.length < 6 ? t.passwordShort : undefined
  },
  captchaCode: ({ captchaCode }, t) => (captchaCode.trim() === '' ? t.captchaMissing : undefined),
}

const submitSignIn = (draft: Draft, captchaKey: string) => {
  const body = new FormData()
  body.set('username', draft.username.trim())
  body.set('password', draft.password)
  body.set('captchaKey', captchaKey)
  body.set('captchaCode', draft.captchaCode.trim())
  return call({ method: 'POST', path: 'api/v1/auth/login', body, decode: decodeSession })
}

type SignInProps = {
  /** Returns the failure when the browser refuses to keep the session. */
  onSignedIn: (session: Session, draft: { username: string; password: string }) => Failure | undefined
}

export const SignIn = ({ onSignedIn }: SignInProps) => {
  const { t, language } = useLanguage()
  const [remembered] = useState(() => stored('rememberMe') ?? '')
  const [remember, setRemember] = useState(remembered !== '')
  const form = useDraft({ username: remembered, password: '', captchaCode: '' }, complaints)
  const { captcha, refresh } = useCaptcha()
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)

  const fail = (failed: Failure) => {
    setFailure(form.blame(failed.errors) ? undefined : failed)
    form.change('captchaCode', '')
    refresh()
    form.focus('captchaCode')
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !form.complete()) return
    if (captcha.state === 'failed') return fail(captcha.failure)
    if (captcha.state === 'loading') return
    setBusy(true)
    setFailure(undefined)
    const answer = await submitSignIn(form.draft, captcha.key)
    setBusy(false)
    if (answer.ok) store('rememberMe', remember ? form.draft.username.trim() : null)
    const failed = answer.ok ? onSignedIn(answer.data, form.draft) : answer.failure
    if (failed) fail(failed)
  }

  return (
    <form onSubmit={submit} noValidate aria-label={t.signIn}>
      <TextField
        {...form.field('username')}
        label={t.username}
        icon={icons.person}
        autoComplete="username"
        maxLength={64}
        autoFocus={remembered === ''}
      />
      <PasswordField
        {...form.field('password')}
        label={t.password}
        autoComplete="current-password"
        autoFocus={remembered !== ''}
      />
      <CaptchaField {...form.field('captchaCode')} captcha={captcha} refresh={refresh} />
      <div className="between">
        <label className="check">
          <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
          {t.rememberMe}
        </label>
        <a href="#forgot">{t.forgot}</a>
      </div>
      <div role="alert" className="alert">
        {failure && <p>{showFailure(failure, language)}</p>}
      </div>
      <button type="submit" className="primary" aria-busy={busy} aria-disabled={busy}>
        {busy ? t.signingIn : t.signIn}
      </button>
    </form>
  )
}
