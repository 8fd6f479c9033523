import { schools } from '@tocsin/contract/school/school'
import { MerchantUserDraft, merchantUsers } from '@tocsin/contract/access/user'
import { useQuery } from '@tanstack/react-query'
import { Input, Radio, Skeleton } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { PasswordInput } from '../user/PasswordInput.tsx'
import { passwordDraft } from '../user/password-draft.ts'
import { type NewCredentials, OneTimePassword } from '../user/OneTimePassword.tsx'

const MerchantFields = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const of = MerchantUserDraft
  return (
    <>
      <FormGroup title={t('user.accountGroup')} hint={t('merchant.groupHint')}>
        <Field of={of} name="schoolId" extra={t('merchant.schoolHelp')}>
          <SchoolSelect placeholder={t('merchant.chooseSchool')} />
        </Field>
        <Field of={of} name="username" extra={t('user.usernameHelp')}>
          <Input maxLength={30} autoComplete="off" />
        </Field>
        <Field of={of} name="nickname">
          <Input maxLength={30} />
        </Field>
        <Field of={of} name="jobTitle">
          <Input maxLength={30} />
        </Field>
        <Field of={of} name="sex">
          <Radio.Group options={enumOptions('sex', ['MALE', 'FEMALE', 'UNKNOWN'], lang)} />
        </Field>
        <Field of={of} name="password" extra={t('user.passwordHelp')}>
          <PasswordInput />
        </Field>
      </FormGroup>
      <FormGroup title={t('user.contactGroup')} hint={t('user.contactGroupHint')}>
        <Field of={of} name="mobile">
          <Input maxLength={11} inputMode="tel" />
        </Field>
        <Field of={of} name="email">
          <Input maxLength={50} inputMode="email" />
        </Field>
      </FormGroup>
      <Field of={of} name="remark">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </>
  )
}

/** Creates an account of a school; its password is shown once. */
export const MerchantDrawer = ({ schoolId, onClose }: { schoolId: number | undefined; onClose: () => void }) => {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewCredentials>()
  const known = useQuery({ ...queryFor(schools.simpleList), staleTime: 60_000 })
  // A user with one school gets it preselected.
  const only = known.data?.length === 1 ? known.data[0]?.id : undefined
  const retry = () => void known.refetch()
  const pending = known.error ? <ErrorState error={known.error} onRetry={retry} /> : <Skeleton active />
  const create = useApiMutation(merchantUsers.create, { fieldsInline: true })
  const save = async (values: Record<string, unknown>) => {
    const body = toDraft(MerchantUserDraft, values)
    await create.mutateAsync({ body })
    notify.success(t('list.created'))
    setMade({ username: body.username, password: body.password })
  }
  if (made) return <OneTimePassword of={made} onClose={onClose} />
  return (
    <EditDrawer
      title={t('merchant.new')}
      initialValues={{ schoolId: schoolId ?? only, sex: 'UNKNOWN', password: passwordDraft() }}
      save={save}
      stays
      {...(!known.data && { pending })}
      onClose={onClose}
    >
      <MerchantFields />
    </EditDrawer>
  )
}
