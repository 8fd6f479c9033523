import { DeviceQuery, devices } from '@tocsin/contract/device/device'
import { schoolDevices, type SchoolDeviceRow } from '@tocsin/contract/device/school-device'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { useQuery } from '@tanstack/react-query'
import { AutoComplete, Form, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { useDebouncedValue } from '#ui/list/use-debounced-value.ts'

const Draft = installationCalls.replace.body
type Props = { installed: Pick<SchoolDeviceRow, 'id' | 'version' | 'sn' | 'placePath'>; onClose: () => void }

/** Serial numbers that can be installed: in stock, or allocated. A user who cannot see the register types one. */
const useFreeDevices = (typed: string) => {
  const maySee = useHasPermission('device:device:query')
  const keyword = useDebouncedValue(typed)
  const query: z.output<typeof DeviceQuery> = { keyword, lifecycle: ['IN_STOCK', 'ALLOCATED'], pageSize: 20 }
  const { data } = useQuery({ ...queryFor(devices.page, { query }), enabled: maySee })
  return (data?.list ?? []).map(({ sn, modelName, schoolName }) => ({
    value: sn,
    label: [sn, modelName, schoolName].filter(Boolean).join(' · '),
  }))
}

/** A new device in the place of the old one; it is pressed and accepted afterwards. */
export const ReplaceDialog = ({ installed, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [form] = Form.useForm<{ sn: string; reason: string }>()
  const [typed, setTyped] = useState('')
  const options = useFreeDevices(typed)
  const { mutateAsync, isPending } = useApiMutation(installationCalls.replace, {
    also: [schoolDevices.page, devices.page],
    fieldsInline: true,
  })
  const submit = (values: { sn: string; reason: string }) =>
    mutateAsync({ body: { id: installed.id, version: installed.version, ...values } }).then(
      () => void navigate(`/m/install?sn=${encodeURIComponent(values.sn)}`),
      (error: unknown) => showFieldErrors(form, error, lang),
    )
  return (
    <AppModal
      title={t('device.replaceOf', { sn: installed.sn })}
      okText={t('device.replace')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Typography.Paragraph>{installed.placePath}</Typography.Paragraph>
      <Typography.Paragraph>{t('device.replaceHelp')}</Typography.Paragraph>
      <Form form={form} layout="vertical" onFinish={(values) => void submit(values)}>
        <Field of={Draft} name="sn">
          <AutoComplete options={options} showSearch={{ filterOption: false, onSearch: setTyped }}>
            <Input maxLength={64} autoComplete="off" />
          </AutoComplete>
        </Field>
        <Field of={Draft} name="reason">
          <Input.TextArea maxLength={200} showCount autoSize={{ minRows: 2 }} />
        </Field>
      </Form>
    </AppModal>
  )
}
