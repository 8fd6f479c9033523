import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

/** Shows the default time window of a log when the user chose none. */
export const WindowNote = () => {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  if (params.get('from') || params.get('to')) return null
  return <Typography.Text type="secondary">{t('log.lastDays')}</Typography.Text>
}
