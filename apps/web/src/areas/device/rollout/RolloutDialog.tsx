import { RolloutDraft } from '@tocsin/contract/device/rollout/rollout'
import { rollouts } from '@tocsin/contract/device/rollout/rollout-calls'
import { useQuery } from '@tanstack/react-query'
import { Form, Input, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor, useApiMutation } from '#api/query.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'

const MAX_CHOICES = 100
const DEFAULT_LIMIT = 2

const PackageSelect = (props: { value?: number; onChange?: (id: number) => void; id?: string }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { data, isFetching } = useQuery(queryFor(rollouts.packages, { query: { pageSize: MAX_CHOICES } }))
  const options = (data?.list ?? []).map(({ id, kind, release, modelName }) => ({
    value: id,
    label: `${modelName} · ${enumLabel('packageKind', kind, lang)} ${release}`,
  }))
  return <Select {...props} loading={isFetching} options={options} placeholder={t('list.choose')} />
}

/** A rollout for all devices of the package's model; it starts after another person has approved it. */
export const RolloutDialog = ({ packageId, onClose }: { packageId?: number | undefined; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const { mutateAsync, isPending } = useApiMutation(rollouts.create, { fieldsInline: true })
  const submit = async (values: Record<string, unknown>) => {
    await mutateAsync({ body: toDraft(RolloutDraft, values) }).then(
      (id) => {
        notify.success(t('list.created'))
        onClose()
        void navigate(`/device/rollout/${id}`)
      },
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  }
  return (
    <AppModal
      title={t('rollout.create')}
      okText={t('list.create')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ maxBadPct: DEFAULT_LIMIT, ...(packageId !== undefined && { packageId }) }}
        onFinish={(values: Record<string, unknown>) => void submit(values)}
      >
        <Field of={RolloutDraft} name="name">
          <Input maxLength={64} />
        </Field>
        <Field of={RolloutDraft} name="packageId">
          <PackageSelect />
        </Field>
        <Field of={RolloutDraft} name="maxBadPct" extra={t('rollout.limitHelp')}>
          <InputNumber min={0} max={100} />
        </Field>
      </Form>
    </AppModal>
  )
}
