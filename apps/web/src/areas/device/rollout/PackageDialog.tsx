import { PackageDraft, packageKinds } from '@tocsin/contract/device/rollout/rollout'
import { rollouts } from '@tocsin/contract/device/rollout/rollout-calls'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { Form, Input, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { AttachmentInput } from '#ui/attachment/AttachmentInput.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { ModelSelect } from '../ModelSelect.tsx'

/** Adds a signed package; the server checks hash and signature. */
export const PackageDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const { mutateAsync, isPending } = useApiMutation(rollouts.addPackage, { fieldsInline: true })
  const submit = async ({ files, ...values }: Record<string, unknown> & { files?: StoredFileInfo[] }) => {
    const body = toDraft(PackageDraft, { ...values, fileId: files?.[0]?.id })
    await mutateAsync({ body }).then(
      () => {
        notify.success(t('list.created'))
        onClose()
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={t('rollout.addPackage')}
      okText={t('list.save')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ kind: 'FIRMWARE' }}
        onFinish={(values: Record<string, unknown>) => void submit(values)}
      >
        <Field of={PackageDraft} name="kind">
          <Select options={enumOptions('packageKind', packageKinds, lang)} />
        </Field>
        <Field of={PackageDraft} name="modelId">
          <ModelSelect />
        </Field>
        <Field of={PackageDraft} name="release">
          <Input maxLength={32} placeholder="2.1.0" />
        </Field>
        <Form.Item
          name="files"
          label={t('rollout.file')}
          extra={t('rollout.fileHelp')}
          rules={[{ required: true, message: t('rollout.fileMissing') }]}
        >
          <AttachmentInput count={1} types={['application/zip', 'text/plain']} />
        </Form.Item>
        <Field of={PackageDraft} name="sha256">
          <Input maxLength={64} />
        </Field>
        <Field of={PackageDraft} name="signature" extra={t('rollout.signatureHelp')}>
          <Input.TextArea maxLength={88} autoSize={{ minRows: 2 }} />
        </Field>
        <Field of={PackageDraft} name="notes">
          <Input.TextArea maxLength={500} autoSize={{ minRows: 2 }} />
        </Field>
      </Form>
    </AppModal>
  )
}
