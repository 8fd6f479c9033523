import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useCan } from '#api/session.ts'

/** In place of a bell that could not be loaded: nobody may take its silence for peace. */
export const NoBell = () => {
  const { t } = useTranslation()
  return useCan('warn:record:claim') ? <Alert banner type="error" role="alert" title={t('desk.bellMissing')} /> : null
}
