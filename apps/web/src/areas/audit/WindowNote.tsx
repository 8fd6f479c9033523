import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

/** Says of which time a log shows anything, when nobody chose one. */
export const WindowNote = () => {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  if (params.get('from') || params.get('to')) return null
  return <Typography.Text type="secondary">{t('log.lastDays')}</Typography.Text>
}
