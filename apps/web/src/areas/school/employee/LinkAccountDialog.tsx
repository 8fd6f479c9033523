import type { EmployeeRow } from '@tocsin/contract/school/employee'
import { EmployeeLink, employees, type LinkableAccount } from '@tocsin/contract/school/employee-calls'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Form, Select, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { useDebouncedValue } from '#ui/list/use-debounced-value.ts'
import { notify } from '#ui/notify.ts'

const KEYWORD_MAX = 30

type SelectProps = { personId: number; value?: number; onChange?: (id: number) => void; id?: string }

const labelOf = ({ nickname, username }: LinkableAccount) => `${nickname} (${username})`

/** Accounts that may be linked to the person, by user name or name. */
const AccountSelect = ({ personId, ...control }: SelectProps) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const keyword = useDebouncedValue(typed)
  const query = { id: personId, ...(keyword && { keyword }) }
  const { data, isFetching } = useQuery({
    ...queryFor(employees.accounts, { query }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select<number>
      {...control}
      loading={isFetching}
      options={data?.map((account) => ({ value: account.id, label: labelOf(account) })) ?? []}
      notFoundContent={isFetching ? null : t('employee.noAccounts')}
      showSearch={{ filterOption: false, onSearch: (text) => setTyped(text.slice(0, KEYWORD_MAX)) }}
    />
  )
}

/** Links an existing account of the organization to a person without one. */
export const LinkAccountDialog = ({ person, onClose }: { person: EmployeeRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<{ userId?: number }>()
  const chosen = Form.useWatch('userId', form)
  const { id, name, version } = person
  const { mutateAsync, isPending } = useApiMutation(employees.linkAccount, { fieldsInline: true })
  const submit = ({ userId }: { userId?: number }) => {
    if (userId === undefined) return
    mutateAsync({ body: { id, version, userId } }).then(
      () => {
        notify.success(t('employee.done', { name, verb: t('employee.linkAccount') }))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={t('employee.linkFor', { name })}
      okText={t('employee.linkAccount')}
      okButtonProps={{ loading: isPending, disabled: chosen === undefined }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Typography.Paragraph type="secondary">{t('employee.linkHelp')}</Typography.Paragraph>
      <Form form={form} layout="vertical" onFinish={submit}>
        <Field of={EmployeeLink} name="userId">
          <AccountSelect personId={id} />
        </Field>
      </Form>
    </AppModal>
  )
}
