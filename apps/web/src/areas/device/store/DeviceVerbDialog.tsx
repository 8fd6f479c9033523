import type { DeviceRow } from '@tocsin/contract/device/device'
import { deviceVerbLists, deviceVerbs } from '@tocsin/contract/device/device-verbs'
import { lifecycleRule } from '@tocsin/contract/device/lifecycle'
import { schoolDevices } from '@tocsin/contract/device/school-device'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { InstantPicker } from '#ui/dates/InstantPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { notify } from '#ui/notify.ts'
import { confirmChildren } from '../confirm-children.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'

export type DeviceVerbName = keyof typeof deviceVerbs
type Subject = Pick<DeviceRow, 'id' | 'sn' | 'version'>

const MAX_NAMED = 10

/** Several devices use the bulk call, which has fewer verbs. */
const endpointFor = (verb: DeviceVerbName, count: number): Endpoint => {
  if (count > 1 && verb === 'allocate') return deviceVerbLists.allocateList
  if (count > 1 && verb === 'suspend') return deviceVerbLists.suspendList
  if (count > 1 && verb === 'retire') return deviceVerbLists.retireList
  return deviceVerbs[verb]
}

const bodyOf = (devices: readonly Subject[]) => {
  const [first, ...more] = devices
  return more.length > 0 || !first
    ? { items: devices.map(({ id, version }) => ({ id, version })) }
    : { id: first.id, version: first.version }
}

type Props = { verb: DeviceVerbName; devices: readonly Subject[]; onClose: (done: boolean) => void }

/** Asks for the input of a verb by the machine, and applies it to one device or to several. */
export const DeviceVerbDialog = ({ verb, devices, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const { asks } = lifecycleRule(verb)
  const { mutateAsync, isPending } = useApiMutation(endpointFor(verb, devices.length), {
    also: [schoolDevices.page],
    fieldsInline: true,
  })
  const label = enumLabel('deviceVerb', verb, lang)
  const submit = async (values: Record<string, unknown>): Promise<void> => {
    // `asks` of the same verb determines the fields of the body.
    await mutateAsync({ body: { ...bodyOf(devices), ...values } } as never).then(
      () => {
        notify.success(t('device.verbDone', { verb: label }))
        onClose(true)
      },
      async (error: unknown) => {
        if (await confirmChildren(error, t, lang)) return submit({ ...values, withChildren: true })
        showFieldErrors(form, error, lang)
      },
    )
  }
  const named = devices.slice(0, MAX_NAMED).map(({ sn }) => sn)
  return (
    <AppModal
      title={t('device.verbAsk', { verb: label, n: devices.length })}
      okText={label}
      okButtonProps={{ danger: verb === 'retire', loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={() => onClose(false)}
    >
      <Typography.Paragraph>
        {named.join(', ')}
        {devices.length > MAX_NAMED && ' …'}
      </Typography.Paragraph>
      {verb === 'retire' && <Typography.Paragraph>{t('device.retireHelp')}</Typography.Paragraph>}
      {verb === 'lost' && <Typography.Paragraph>{t('device.lostHelp')}</Typography.Paragraph>}
      <Form form={form} layout="vertical" onFinish={(values: Record<string, unknown>) => void submit(values)}>
        {asks.includes('school') && (
          <Field of={deviceVerbs.allocate.body} name="schoolId">
            <SchoolSelect placeholder={t('list.choose')} />
          </Field>
        )}
        {asks.includes('reason') && (
          <Field of={deviceVerbs.retire.body} name="reason">
            <Input.TextArea maxLength={200} showCount autoSize={{ minRows: 2 }} />
          </Field>
        )}
        {asks.includes('until') && (
          <Field of={deviceVerbs.suspend.body} name="until" extra={t('device.untilHelp')}>
            <InstantPicker />
          </Field>
        )}
      </Form>
    </AppModal>
  )
}
