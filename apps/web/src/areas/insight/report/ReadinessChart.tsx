import type { Report } from '@tocsin/contract/insight/report'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from '#ui/chart/Chart.tsx'

type Props = { days: Report['figures']['now']['readiness']['days'] }

/** The mean readiness of the schools, by day. */
export const ReadinessChart = ({ days }: Props) => {
  const { t } = useTranslation()
  const option = useMemo(
    () => ({
      grid: { top: 12, left: 8, right: 16, bottom: 4, outerBoundsMode: 'same' as const },
      xAxis: { type: 'category', data: days.map(({ day }) => day.slice(5)) },
      yAxis: { type: 'value', min: 0, max: 100 },
      series: [{ type: 'bar', name: t('readiness.score'), data: days.map(({ score }) => score) }],
    }),
    [days, t],
  )
  const [first, last] = [days.at(0), days.at(-1)]
  if (!first || !last) return null
  return (
    <Chart
      title={t('report.readinessFinding', { from: first.score, to: last.score })}
      subtitle={t('report.readinessDays')}
      option={option}
      table={{
        headings: [t('readiness.day'), t('readiness.score')],
        rows: days.map(({ day, score }) => [day, score]),
      }}
    />
  )
}
