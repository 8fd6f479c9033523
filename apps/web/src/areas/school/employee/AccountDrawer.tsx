import type { EmployeeRow } from '@tocsin/contract/school/employee'
import { EmployeeAccountDraft, employees } from '@tocsin/contract/school/employee-calls'
import { Alert, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { type NewCredentials, OneTimePassword } from '#areas/access/user/OneTimePassword.tsx'
import { PasswordInput } from '#areas/access/user/PasswordInput.tsx'
import { passwordDraft } from '#areas/access/user/password-draft.ts'
import { Field } from '#ui/Field.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { notify } from '#ui/notify.ts'

/** Creates the account of a person; its password is shown once. */
export const AccountDrawer = ({ person, onClose }: { person: EmployeeRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewCredentials>()
  const { mutateAsync } = useApiMutation(employees.createAccount, { fieldsInline: true })
  const save = async (values: Record<string, unknown>) => {
    const credentials = { username: String(values['username']), password: String(values['password']) }
    await mutateAsync({ body: { ...credentials, id: person.id, version: person.version } })
    notify.success(t('list.created'))
    setMade(credentials)
  }
  if (made) return <OneTimePassword of={made} onClose={onClose} />
  return (
    <EditDrawer
      title={t('employee.accountFor', { name: person.name })}
      initialValues={{ username: person.mobile?.includes('*') ? '' : person.mobile, password: passwordDraft() }}
      save={save}
      stays
      onClose={onClose}
    >
      <Alert type="info" showIcon title={t('employee.accountRole')} style={{ marginBlockEnd: 16 }} />
      <Field of={EmployeeAccountDraft} name="username" extra={t('user.usernameHelp')}>
        <Input maxLength={30} autoComplete="off" />
      </Field>
      <Field of={EmployeeAccountDraft} name="password" extra={t('user.passwordHelp')}>
        <PasswordInput />
      </Field>
    </EditDrawer>
  )
}
