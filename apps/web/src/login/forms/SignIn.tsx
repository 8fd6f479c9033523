import { useState } from 'react'
import { FormLink, paths } from '../address.tsx'
import { call, type Failure, failedAnswer } from '../call.ts'
import { CaptchaField } from '../fields/CaptchaField.tsx'
import { useCaptcha } from '../fields/captcha.ts'
import { type FieldErrors, useFormDraft } from '../fields/form-draft.ts'
import { PasswordField } from '../fields/PasswordField.tsx'
import { TextField } from '../fields/TextField.tsx'
import { icons } from '../icons.tsx'
import type { Options } from '../options.ts'
import { decodeSession } from '../session.ts'
import { setLocalItem, getLocalItem } from '../storage.ts'
import { useLanguage } from '../text/language.tsx'
import type { ContinueSignIn } from './continue-sign-in.ts'
import { OtherMethods } from '../methods/OtherMethods.tsx'
import { SubmitForm, useSubmit } from './SubmitForm.tsx'

type Name = 'username' | 'password' | 'captchaCode'
type Draft = Record<Name, string>

/** [spec 5] */
const validators: FieldErrors<Name> = {
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

type SignInProps = { enter: ContinueSignIn; options: Options | undefined; onTried: () => void }

export const SignIn = ({ enter, options, onTried }: SignInProps) => {
  const { t } = useLanguage()
  const [remembered] = useState(() => getLocalItem('rememberMe') ?? '')
  const [remember, setRemember] = useState(remembered !== '')
  const form = useFormDraft({ username: remembered, password: '', captchaCode: '' }, validators)
  const { captcha, refresh, settled } = useCaptcha()
  const sending = useSubmit()

  const fail = (failed: Failure) => {
    form.change('captchaCode', '')
    sending.setFailure(form.blame(failed.errors) ? undefined : failed)
    refresh()
    form.focus('captchaCode')
  }

  const failWay = (failed: Failure) => {
    onTried()
    sending.setFailure(failed, 'way')
  }

  const send = async () => {
    if (!form.complete()) return
    const answer = await sending.send(async () => {
      const picture = await settled()
      return picture.state === 'ready' ? submitSignIn(form.draft, picture.key) : failedAnswer(picture.failure)
    })
    onTried()
    const username = form.draft.username.trim()
    const failed = enter(answer, { username, password: form.draft.password })
    if (failed) return fail(failed)
    setLocalItem('rememberMe', remember ? username : null)
  }

  return (
    <SubmitForm
      label={t.signIn}
      buttonLabels={[t.signIn, t.signingIn]}
      sending={sending}
      onSend={send}
      below={<OtherMethods options={options} failure={sending.failureOf('way')} onFailed={failWay} />}
    >
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
        <FormLink to={paths.reset}>{t.forgot}</FormLink>
      </div>
    </SubmitForm>
  )
}
