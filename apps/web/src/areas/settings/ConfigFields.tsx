import { ConfigDraft, type ConfigRow, type ConfigType, configTypes } from '@tocsin/contract/settings/config'
import { Form, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { Field } from '#ui/Field.tsx'
import { ValueInput } from './ValueInput.tsx'

/** In the form every value is text. */
export const ValueField = ({ limits }: { limits: ConfigRow['limits'] }) => {
  const { t } = useTranslation()
  const valueType: ConfigType = Form.useWatch('valueType') ?? 'STRING'
  const { min, max, url } = limits ?? {}
  const bounds = min !== undefined && max !== undefined ? t('config.bounds', { min, max }) : undefined
  const rule = {
    validator: async (_: unknown, value: string | null) => {
      if (valueType !== 'INT' || !value) return
      if (!/^-?\d{1,15}$/.test(value)) throw new Error(bounds ?? t('config.whole'))
      if ((min !== undefined && Number(value) < min) || (max !== undefined && Number(value) > max))
        throw new Error(bounds)
    },
  }
  return (
    <Field of={ConfigDraft} name="value" rules={[rule]} extra={bounds ?? (url && t('config.urlHelp'))}>
      <ValueInput valueType={valueType} limits={limits} />
    </Field>
  )
}

export const TypeField = ({ fixed }: { fixed: boolean }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const form = Form.useFormInstance()
  return (
    <Field of={ConfigDraft} name="valueType" {...(fixed && { extra: t('config.fixed') })}>
      <Radio.Group
        disabled={fixed}
        options={enumOptions('configType', configTypes, lang)}
        // Input for one type is meaningless in another.
        onChange={({ target }) => form.setFieldValue('value', target.value === 'BOOLEAN' ? 'false' : undefined)}
      />
    </Field>
  )
}
