import { ConfigDraft, type ConfigRow, type ConfigType } from '@tocsin/contract/settings/config'
import { Input, Radio, Select } from 'antd'
import type { ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'

type Props = {
  valueType: ConfigType
  limits: ConfigRow['limits']
  /** Set by the form item. */
  value?: string | null
  onChange?: (value: string | null) => void
  id?: string
}

const LENGTH = ConfigDraft.shape.value.unwrap().maxLength ?? Number.POSITIVE_INFINITY

/** Formatted on blur, and left unchanged when it is invalid JSON or would become too long. */
const laidOut = (text: string): string => {
  try {
    const whole = JSON.stringify(JSON.parse(text), null, 2)
    return whole.length > LENGTH ? text : whole
  } catch {
    return text
  }
}

/** An input for each type of value; each returns text. */
export const ValueInput = ({ valueType, limits, value = null, onChange, id }: Props) => {
  const { t } = useTranslation()
  const field = { ...(id && { id }), value, onChange: (next: string | null) => onChange?.(next) }
  const typed = {
    ...(id && { id }),
    value: value ?? '',
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange?.(target.value),
  }
  switch (valueType) {
    case 'BOOLEAN':
      return (
        <Radio.Group
          {...(id && { id })}
          value={value}
          onChange={({ target }) => onChange?.(String(target.value))}
          options={[
            { value: 'true', label: t('list.yes') },
            { value: 'false', label: t('list.no') },
          ]}
        />
      )
    case 'INT':
      // The form shows out-of-range values; a number input would silently keep the earlier value.
      return <Input {...typed} maxLength={16} inputMode="numeric" />
    case 'JSON':
      return (
        <Input.TextArea
          {...typed}
          className="code-input"
          maxLength={LENGTH}
          showCount
          autoSize={{ minRows: 4, maxRows: 16 }}
          onBlur={() => value && onChange?.(laidOut(value))}
        />
      )
    case 'STRING':
      if (limits?.choices)
        return <Select {...field} options={limits.choices.map((choice) => ({ value: choice, label: choice }))} />
      if (limits?.secret) return <Input.Password {...typed} maxLength={LENGTH} autoComplete="new-password" />
      return <Input.TextArea {...typed} maxLength={LENGTH} showCount autoSize={{ minRows: 1, maxRows: 8 }} />
  }
}
