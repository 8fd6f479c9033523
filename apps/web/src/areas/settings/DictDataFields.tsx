import { colorTypes, type DictDataRow } from '@tocsin/contract/settings/dict'
import { Form, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { EntryTag } from '#ui/dict/DictTag.tsx'
import { dictColors } from './colors.ts'

export const ColorChoice = (rest: { value?: DictDataRow['colorType']; onChange?: (color: string) => void }) => {
  const { t } = useTranslation()
  const options = colorTypes.map((color) => ({
    value: color,
    label: <EntryTag entry={{ label: t(dictColors[color]), colorType: color, cssClass: null }} />,
  }))
  return <Select allowClear options={options} {...rest} />
}

/** A preview of the tag while it is typed. */
export const TagPreview = () => {
  const { t } = useTranslation()
  const label: string | undefined = Form.useWatch('label')
  const colorType: DictDataRow['colorType'] = Form.useWatch('colorType') ?? null
  const cssClass: string | null = Form.useWatch('cssClass') ?? null
  return (
    <Form.Item label={t('dict.preview')}>
      <EntryTag entry={{ label: label?.trim() || t('dict.previewText'), colorType, cssClass }} />
    </Form.Item>
  )
}
