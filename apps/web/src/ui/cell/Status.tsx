import { Select, type SelectProps } from 'antd'
import { useTranslation } from 'react-i18next'
import { ToneTag } from '../tone/ToneTag.tsx'

export const StatusTag = ({ enabled }: { enabled: boolean }) => {
  const { t } = useTranslation()
  return <ToneTag tone={enabled ? 'done' : 'calm'}>{t(enabled ? 'system.enabled' : 'system.disabled')}</ToneTag>
}

type Choice = { value: boolean; label: string }

/** Select of enabled or disabled; an empty filter means both. */
export const StatusSelect = (rest: SelectProps<boolean, Choice>) => {
  const { t } = useTranslation()
  const options = [
    { value: true, label: t('system.enabled') },
    { value: false, label: t('system.disabled') },
  ]
  return <Select<boolean, Choice> options={options} placeholder={t('list.all')} {...rest} />
}
