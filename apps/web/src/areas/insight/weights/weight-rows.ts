import { lookupLabel, type Lang } from '@tocsin/contract/field'
import { BATTERY_AHEAD_DAYS, type ReadinessCode, readinessCodes } from '@tocsin/contract/insight/readiness'
import { readinessLabels } from '@tocsin/contract/insight/readiness-labels'
import { thresholdRanges, type Weights } from '@tocsin/contract/insight/weights/readiness-weights'
import { i18n } from '#texts/i18n.ts'

/** One step of a reason; `n` counts from 0. */
export type WeightRow = { key: string; code: ReadinessCode; n: number; over: number; points: number }

export const toRows = (weights: Weights): WeightRow[] =>
  readinessCodes.flatMap((code) =>
    weights[code].map(({ over, points }, n) => ({ key: `weights.${code}.${n}`, code, n, over, points })),
  )

export const reasonText = (code: ReadinessCode, lang: Lang): string =>
  lookupLabel(readinessLabels.readinessCode, code, lang)

/** The unit of a threshold that can be set; undefined for a fixed one. */
export const unitOf = ({ code, n }: Pick<WeightRow, 'code' | 'n'>): string | undefined => {
  const range = thresholdRanges[code][n]
  if (!range || range.min === range.max) return undefined
  if (code === 'PRESS') return i18n.t('weights.days')
  return code === 'HEARTBEAT' ? i18n.t('weights.percent') : i18n.t('weights.seconds')
}

/** When a step counts; a fact needs no words. */
export const conditionText = (row: Pick<WeightRow, 'code' | 'n' | 'over'>): string => {
  const unit = unitOf(row)
  if (unit) return `> ${row.over} ${unit}`
  if (row.code === 'BATTERY') return i18n.t('weights.charge', { n: 100 - row.over })
  if (row.code === 'BATTERY_AHEAD') return i18n.t('weights.battery', { n: BATTERY_AHEAD_DAYS - row.over })
  return ''
}

/** The steps that differ between two versions, as texts. */
export const compareWeights = (before: Weights, after: Weights, lang: Lang): string[] => {
  const text = (row: WeightRow) => [conditionText(row), `−${row.points}`].filter((part) => part !== '').join(' ')
  const old = new Map(toRows(before).map((row) => [row.key, text(row)]))
  return toRows(after).flatMap((row) =>
    old.get(row.key) === text(row) ? [] : [`${reasonText(row.code, lang)}: ${old.get(row.key) ?? '–'} → ${text(row)}`],
  )
}

/** The weights with one value of one step replaced. */
export const replaceStep = (weights: Weights, { code, n }: WeightRow, change: { over?: number; points?: number }) => ({
  ...weights,
  [code]: weights[code].map((step, at) => (at === n ? { ...step, ...change } : step)),
})
