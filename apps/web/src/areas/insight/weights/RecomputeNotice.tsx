import { readinessWeights } from '@tocsin/contract/insight/weights/readiness-weights'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'

/** Shown after other weights were published, until every visible school is computed by them. */
export const RecomputeNotice = () => {
  const { t } = useTranslation()
  const { data } = useQuery(inlineQuery(readinessWeights.get, {}))
  if (!data || data.outdated === 0) return null
  const { current, outdated, schools } = data
  return (
    <Alert
      type="info"
      showIcon
      role="status"
      title={t('weights.recomputing', { n: current.version, left: outdated, all: schools })}
    />
  )
}
