import { capabilities, commandTypes, type DeviceModelRow } from '@tocsin/contract/device/model'
import { Alert, Button, Checkbox, Form, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { enumLabel, enumOptions, enumValues } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'

export const AlarmCodeSelect = (rest: object) => {
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

export const OfflineEffect = () => {
  const { t } = useTranslation()
  const offline: number | undefined = Form.useWatch('offlineAfterSec')
  return offline ? <Alert type="info" showIcon title={t('device.offlineEffect', { n: offline })} /> : null
}

/** Above the form of a model in use: fields that signals depend on are locked, and how to go on. */
export const LockedAlert = ({ model, onCopy }: { model: DeviceModelRow; onCopy: () => void }) => {
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

/** Capabilities and commands as lists of ticked values. */
export const AbilityFields = () => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <>
      <Form.Item name="capabilities" label={t('device.capabilities')}>
        <Checkbox.Group options={enumOptions('capability', capabilities, lang)} />
      </Form.Item>
      <Form.Item name="commandSchema" label={t('device.commands')}>
        <Checkbox.Group options={enumOptions('commandType', commandTypes, lang)} />
      </Form.Item>
    </>
  )
}
