import type { Failure } from '../call.ts'
import type { Bound } from '../fields/TextField.tsx'
import { PasswordField } from '../fields/PasswordField.tsx'
import { StrengthMeter } from '../fields/StrengthMeter.tsx'
import { useLanguage } from '../text/language.tsx'
import type { Texts } from '../text/texts.ts'

type NewPasswordDraft = Record<'newPassword' | 'repeated', string>

/** What is wrong with a new password typed twice; whether it is good enough is decided by the server. */
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

/** What the server refused, under the names of this page: it says `password`. */
export const newPasswordErrors = ({ errors = [] }: Failure) =>
  errors.map((one) => (one.field === 'password' ? { ...one, field: 'newPassword' } : one))

type NewPasswordProps = {
  field: (name: 'newPassword' | 'repeated') => Bound
  username: string
  labels?: readonly [password: string, repeated: string]
  autoFocus?: boolean
}

/** A new password, how strong it is, and once more. */
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
