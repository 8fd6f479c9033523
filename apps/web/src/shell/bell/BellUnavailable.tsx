import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'

/** In place of a bell that could not be loaded: no badge must not mean no notices. */
export const BellUnavailable = () => {
  const { t } = useTranslation()
  return useHasPermission(['warn:record:claim', 'police:situation:receive']) ? (
    <Alert banner type="error" role="alert" title={t('desk.bellMissing')} />
  ) : null
}
