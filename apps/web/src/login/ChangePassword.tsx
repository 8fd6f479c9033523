import { type FormEvent, useState } from 'react'
import { call, type Failure, showFailure } from './call.ts'
import { type Complaints, useDraft } from './fields/draft.ts'
import { PasswordField } from './fields/PasswordField.tsx'
import { StrengthMeter } from './fields/StrengthMeter.tsx'
import { useLanguage } from './text/language.tsx'

const complaints: Complaints<'oldPassword' | 'newPassword' | 'repeated'> = {
  oldPassword: ({ oldPassword }, t) => (oldPassword === '' ? t.oldPasswordMissing : undefined),
  newPassword: ({ oldPassword, newPassword }, t) => {
    if (newPassword === '') return t.newPasswordMissing
    if (newPassword.length < 8 || newPassword.length > 64) return t.newPasswordLength
    return newPassword === oldPassword ? t.newPasswordSame : undefined
  },
  repeated: ({ newPassword, repeated }, t) => {
    if (repeated === '') return t.repeatMissing
    return repeated === newPassword ? undefined : t.repeatDiffers
  },
}

const submitChange = (token: string, oldPassword: string, newPassword: string) =>
  call({
    method: 'PUT',
    path: 'system/user/profile/update-password',
    token,
    body: { oldPassword, newPassword },
    decode: () => true,
  })

type ChangePasswordProps = {
  token: string
  /** Empty when the person came back with a session. */
  username: string
  /** The password just signed in with; undefined when the person came back with a session and must type it again. */
  oldPassword: string | undefined
  /** Returns the failure when the browser refuses to keep the session. */
  onChanged: () => Failure | undefined
  onExpired: () => void
}

/** Nothing else is open to the account until this is done; the session stays valid afterwards. */
export const ChangePassword = ({ token, username, oldPassword, onChanged, onExpired }: ChangePasswordProps) => {
  const { t, language } = useLanguage()
  const form = useDraft({ oldPassword: oldPassword ?? '', newPassword: '', repeated: '' }, complaints)
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !form.complete()) return
    setBusy(true)
    setFailure(undefined)
    const answer = await submitChange(token, form.draft.oldPassword, form.draft.newPassword)
    setBusy(false)
    if (!answer.ok && (answer.failure.code === 401 || answer.failure.code === 'A0230')) return onExpired()
    const failed = answer.ok ? onChanged() : answer.failure
    setFailure(form.blame(failed?.errors) ? undefined : failed)
    if (failed) form.focus('newPassword')
  }

  return (
    <form onSubmit={submit} noValidate aria-label={t.changeTitle}>
      <p className="lead">{t.changeReason}</p>
      {/* Lets a password manager keep the new password under the right name. */}
      <input
        className="unseen"
        name="username"
        autoComplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      {oldPassword === undefined && (
        <PasswordField {...form.field('oldPassword')} label={t.oldPassword} autoComplete="current-password" autoFocus />
      )}
      <PasswordField
        {...form.field('newPassword')}
        label={t.newPassword}
        autoComplete="new-password"
        autoFocus={oldPassword !== undefined}
        hint={<p>{t.changeRules}</p>}
      />
      <StrengthMeter password={form.draft.newPassword} username={username} />
      <PasswordField {...form.field('repeated')} label={t.repeatPassword} autoComplete="new-password" />
      <div role="alert" className="alert">
        {failure && <p>{showFailure(failure, language)}</p>}
      </div>
      <button type="submit" className="primary" aria-busy={busy} aria-disabled={busy}>
        {busy ? t.changing : t.change}
      </button>
    </form>
  )
}
