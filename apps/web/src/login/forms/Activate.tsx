import { call } from '../call.ts'
import { type FieldErrors, useFormDraft } from '../fields/form-draft.ts'
import { TextField } from '../fields/TextField.tsx'
import { icons } from '../icons.tsx'
import { decodeSession } from '../session.ts'
import { useLanguage } from '../text/language.tsx'
import type { ContinueSignIn } from './continue-sign-in.ts'
import { NewPassword, validateNewPassword, newPasswordErrors } from './NewPassword.tsx'
import { BackTo, SubmitForm, useSubmit } from './SubmitForm.tsx'

type Name = 'username' | 'code' | 'newPassword' | 'repeated'

const validators: FieldErrors<Name> = {
  username: ({ username }, t) => (username.trim() === '' ? t.usernameMissing : undefined),
  code: ({ code }, t) => (code.trim() === '' ? t.activationMissing : undefined),
  ...validateNewPassword,
}

const submitActivation = ({ username, code, newPassword }: Record<Name, string>) =>
  call({
    method: 'POST',
    path: 'system/auth/activate',
    body: { username: username.trim(), code: code.trim(), password: newPassword },
    decode: decodeSession,
  })

/** The first sign-in of a user who received a code instead of a password. */
export const Activate = ({ enter }: { enter: ContinueSignIn }) => {
  const { t } = useLanguage()
  const form = useFormDraft({ username: '', code: '', newPassword: '', repeated: '' }, validators)
  const sending = useSubmit()
  const { username, newPassword } = form.draft

  const send = async () => {
    if (!form.complete()) return
    const answer = await sending.send(() => submitActivation(form.draft))
    const failed = enter(answer, { username: username.trim(), password: newPassword })
    if (!failed) return
    sending.setFailure(form.blame(newPasswordErrors(failed)) ? undefined : failed)
  }

  return (
    <SubmitForm
      label={t.activateTitle}
      buttonLabels={[t.activate, t.activating]}
      sending={sending}
      onSend={send}
      below={<BackTo />}
    >
      <p className="lead">{t.activateLead}</p>
      <TextField
        {...form.field('username')}
        label={t.username}
        icon={icons.person}
        autoComplete="username"
        maxLength={64}
        autoFocus
      />
      <TextField {...form.field('code')} label={t.activationCode} icon={icons.key} autoComplete="off" maxLength={100} />
      <NewPassword field={form.field} username={username} />
    </SubmitForm>
  )
}
