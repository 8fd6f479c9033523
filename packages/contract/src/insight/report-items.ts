import type { EnumLabels } from '../field.ts'
import type { PeriodFigures, ReportFigures } from './report-figures.ts'

const THOUSAND = 1000
const levelSum = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const rounded = (value: number): number => Math.round(value * 100) / 100

/** The compared figures, in the order of the report; null: nothing was counted or measured. */
const readItem = {
  total: ({ govern }) => govern.total,
  level1: ({ govern }) => levelSum(govern.byDay.level1),
  level2: ({ govern }) => levelSum(govern.byDay.level2),
  level3: ({ govern }) => levelSum(govern.byDay.level3),
  level4: ({ govern }) => levelSum(govern.byDay.level4),
  falseAlarms: ({ govern }) => govern.falseAlarms.n,
  falseRate: ({ govern: { falseAlarms } }) =>
    falseAlarms.deviceDays > 0 ? rounded((falseAlarms.n / falseAlarms.deviceDays) * THOUSAND) : null,
  displayedP90: ({ govern }) => govern.hops.displayed.p90,
  claimedP90: ({ govern }) => govern.hops.claimed.p90,
  dispatchedP90: ({ govern }) => govern.hops.dispatched.p90,
  onSiteP90: ({ govern }) => govern.hops.onSite.p90,
  readiness: ({ readiness }) => readiness.score,
  planned: ({ duty }) => duty.planned,
  absent: ({ duty }) => duty.absent,
} satisfies Record<string, (figures: PeriodFigures) => number | null>

export type ReportItemKey = keyof typeof readItem
export type ReportItem = { key: ReportItemKey; now: number | null; before: number | null }

export const reportItemLabels: EnumLabels<ReportItemKey> = {
  total: ['警情', 'Alarms'],
  level1: ['一级警情', 'Alarms of level 1'],
  level2: ['二级警情', 'Alarms of level 2'],
  level3: ['三级警情', 'Alarms of level 3'],
  level4: ['四级警情', 'Alarms of level 4'],
  falseAlarms: ['误报', 'False alarms'],
  falseRate: ['误报，每千台日', 'False alarms per 1,000 device-days'],
  displayedP90: ['显示 P90（秒）', 'Displayed, P90 (s)'],
  claimedP90: ['接警 P90（秒）', 'Claimed, P90 (s)'],
  dispatchedP90: ['派人 P90（秒）', 'Sent, P90 (s)'],
  onSiteP90: ['到场 P90（秒）', 'On scene, P90 (s)'],
  readiness: ['就绪度', 'Readiness'],
  planned: ['排班', 'Planned shifts'],
  absent: ['缺岗', 'Absent shifts'],
}

const itemKeys = Object.keys(readItem) as ReportItemKey[]

export const listReportItems = ({ now, before }: ReportFigures): ReportItem[] =>
  itemKeys.map((key) => ({ key, now: readItem[key](now), before: readItem[key](before) }))

/** Null when one of the periods has no figure. */
export const changeOf = ({ now, before }: Pick<ReportItem, 'now' | 'before'>): number | null =>
  now === null || before === null ? null : rounded(now - before)

/** With its sign, and a minus that is as wide as the plus. */
export const changeText = (change: number): string => (change > 0 ? `+${change}` : String(change).replace('-', '−'))

/** A change in proportion to the larger figure: from 0 to 1, also where one period has none. */
const weightOf = ({ now, before }: ReportItem): number => {
  const largest = Math.max(now ?? 0, before ?? 0)
  return now === null || before === null || largest === 0 ? 0 : Math.abs(now - before) / largest
}

const LARGEST_CHANGES = 3

/** The figures that changed most against the period before. */
export const largestChanges = (figures: ReportFigures): ReportItem[] =>
  listReportItems(figures)
    .filter((item) => weightOf(item) > 0)
    .toSorted((first, second) => weightOf(second) - weightOf(first))
    .slice(0, LARGEST_CHANGES)
