import {
  capabilities,
  commandTypes,
  DeviceModelDraft,
  DeviceModelRow,
  deviceKinds,
  deviceModels,
  deviceProtocols,
  lockedModelFields,
  powerSources,
} from '@tocsin/contract/device/model'
import { Alert, Button, Checkbox, Divider, Form, Input, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { enumLabel, enumOptions, enumValues } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { Field } from '#ui/Field.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { BatteryCurveInput } from './BatteryCurveInput.tsx'

const newModel = {
  protocol: 'TOCSIN',
  alarmCodes: [],
  heartbeatSec: 30,
  offlineAfterSec: 90,
  batteryCurve: null,
  capabilities: [],
  commandSchema: [],
}

/** In the form, capabilities and commands are lists of ticked values. */
const toForm = (model: DeviceModelRow) => ({
  ...model,
  capabilities: capabilities.filter((name) => model.capabilities[name]),
  commandSchema: Object.keys(model.commandSchema),
})

const toBody = (values: Record<string, unknown>, known: DeviceModelRow['commandSchema']): DeviceModelDraft => {
  const has = values['capabilities'] as readonly string[]
  const types = values['commandSchema'] as (typeof commandTypes)[number][]
  return toDraft(DeviceModelDraft, {
    ...values,
    capabilities: Object.fromEntries(capabilities.map((name) => [name, has.includes(name)])),
    // The payload schema of a manufacturer stays; a new command accepts any object.
    commandSchema: Object.fromEntries(types.map((type) => [type, known[type] ?? { type: 'object' }])),
  })
}

const Codes = (rest: object) => {
  const lang = useLang()
  const options = enumValues('alarmCode').map((value) => ({
    value,
    label: `${enumLabel('alarmCode', value, lang)} ${value}`,
  }))
  return (
    <Select
      mode="tags"
      options={options}
      tokenSeparators={[',', ' ']}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}

const Effect = () => {
  const { t } = useTranslation()
  const offline: number | undefined = Form.useWatch('offlineAfterSec')
  return offline ? <Alert type="info" showIcon title={t('device.offlineEffect', { n: offline })} /> : null
}

type Props = {
  /** `copy`: a new model with the values of the given one. */
  open: { what: 'new' } | { what: 'edit' | 'copy'; model: DeviceModelRow }
  readOnly: boolean
  onCopy: (model: DeviceModelRow) => void
  onClose: () => void
}

const Locked = ({ model, onCopy }: { model: DeviceModelRow; onCopy: () => void }) => {
  const { t } = useTranslation()
  return (
    <Alert
      type="warning"
      showIcon
      style={{ marginBlockEnd: 16 }}
      title={t('device.modelLocked', { n: model.deviceCount })}
      action={<Button onClick={onCopy}>{t('device.copyModel')}</Button>}
    />
  )
}

const IdentityFields = ({ isLocked }: { isLocked: (field: string) => boolean }) => {
  const lang = useLang()
  return (
    <>
      <Field of={DeviceModelDraft} name="vendor">
        <Input maxLength={64} />
      </Field>
      <Field of={DeviceModelDraft} name="name">
        <Input maxLength={64} />
      </Field>
      <Field of={DeviceModelDraft} name="productKey">
        <Input maxLength={20} disabled={isLocked('productKey')} />
      </Field>
      <Field of={DeviceModelDraft} name="kind">
        <Select options={enumOptions('deviceKind', deviceKinds, lang)} disabled={isLocked('kind')} />
      </Field>
      <Field of={DeviceModelDraft} name="protocol">
        <Select options={enumOptions('deviceProtocol', deviceProtocols, lang)} disabled={isLocked('protocol')} />
      </Field>
    </>
  )
}

/**
 * Creates, copies or changes a model; on a model in use the fields that signals depend on are locked, with the reason.
 */
export const ModelDrawer = ({ open, readOnly, onCopy, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const create = useApiMutation(deviceModels.create, { fieldsInline: true })
  const update = useApiMutation(deviceModels.update, { fieldsInline: true })
  const model = open.what === 'edit' ? open.model : undefined
  const source = open.what === 'new' ? undefined : open.model
  const isLocked = (field: string) => (model?.deviceCount ?? 0) > 0 && lockedModelFields.some((item) => item === field)
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const body = toBody(values, source?.commandSchema ?? {})
    if (model) await update.mutateAsync({ body: { ...body, id: model.id, version: newer ?? model.version } })
    else await create.mutateAsync({ body })
    notify.success(t(model ? 'list.saved' : 'list.created'))
  }
  const copied = open.what === 'copy' ? { productKey: '', name: t('device.copyOf', { name: open.model.name }) } : {}
  return (
    <EditDrawer
      title={model ? `${model.vendor} ${model.name}` : t('device.newModel')}
      initialValues={source ? { ...toForm(source), ...copied } : newModel}
      save={save}
      reading={readAs(DeviceModelRow)}
      onClose={onClose}
      readOnly={readOnly}
      size="min(720px, 100vw)"
    >
      {model && model.deviceCount > 0 && !readOnly && <Locked model={model} onCopy={() => onCopy(model)} />}
      <IdentityFields isLocked={isLocked} />
      <Divider titlePlacement="start">{t('device.signals')}</Divider>
      <Field
        of={DeviceModelDraft}
        name="alarmCodes"
        {...(isLocked('alarmCodes') && { extra: t('device.codesLocked') })}
      >
        <Codes />
      </Field>
      <Field of={DeviceModelDraft} name="heartbeatSec">
        <InputNumber min={5} max={86_400} precision={0} style={{ width: '100%' }} />
      </Field>
      <Field of={DeviceModelDraft} name="offlineAfterSec">
        <InputNumber min={10} max={604_800} precision={0} style={{ width: '100%' }} />
      </Field>
      <Effect />
      <Divider titlePlacement="start">{t('device.abilities')}</Divider>
      <Field of={DeviceModelDraft} name="power">
        <Select options={enumOptions('power', powerSources, lang)} />
      </Field>
      <Field of={DeviceModelDraft} name="batteryCurve" extra={t('device.curveHelp')}>
        <BatteryCurveInput />
      </Field>
      <Form.Item name="capabilities" label={t('device.capabilities')}>
        <Checkbox.Group options={enumOptions('capability', capabilities, lang)} />
      </Form.Item>
      <Form.Item name="commandSchema" label={t('device.commands')}>
        <Checkbox.Group options={enumOptions('commandType', commandTypes, lang)} />
      </Form.Item>
    </EditDrawer>
  )
}
