import type { ConfigRow } from '@tocsin/contract/settings/config'
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { LongText } from '#ui/LongText.tsx'

/** Built-in settings have names in both languages, others the one that users gave them. */
export const NameText = ({ setting }: { setting: ConfigRow }) => (
  <>{(useLang() === 'en' && setting.nameEn) || setting.name}</>
)

export const RemarkText = ({ setting }: { setting: ConfigRow }) => (
  <LongText width={130} text={(useLang() === 'en' && setting.remarkEn) || setting.remark} />
)

/** A value formatted by its type. */
export const ValueText = ({ setting: { value, valueType } }: { setting: ConfigRow }) => {
  const { t } = useTranslation()
  if (value === '') return <Typography.Text type="secondary">{t('config.empty')}</Typography.Text>
  if (valueType === 'BOOLEAN') return <>{t(value === 'true' ? 'list.yes' : 'list.no')}</>
  if (valueType === 'INT') return <span className="figures">{value}</span>
  if (valueType === 'JSON') return <LongText text={value} code />
  return <LongText text={value} />
}
