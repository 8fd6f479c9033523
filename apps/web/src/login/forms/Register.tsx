import { useRef, useState } from 'react'
import { call } from '../call.ts'
import { CodeFields } from '../fields/CodeFields.tsx'
import { validateCode, validateMail, validateMobile } from '../fields/code.ts'
import { type FieldErrors, useFormDraft } from '../fields/form-draft.ts'
import { TextField } from '../fields/TextField.tsx'
import { icons } from '../icons.tsx'
import type { Options } from '../options.ts'
import { useLanguage } from '../text/language.tsx'
import { NewPassword, validateNewPassword, newPasswordErrors } from './NewPassword.tsx'
import { BackTo, SubmitForm, useSubmit } from './SubmitForm.tsx'

const loadPolicy = async () => (await import('./Policy.tsx')).Policy

type Name = 'username' | 'nickname' | 'newPassword' | 'repeated' | 'mobile' | 'email' | 'captchaCode' | 'code'
type Draft = Record<Name, string>

const isEmpty = (text: string) => text.trim() === ''

/** The number is verified where text messages can be sent, else the address; the other one may stay empty. */
const complaintsFor = ({ mobile: byMobile }: Options): FieldErrors<Name> => ({
  username: ({ username }, t) => {
    if (isEmpty(username)) return t.usernameMissing
    return /^[A-Za-z0-9._-]{2,30}$/.test(username.trim()) ? undefined : t.usernameWrong
  },
  nickname: ({ nickname }, t) => (isEmpty(nickname) ? t.nicknameMissing : undefined),
  ...validateNewPassword,
  // The only password here, so not a "new" one.
  newPassword: (draft, t) => (draft.newPassword === '' ? t.passwordMissing : validateNewPassword.newPassword(draft, t)),
  mobile: ({ mobile }, t) => (!byMobile && isEmpty(mobile) ? undefined : validateMobile(mobile, t)),
  email: ({ email }, t) => (byMobile && isEmpty(email) ? undefined : validateMail(email, t)),
  captchaCode: ({ captchaCode }, t) => (isEmpty(captchaCode) ? t.captchaMissing : undefined),
  code: ({ code }, t) => validateCode(code, t),
})

const submitRegistration = (draft: Draft) => {
  const username = draft.username.trim()
  const nickname = draft.nickname.trim()
  const body = {
    username,
    nickname,
    password: draft.newPassword,
    ...(!isEmpty(draft.mobile) && { mobile: draft.mobile.trim() }),
    ...(!isEmpty(draft.email) && { email: draft.email.trim() }),
    smsCode: draft.code.trim(),
    agreed: true,
  }
  return call({ method: 'POST', path: 'system/auth/register', body, decode: () => true })
}

type AgreementProps = {
  agreed: boolean
  wrong: boolean
  onChange: (agreed: boolean) => void
  box: React.Ref<HTMLInputElement>
  /** Whether the policy could be loaded. */
  onCame: (came: boolean) => void
}

const Agreement = ({ agreed, wrong, onChange, box, onCame }: AgreementProps) => {
  const { t } = useLanguage()
  const [Policy, setPolicy] = useState<Awaited<ReturnType<typeof loadPolicy>>>()
  const read = () =>
    void loadPolicy().then(
      (policy) => {
        setPolicy(() => policy)
        onCame(true)
      },
      () => onCame(false),
    )
  return (
    <div className="agreement">
      <span className="check">
        <input
          id="agreed"
          type="checkbox"
          ref={box}
          checked={agreed}
          aria-invalid={wrong}
          aria-describedby="agreed-error"
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          <label htmlFor="agreed">{t.policyBefore}</label>
          <button type="button" className="link" onClick={read}>
            {t.policyName}
          </button>
        </span>
      </span>
      <p id="agreed-error" className="error" aria-live="polite">
        {wrong && t.policyMissing}
      </p>
      {Policy && <Policy onClose={() => setPolicy(undefined)} />}
    </div>
  )
}

const empty: Draft = {
  username: '',
  nickname: '',
  newPassword: '',
  repeated: '',
  mobile: '',
  email: '',
  captchaCode: '',
  code: '',
}

const useRegistration = (options: Options, onDone: (username: string) => void) => {
  const [complaints] = useState(() => complaintsFor(options))
  const form = useFormDraft(empty, complaints)
  const sending = useSubmit()
  const [agreed, setAgreed] = useState(false)
  const [state, setAsked] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const send = async () => {
    setAsked(true)
    if (!form.complete(['username', 'nickname', 'newPassword', 'repeated', 'mobile', 'email', 'code'])) return
    if (!agreed) return box.current?.focus()
    const answer = await sending.send(() => submitRegistration(form.draft))
    if (answer.ok) return onDone(form.draft.username.trim())
    const { failure } = answer
    const errors = newPasswordErrors(failure).map((error) =>
      error.field === 'smsCode' ? { ...error, field: 'code' } : error,
    )
    sending.setFailure(form.blame(errors) ? undefined : failure)
  }
  const onCame = (came: boolean) => {
    if (!came) sending.setFailure({ reason: 'offline' }, 'policy')
    else if (sending.failureOf('policy')) sending.setFailure(undefined)
  }
  const value = { ...sending, failure: sending.failure ?? sending.failureOf('policy') }
  return {
    form,
    sending: value,
    send,
    agreement: { agreed, wrong: state && !agreed, onChange: setAgreed, box, onCame },
  }
}

/** Applies for an account, which an administrator approves or rejects. */
export const Register = ({ options, onDone }: { options: Options; onDone: (username: string) => void }) => {
  const { t } = useLanguage()
  const { form, sending, send, agreement } = useRegistration(options, onDone)
  const proven = options.mobile ? 'mobile' : 'email'
  const fields = {
    mobile: { label: t.mobile, icon: icons.phone, autoComplete: 'tel-national', inputMode: 'tel', maxLength: 11 },
    email: { label: t.email, icon: icons.mail, autoComplete: 'email', inputMode: 'email', maxLength: 50 },
  } as const
  const other = options.mobile ? fields.email : fields.mobile
  return (
    <SubmitForm
      label={t.registerTitle}
      buttonLabels={[t.register, t.registering]}
      sending={sending}
      onSend={send}
      below={<BackTo />}
    >
      <TextField
        {...form.field('username')}
        label={t.username}
        icon={icons.person}
        autoComplete="username"
        maxLength={30}
        autoFocus
      />
      <TextField {...form.field('nickname')} label={t.nickname} icon={icons.badge} autoComplete="name" maxLength={30} />
      <NewPassword field={form.field} username={form.draft.username} labels={[t.newPasswordOwn, t.repeatPasswordOwn]} />
      <TextField {...form.field(proven)} {...fields[proven]} />
      <CodeFields
        form={form}
        sending={sending}
        scene="REGISTER"
        contact={() => (form.complete([proven]) ? form.draft[proven].trim() : undefined)}
        sent={t.codeSentNew}
      />
      <TextField
        {...form.field(options.mobile ? 'email' : 'mobile')}
        {...other}
        label={t.optional(other.label)}
        required={false}
      />
      <Agreement {...agreement} />
    </SubmitForm>
  )
}
