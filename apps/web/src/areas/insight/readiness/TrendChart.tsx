import type { SchoolReadinessDetail } from '@tocsin/contract/insight/readiness'
import { Typography } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from '#ui/chart/Chart.tsx'

/** The days on which another version of the weights began to count. */
const findSteps = (days: SchoolReadinessDetail['days']) =>
  days.filter(({ weightsVersion }, n) => {
    const before = days[n - 1]?.weightsVersion
    return weightsVersion !== null && typeof before === 'number' && before !== weightsVersion
  })

/** One value a day for at most 90 days. */
export const TrendChart = ({ days }: Pick<SchoolReadinessDetail, 'days'>) => {
  const { t } = useTranslation()
  const steps = findSteps(days)
  const option = useMemo(
    () => ({
      grid: { top: 12, left: 8, right: 16, bottom: 4, outerBoundsMode: 'same' as const },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', boundaryGap: false, data: days.map(({ day }) => day.slice(5)) },
      yAxis: { type: 'value', min: 0, max: 100 },
      series: [{ type: 'line', name: t('readiness.score'), data: days.map(({ score }) => score), symbolSize: 5 }],
    }),
    [days, t],
  )
  const [first, last] = [days.at(0), days.at(-1)]
  if (!first || !last || days.length < 2)
    return <Typography.Text type="secondary">{t('readiness.trendShort')}</Typography.Text>
  const list = steps.map(({ day, weightsVersion }) => t('weights.trendStep', { day, n: weightsVersion ?? 0 }))
  return (
    <>
      <Chart
        title={t('readiness.trendFinding', { from: first.score, to: last.score })}
        subtitle={t('readiness.trend')}
        option={option}
        height={200}
        table={{
          headings: [t('readiness.day'), t('readiness.score')],
          rows: days.map(({ day, score }) => [day, score]),
        }}
      />
      {list.length > 0 && (
        <Typography.Text type="secondary">{t('weights.trendSteps', { list: list.join(' · ') })}</Typography.Text>
      )}
    </>
  )
}
