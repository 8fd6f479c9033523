import { buttonTests, TestPlanDraft } from '@tocsin/contract/device/button-test'
import { Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'

/** Plans a test for a school and a window of some hours. */
export const PlanDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const { mutateAsync, isPending } = useApiMutation(buttonTests.create, { fieldsInline: true })
  const submit = async (values: Record<string, unknown>) =>
    mutateAsync({ body: toDraft(TestPlanDraft, values) }).then(
      () => {
        notify.success(t('list.created'))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  return (
    <AppModal
      title={t('device.planTest')}
      okText={t('device.planTest')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form form={form} layout="vertical" onFinish={(values: Record<string, unknown>) => void submit(values)}>
        <Field of={TestPlanDraft} name="schoolId">
          <SchoolSelect placeholder={t('list.choose')} />
        </Field>
        <Field of={TestPlanDraft} name="windowFrom">
          <InstantPicker />
        </Field>
        <Field of={TestPlanDraft} name="windowTo" extra={t('device.windowHelp')}>
          <InstantPicker />
        </Field>
        <Field of={TestPlanDraft} name="note">
          <Input maxLength={200} />
        </Field>
      </Form>
    </AppModal>
  )
}
