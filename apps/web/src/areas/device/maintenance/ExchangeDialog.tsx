import { MaintenanceExchange, type MaintenanceRow } from '@tocsin/contract/device/maintenance'
import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'

type Values = { sn: string; photos?: StoredFileInfo[] }

/** A new device in the place of the one of the order. */
export const ExchangeDialog = ({ order, onClose }: { order: MaintenanceRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<Values>()
  const { mutateAsync, isPending } = useApiMutation(maintenanceOrders.exchange, { fieldsInline: true })
  const submit = async ({ sn, photos }: Values) => {
    const body = { id: order.id, version: order.version, sn, attachments: toAttachmentDrafts(photos) }
    await mutateAsync({ body }).then(
      () => {
        notify.success(t('maintenance.exchanged'))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={`${t('maintenance.exchange')} ${order.sn}`}
      okText={t('maintenance.exchange')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Typography.Paragraph>{t('maintenance.exchangeHelp')}</Typography.Paragraph>
      <Form form={form} layout="vertical" onFinish={(values: Values) => void submit(values)}>
        <Field of={MaintenanceExchange} name="sn">
          <Input maxLength={40} autoFocus />
        </Field>
        <Form.Item name="photos" label={t('maintenance.photos')}>
          <AttachmentInput />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
