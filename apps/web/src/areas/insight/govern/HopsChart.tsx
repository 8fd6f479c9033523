import type { Hop } from '@tocsin/contract/insight/govern'
import { responseLimitSec } from '@tocsin/contract/insight/home'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from '#ui/chart/Chart.tsx'
import type { GovernChartProps } from './GovernCharts.tsx'

const hops = ['displayed', 'claimed', 'dispatched', 'onSite'] as const satisfies Hop[]
const percentiles = ['p50', 'p90', 'p99'] as const

/** Sending people has no target of its own: the one of arrival includes it. */
const targets: Partial<Record<Hop, number>> = responseLimitSec

/** Percent of the width that each step has; the steps differ by orders of magnitude, so each has its own scale. */
const STEP_WIDTH = 100 / hops.length

/** Percentiles of each step with its target. */
export const HopsChart = ({ figures, to }: GovernChartProps) => {
  const { t } = useTranslation()
  const stats = figures.hops
  const option = useMemo(() => {
    const names = percentiles.map((part) => part.toUpperCase())
    const nameOf = (hop: Hop) => {
      const target = targets[hop]
      return [t(`govern.${hop}`), target !== undefined && t('govern.targetOf', { n: target })]
        .filter(Boolean)
        .join('\n')
    }
    const valueOf = (hop: Hop) => percentiles.map((part) => stats[hop][part])
    const highest = (hop: Hop) => Math.max(0, ...valueOf(hop).map((value) => value ?? 0), targets[hop] ?? 0)
    return {
      legend: { top: 0 },
      tooltip: { trigger: 'item' },
      grid: hops.map((_, at) => ({
        top: 56,
        bottom: 64,
        left: `${at * STEP_WIDTH + 1}%`,
        width: `${STEP_WIDTH - 2}%`,
      })),
      xAxis: hops.map((hop, at) => ({
        type: 'category',
        gridIndex: at,
        data: names,
        name: nameOf(hop),
        nameLocation: 'middle',
        nameGap: 26,
        axisTick: { show: false },
      })),
      // The bars carry their values.
      yAxis: hops.map((hop, at) => ({ type: 'value', gridIndex: at, show: false, max: highest(hop) * 1.15 || 1 })),
      series: hops.flatMap((hop, at) => {
        const axes = { xAxisIndex: at, yAxisIndex: at }
        const target = targets[hop]
        const bars = {
          ...axes,
          type: 'bar',
          name: t('govern.measured'),
          data: valueOf(hop),
          barMaxWidth: 40,
          label: { show: true, position: 'top' },
        }
        if (target === undefined) return [bars]
        const line = {
          ...axes,
          type: 'line',
          name: t('govern.target'),
          data: names.map(() => target),
          symbol: 'circle',
          symbolSize: 2,
          lineStyle: { type: 'dashed', width: 2 },
          z: 3,
        }
        return [bars, line]
      }),
    }
  }, [stats, t])
  const rows = hops.map((hop) => [
    t(`govern.${hop}`),
    stats[hop].n,
    ...percentiles.map((part) => stats[hop][part] ?? '–'),
    targets[hop] ?? '–',
  ])
  const { p90 } = stats.claimed
  const headings = [t('govern.hop'), t('govern.count'), 'P50 (s)', 'P90 (s)', 'P99 (s)', t('govern.targetSec')]
  return (
    <Chart
      title={p90 === null ? t('govern.hopsNone') : t('govern.hopsFinding', { n: p90 })}
      subtitle={t('govern.hops')}
      option={option}
      to={to}
      table={{ headings, rows }}
    />
  )
}
