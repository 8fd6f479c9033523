import type { UnknownDevice } from '@tocsin/contract/device/device'
import { AdoptDraft, type DeviceSecret, deviceEdits } from '@tocsin/contract/device/device-verbs'
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { toDraft } from '#ui/form.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { ModelSelect } from '../ModelSelect.tsx'

type Props = { refused: UnknownDevice; onAdopted: (made: DeviceSecret) => void; onClose: () => void }

/** Registers a refused device: its model, and its school if known. */
export const AdoptDialog = ({ refused, onAdopted, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const { mutateAsync, isPending } = useApiMutation(deviceEdits.adopt, { fieldsInline: true })
  const submit = async (values: Record<string, unknown>) => {
    const body = { ...toDraft(AdoptDraft.omit({ unknownId: true }), values), unknownId: refused.id }
    await mutateAsync({ body }).then(onAdopted, (error: unknown) => showFieldErrors(form, error, lang))
  }
  return (
    <AppModal
      title={t('device.adoptAsk', { sn: refused.sn })}
      okText={t('device.adopt')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form form={form} layout="vertical" onFinish={(values: Record<string, unknown>) => void submit(values)}>
        <Field of={AdoptDraft} name="modelId" extra={t('device.adoptHelp', { key: refused.productKey })}>
          <ModelSelect productKey={refused.productKey} autoFocus />
        </Field>
        <Field of={AdoptDraft} name="schoolId">
          <SchoolSelect placeholder={t('device.stock')} />
        </Field>
      </Form>
    </AppModal>
  )
}
