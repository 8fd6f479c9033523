import { type CalendarPost, ShiftDraft, shifts } from '@tocsin/contract/security/shift'
import { slotOnDay, type Span, startOfDay } from '@tocsin/contract/security/hours'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { EmployeeSelect } from '#ui/select/EmployeeSelect.tsx'

type Props = {
  post: CalendarPost
  day: Date
  /** The hours of a hole to fill, in place of those of the post. */
  span?: Span
  onClose: () => void
}

/** More names would hide the form. */
const SHOWN_PEOPLE = 8

/** Who is free at that time, the most rested first; a click chooses the person. */
const FreePeople = ({ postId }: { postId: number }) => {
  const { t } = useTranslation()
  const form = Form.useFormInstance()
  const fromAt: Date | undefined = Form.useWatch('fromAt', form)
  const toAt: Date | undefined = Form.useWatch('toAt', form)
  const { data } = useQuery({
    ...queryFor(shifts.free, { query: { postId, fromAt: fromAt ?? new Date(0), toAt: toAt ?? new Date(0) } }),
    enabled: fromAt !== undefined && toAt !== undefined && fromAt < toAt,
  })
  if (!data) return null
  return (
    <Flex vertical gap="small" style={{ marginBlockEnd: 16 }}>
      <Typography.Text type="secondary">
        {t(data.length === 0 ? 'duty.standInNobody' : 'duty.freePeople')}
      </Typography.Text>
      <Flex gap="small" wrap>
        {data.slice(0, SHOWN_PEOPLE).map(({ employeeId, name, restHours }) => (
          <Button key={employeeId} size="small" onClick={() => form.setFieldValue('employeeId', employeeId)}>
            {restHours === null ? name : `${name} · ${t('duty.rested', { n: restHours })}`}
          </Button>
        ))}
      </Flex>
    </Flex>
  )
}

/** Plans one shift, initially with the hours of the post on that day. */
export const ShiftDialog = ({ post, day, span, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const { mutateAsync, isPending } = useApiMutation(shifts.create, { fieldsInline: true })
  const slot = span ?? slotOnDay({ ...post, weekdays: 127 }, startOfDay(day))
  const submit = async (values: Record<string, unknown>) =>
    mutateAsync({ body: { ...toDraft(ShiftDraft, values), postId: post.id } }).then(
      () => {
        notify.success(t('list.created'))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  return (
    <AppModal
      title={`${post.name} · ${post.ownerName}`}
      okText={t('duty.planShift')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ fromAt: slot?.from, toAt: slot?.to }}
        onFinish={(values: Record<string, unknown>) => void submit(values)}
      >
        <Field of={ShiftDraft} name="employeeId">
          <EmployeeSelect schoolId={post.schoolId ?? undefined} deptId={post.deptId ?? undefined} />
        </Field>
        <FreePeople postId={post.id} />
        <Field of={ShiftDraft} name="fromAt">
          <InstantPicker />
        </Field>
        <Field of={ShiftDraft} name="toAt">
          <InstantPicker />
        </Field>
        <Field of={ShiftDraft} name="remark">
          <Input maxLength={200} />
        </Field>
      </Form>
    </AppModal>
  )
}
