import type { Failure } from '../call.ts'
import type { Bound } from '../fields/TextField.tsx'
import { PasswordField } from '../fields/PasswordField.tsx'
import { StrengthMeter } from '../fields/StrengthMeter.tsx'
import { useLanguage } from '../text/language.tsx'
import type { Texts } from '../text/texts.ts'

type NewPasswordDraft = Record<'newPassword' | 'repeated', string>

/** The error of a new password typed twice; the server decides whether it is strong enough. */
export const validateNewPassword = {
  newPassword: ({ newPassword }: NewPasswordDraft, t: Texts) => {
    if (newPassword === '') return t.newPasswordMissing
    return newPassword.length < 8 || newPassword.length > 64 ? t.newPasswordLength : undefined
  },
  repeated: ({ newPassword, repeated }: NewPasswordDraft, t: Texts) => {
    if (repeated === '') return t.repeatMissing
    return repeated === newPassword ? undefined : t.repeatDiffers
  },
}

/** The server's errors, under the names of this page: it says `password`. */
export const newPasswordErrors = ({ errors = [] }: Failure) =>
  errors.map((error) => (error.field === 'password' ? { ...error, field: 'newPassword' } : error))

type NewPasswordProps = {
  field: (name: 'newPassword' | 'repeated') => Bound
  username: string
  labels?: readonly [password: string, repeated: string]
  autoFocus?: boolean
}

/** A new password, its strength, and its repetition. */
export const NewPassword = ({ field, username, labels, autoFocus = false }: NewPasswordProps) => {
  const { t } = useLanguage()
  const [password, repeated] = labels ?? [t.newPassword, t.repeatPassword]
  const first = field('newPassword')
  return (
    <>
      <PasswordField
        {...first}
        label={password}
        autoComplete="new-password"
        autoFocus={autoFocus}
        hint={<p>{t.changeRules}</p>}
      />
      <StrengthMeter password={first.value} username={username} />
      <PasswordField {...field('repeated')} label={repeated} autoComplete="new-password" />
    </>
  )
}
