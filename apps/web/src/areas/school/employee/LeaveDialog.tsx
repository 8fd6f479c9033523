import type { EmployeeRow } from '@tocsin/contract/school/employee'
import { employees, employeeVerbs } from '@tocsin/contract/school/employee-calls'
import { useQuery } from '@tanstack/react-query'
import { Alert, Form, Input, Skeleton, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'
import { NominationList } from './NominationList.tsx'

/** Asks for the reason, and lists responsibilities that need a successor. */
export const LeaveDialog = ({ person, onClose }: { person: EmployeeRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const { id, name, version } = person
  const { data } = useQuery(queryFor(employees.namedAs, { query: { id } }))
  const { mutateAsync, isPending } = useApiMutation(employeeVerbs.leave, { fieldsInline: true })
  const isBlocked = data?.some(({ what }) => what === 'LAST_RECIPIENT') ?? false
  const label = enumLabel('employeeVerb', 'leave', lang)
  const submit = ({ reason }: { reason: string }) =>
    mutateAsync({ body: { id, version, reason } }).then(
      () => {
        notify.success(t('employee.done', { name, verb: label }))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  return (
    <AppModal
      title={t('employee.leaveAsk', { name })}
      okText={label}
      okButtonProps={{ danger: true, loading: isPending, disabled: !data || isBlocked }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      {!data && <Skeleton active />}
      {isBlocked && <Alert type="warning" showIcon title={t('employee.lastRecipient')} />}
      {data && !isBlocked && (
        <Typography.Paragraph>
          {t(data.length > 0 ? 'employee.leaveEffect' : 'employee.leaveFree')}
        </Typography.Paragraph>
      )}
      {data && data.length > 0 && <NominationList nominations={data} />}
      <Form
        form={form}
        layout="vertical"
        style={{ marginBlockStart: 16 }}
        onFinish={(values: { reason: string }) => void submit(values)}
      >
        <Field of={employeeVerbs.leave.body} name="reason">
          <Input.TextArea maxLength={200} showCount autoSize={{ minRows: 2 }} disabled={isBlocked} />
        </Field>
      </Form>
    </AppModal>
  )
}
