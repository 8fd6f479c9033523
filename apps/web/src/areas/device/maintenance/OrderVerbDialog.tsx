import {
  MaintenanceAssignment,
  MaintenanceNote,
  MaintenanceReason,
  type MaintenanceRow,
  MaintenanceStep,
  MaintenanceWork,
} from '@tocsin/contract/device/maintenance'
import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { maintenanceRule, type MaintenanceVerb } from '@tocsin/contract/device/maintenance-machine'
import type { Endpoint } from '@tocsin/contract/endpoint'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'
import { AssigneeSelect } from './AssigneeSelect.tsx'

type Props = { verb: MaintenanceVerb; order: MaintenanceRow; onClose: () => void }

/** The input of each verb. */
const VerbFields = ({ verb, order: { assigneeId, assigneeName } }: Pick<Props, 'verb' | 'order'>) => {
  const { t } = useTranslation()
  const { asks, optional } = maintenanceRule(verb)
  if (asks === 'assignee')
    return (
      <>
        <Field of={MaintenanceAssignment} name="assigneeId">
          <AssigneeSelect
            present={assigneeId !== null && assigneeName !== null ? { id: assigneeId, name: assigneeName } : undefined}
          />
        </Field>
        <Field of={MaintenanceAssignment} name="dueAt">
          <InstantPicker />
        </Field>
        <Field of={MaintenanceAssignment} name="note">
          <Input.TextArea maxLength={500} autoSize={{ minRows: 2 }} />
        </Field>
      </>
    )
  if (asks === 'reason')
    return (
      <Field of={MaintenanceReason} name="reason">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    )
  return (
    <>
      {asks === 'work' ? (
        <>
          <Field of={MaintenanceWork} name="result">
            <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
          </Field>
          <Field of={MaintenanceWork} name="parts" extra={t('maintenance.partsHelp')}>
            <Input maxLength={500} />
          </Field>
        </>
      ) : (
        <Field of={optional ? MaintenanceStep : MaintenanceNote} name="note">
          <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
        </Field>
      )}
      <Form.Item name="photos" label={t('maintenance.photos')}>
        <AttachmentInput />
      </Form.Item>
    </>
  )
}

/** Asks for the input of a verb and applies it. */
export const OrderVerbDialog = ({ verb, order, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const of: Endpoint = maintenanceOrders[verb]
  const { mutateAsync, isPending } = useApiMutation(of, { fieldsInline: true })
  const label = enumLabel('maintenanceVerb', verb, lang)
  const { asks } = maintenanceRule(verb)
  const submit = async ({ photos, ...values }: Record<string, unknown> & { photos?: StoredFileInfo[] }) => {
    const files = asks === 'work' || asks === 'note' ? { attachments: toAttachmentDrafts(photos) } : {}
    // The verb determines the fields of the body, like the fields below.
    const body = { id: order.id, version: order.version, ...values, ...files }
    await mutateAsync({ body } as never).then(
      () => {
        notify.success(t('maintenance.done', { verb: label }))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={`${label} ${order.no}`}
      okText={label}
      okButtonProps={{ danger: verb === 'cancel', loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      {verb === 'finish' && <Typography.Paragraph>{t('maintenance.verifyHelp')}</Typography.Paragraph>}
      {verb === 'cancel' && <Typography.Paragraph>{t('maintenance.cancelHelp')}</Typography.Paragraph>}
      <Form
        form={form}
        layout="vertical"
        initialValues={{
          ...(order.assigneeId !== null && { assigneeId: order.assigneeId }),
          dueAt: order.dueAt,
          parts: order.parts,
        }}
        onFinish={(values: Record<string, unknown>) => void submit(values)}
      >
        <VerbFields verb={verb} order={order} />
      </Form>
    </AppModal>
  )
}
