import { MaintenanceDraft, maintenanceCauses, maintenancePriorities } from '@tocsin/contract/device/maintenance'
import { maintenanceOrders } from '@tocsin/contract/device/maintenance-calls'
import { MAINTENANCE_ASSIGN } from '@tocsin/contract/device/maintenance-machine'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { Form, Input, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { AssigneeSelect } from './AssigneeSelect.tsx'
import { InstalledDeviceSelect } from './InstalledDeviceSelect.tsx'

/** Creates an order by hand and opens it. */
export const OrderDialog = ({ deviceId, onClose }: { deviceId?: number | undefined; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const mayAssign = useHasPermission(MAINTENANCE_ASSIGN)
  const [form] = Form.useForm()
  const { mutateAsync, isPending } = useApiMutation(maintenanceOrders.create, { fieldsInline: true })
  const submit = async ({ photos, ...values }: Record<string, unknown> & { photos?: StoredFileInfo[] }) => {
    const body = { ...toDraft(MaintenanceDraft, values), attachments: toAttachmentDrafts(photos) }
    await mutateAsync({ body }).then(
      (id) => {
        notify.success(t('list.created'))
        onClose()
        void navigate(`/device/maintenance/${id}`)
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={t('maintenance.create')}
      okText={t('list.create')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ cause: 'FAULT', priority: 'NORMAL', ...(deviceId !== undefined && { deviceId }) }}
        onFinish={(values: Record<string, unknown>) => void submit(values)}
      >
        <Field of={MaintenanceDraft} name="deviceId">
          <InstalledDeviceSelect disabled={deviceId !== undefined} />
        </Field>
        <Field of={MaintenanceDraft} name="cause">
          <Select options={enumOptions('maintenanceCause', maintenanceCauses, lang)} />
        </Field>
        <Field of={MaintenanceDraft} name="priority">
          <Select options={enumOptions('maintenancePriority', maintenancePriorities, lang)} />
        </Field>
        <Field of={MaintenanceDraft} name="description">
          <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
        </Field>
        <Field of={MaintenanceDraft} name="dueAt" extra={t('maintenance.dueHelp')}>
          <InstantPicker />
        </Field>
        {mayAssign && (
          <Field of={MaintenanceDraft} name="assigneeId">
            <AssigneeSelect />
          </Field>
        )}
        <Form.Item name="photos" label={t('maintenance.photos')}>
          <AttachmentInput />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
