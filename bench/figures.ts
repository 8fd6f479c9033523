import { sortedPercentile } from '../tools/simulator/counters.ts'

/** Percentile by nearest rank; 0 when empty. */
export const percentile = (values: readonly number[], percent: number): number =>
  sortedPercentile(
    values.toSorted((a, b) => a - b),
    percent,
  )

export const median = (values: readonly number[]): number => percentile(values, 50)

export const round = (value: number): number => (value < 10 ? Math.round(value * 100) / 100 : Math.round(value))

/** One line of the report: median, single runs, and ratios to other figures. */
export type BenchFigure = { name: string; unit: string; runs: number[]; ratios?: Record<string, number> }

const ratio = (value: number, [name, base]: [string, number]): string => `${(value / base).toFixed(2)} × ${name}`

export const formatFigure = ({ name, unit, runs, ratios = {} }: BenchFigure): string => {
  const middle = median(runs)
  const compared = Object.entries(ratios).map((item) => ratio(middle, item))
  const spread = `${round(Math.min(...runs))} to ${round(Math.max(...runs))} in ${runs.length} runs`
  return [`${name}: ${round(middle)} ${unit}`, `(${spread})`, ...compared].join('  ')
}
