import { PasswordReset, type UserRow, users } from '@tocsin/contract/access/user'
import { Alert } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { PasswordInput } from './PasswordInput.tsx'
import { passwordDraft } from './password-draft.ts'
import { type NewCredentials, OneTimePassword } from './OneTimePassword.tsx'

/** Resets the password of a user and shows it once, to be handed over. */
export const ResetPassword = ({ user, onClose }: { user: UserRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewCredentials>()
  const reset = useApiMutation(users.updatePassword, { fieldsInline: true })
  const save = async (values: Record<string, unknown>) => {
    const body = toDraft(PasswordReset, { ...values, id: user.id })
    await reset.mutateAsync({ body })
    setMade({ username: user.username, password: body.password })
  }
  if (made) return <OneTimePassword of={made} onClose={onClose} />
  return (
    <EditDrawer
      title={t('user.resetOf', { name: user.nickname })}
      initialValues={{ password: passwordDraft() }}
      save={save}
      stays
      onClose={onClose}
    >
      <Alert type="info" showIcon title={t('user.resetEffect')} style={{ marginBottom: 16 }} />
      <Field of={PasswordReset} name="password" extra={t('user.passwordHelp')}>
        <PasswordInput />
      </Field>
    </EditDrawer>
  )
}
