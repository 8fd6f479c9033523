import type { Govern } from '@tocsin/contract/insight/govern'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { Chart } from '#ui/chart/Chart.tsx'

/** Reports store the same figures without the map. */
export type GovernChartProps = {
  figures: Omit<Govern, 'places'>
  /** The list of the counted alarms. */
  to?: string | undefined
}

const levels = [1, 2, 3, 4] as const
const grid = { top: 36, left: 8, right: 16, bottom: 4, outerBoundsMode: 'same' as const }

/** 1970-01-05 was a Monday. */
const weekdayName = (weekday: number, lang: string): string =>
  new Intl.DateTimeFormat(lang, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(1970, 0, 5 + weekday))

/** Alarms by day, stacked by level. */
export const ByDayChart = ({ figures: { days, byDay }, to }: GovernChartProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const name = (level: number) => enumLabel('level', level, lang)
  const sums = days.map((_, at) => levels.reduce((sum, level) => sum + (byDay[`level${level}`][at] ?? 0), 0))
  const most = Math.max(0, ...sums)
  const peak = days[sums.indexOf(most)] ?? ''
  const option = useMemo(
    () => ({
      legend: { top: 0 },
      grid,
      xAxis: { type: 'category', data: days.map((day) => day.slice(5)) },
      yAxis: { type: 'value', minInterval: 1 },
      series: levels.map((level) => ({
        type: 'bar',
        stack: 'level',
        name: enumLabel('level', level, lang),
        data: byDay[`level${level}`],
      })),
    }),
    [days, byDay, lang],
  )
  const rows = days.map((day, at) => [day, ...levels.map((level) => byDay[`level${level}`][at] ?? 0)])
  return (
    <Chart
      title={most > 0 ? t('govern.byDayPeak', { day: peak, n: most }) : t('govern.byDay')}
      subtitle={t('govern.byDay')}
      option={option}
      to={to}
      table={{ headings: [t('govern.day'), ...levels.map(name)], rows }}
    />
  )
}

/** Classes compared with the period before. */
export const ByClassChart = ({ figures: { byClass }, to }: GovernChartProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const sorted = useMemo(() => byClass.toSorted((a, b) => b.n - a.n), [byClass])
  const [largest] = byClass.toSorted((a, b) => Math.abs(b.n - b.before) - Math.abs(a.n - a.before))
  const change = largest ? largest.n - largest.before : 0
  const title = largest
    ? t('govern.biggest', {
        class: enumLabel('warnClass', largest.class, lang),
        change: change > 0 ? `+${change}` : String(change),
      })
    : t('govern.byClass')
  const option = useMemo(
    () => ({
      legend: { top: 0 },
      grid,
      xAxis: { type: 'category', data: sorted.map((row) => enumLabel('warnClass', row.class, lang)) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        { type: 'bar', name: t('govern.now'), data: sorted.map(({ n }) => n) },
        { type: 'bar', name: t('govern.before'), data: sorted.map(({ before }) => before) },
      ],
    }),
    [sorted, lang, t],
  )
  const rows = sorted.map((row) => [enumLabel('warnClass', row.class, lang), row.n, row.before])
  return (
    <Chart
      title={title}
      subtitle={t('govern.byClass')}
      option={option}
      to={to}
      table={{ headings: [t('govern.class'), t('govern.now'), t('govern.before')], rows }}
    />
  )
}

/** Causes of false alarms. */
export const CausesChart = ({ figures: { falseAlarms }, to }: GovernChartProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { causes } = falseAlarms
  const name = (cause: string) => (cause.startsWith('FALSE_') ? enumLabel('disposition', cause, lang) : cause)
  const option = useMemo(() => {
    const label = (cause: string) => (cause.startsWith('FALSE_') ? enumLabel('disposition', cause, lang) : cause)
    return {
      grid: { ...grid, top: 8 },
      xAxis: { type: 'value', minInterval: 1 },
      yAxis: { type: 'category', inverse: true, data: causes.map(({ cause }) => label(cause)) },
      series: [{ type: 'bar', data: causes.map(({ n }) => n) }],
    }
  }, [causes, lang])
  const [first] = causes
  return (
    <Chart
      title={first ? t('govern.causesFinding', { cause: name(first.cause) }) : t('govern.noFalse')}
      subtitle={t('govern.causes')}
      option={option}
      to={to}
      table={{
        headings: [t('govern.cause'), t('govern.count')],
        rows: causes.map(({ cause, n }) => [name(cause), n]),
      }}
    />
  )
}

/** Weekday by hour. */
export const HoursChart = ({ figures: { hours }, to }: GovernChartProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [peak] = hours.toSorted((a, b) => b.n - a.n)
  const option = useMemo(
    () => ({
      tooltip: { trigger: 'item' },
      grid: { ...grid, top: 8, bottom: 48 },
      xAxis: { type: 'category', data: Array.from({ length: 24 }, (_, hour) => String(hour)) },
      yAxis: {
        type: 'category',
        inverse: true,
        data: Array.from({ length: 7 }, (_, weekday) => weekdayName(weekday, lang)),
      },
      visualMap: {
        min: 0,
        max: Math.max(1, ...hours.map(({ n }) => n)),
        orient: 'horizontal',
        left: 'center',
        bottom: 0,
        inRange: { color: ['#e7f0ff', '#0b57c2'] },
      },
      series: [
        { type: 'heatmap', data: hours.map(({ weekday, hour, n }) => [hour, weekday, n]), label: { show: true } },
      ],
    }),
    [hours, lang],
  )
  return (
    <Chart
      title={
        peak ? t('govern.hoursFinding', { day: weekdayName(peak.weekday, lang), hour: peak.hour }) : t('govern.hours')
      }
      subtitle={t('govern.hours')}
      option={option}
      to={to}
      table={{
        headings: [t('govern.weekday'), t('govern.hour'), t('govern.count')],
        rows: hours.map(({ weekday, hour, n }) => [weekdayName(weekday, lang), hour, n]),
      }}
    />
  )
}
