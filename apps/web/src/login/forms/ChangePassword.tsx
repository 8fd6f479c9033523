import { call, type Failure } from '../call.ts'
import { type FieldErrors, useFormDraft } from '../fields/form-draft.ts'
import { PasswordField } from '../fields/PasswordField.tsx'
import { useLanguage } from '../text/language.tsx'
import { NewPassword, validateNewPassword } from './NewPassword.tsx'
import { SubmitForm, useSubmit } from './SubmitForm.tsx'

const validators: FieldErrors<'oldPassword' | 'newPassword' | 'repeated'> = {
  oldPassword: ({ oldPassword }, t) => (oldPassword === '' ? t.oldPasswordMissing : undefined),
  newPassword: (draft, t) =>
    validateNewPassword.newPassword(draft, t) ??
    (draft.newPassword === draft.oldPassword ? t.newPasswordSame : undefined),
  repeated: validateNewPassword.repeated,
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
  /** Empty when the user returned with a session. */
  username: string
  /** The password just used to sign in; undefined when the user returned with a session and must type it again. */
  oldPassword: string | undefined
  /** Returns the failure when the browser refuses to store the session. */
  onChanged: () => Failure | undefined
  onExpired: () => void
}

/** The account may do nothing else until this is done; the session stays valid afterwards. */
export const ChangePassword = ({ token, username, oldPassword, onChanged, onExpired }: ChangePasswordProps) => {
  const { t } = useLanguage()
  const form = useFormDraft({ oldPassword: oldPassword ?? '', newPassword: '', repeated: '' }, validators)
  const sending = useSubmit()

  const send = async () => {
    if (!form.complete()) return
    const answer = await sending.send(() => submitChange(token, form.draft.oldPassword, form.draft.newPassword))
    if (!answer.ok && (answer.failure.code === 401 || answer.failure.code === 'A0230')) return onExpired()
    const failed = answer.ok ? onChanged() : answer.failure
    if (!failed) return
    sending.setFailure(form.blame(failed.errors) ? undefined : failed)
    form.focus('newPassword')
  }

  return (
    <SubmitForm label={t.changeTitle} buttonLabels={[t.change, t.changing]} sending={sending} onSend={send}>
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
      <NewPassword field={form.field} username={username} autoFocus={oldPassword !== undefined} />
    </SubmitForm>
  )
}
