import { z } from 'zod'
import { warnClasses } from '../alarm/rule.ts'
import { Day, Id } from '../codecs.ts'

/** Changes whenever a figure is counted differently; stored with every report. */
export const FIGURES_VERSION = 1

const count = z.int().min(0)
const seconds = z.number().min(0).nullable()
const hop = z.strictObject({ n: count, p50: seconds, p90: seconds, p99: seconds })
const counts = z.array(count)
const share = z.number().min(0)

/**
 * The figures of governance as version 1 stores them. Issued reports never change, so neither does this schema: fields
 * that are counted later are optional, or belong to another version.
 */
const GovernFigures = z.strictObject({
  days: z.array(Day),
  /** Alarms by day and level, in the order of `days`. */
  byDay: z.strictObject({ level1: counts, level2: counts, level3: counts, level4: counts }),
  byClass: z.array(z.strictObject({ class: z.enum(warnClasses), n: count, before: count })),
  total: count,
  /** In the calendar period before. */
  totalBefore: count,
  hops: z.strictObject({ displayed: hop, claimed: hop, dispatched: hop, onSite: hop }),
  /** Schools with most alarms. */
  schools: z.array(z.strictObject({ schoolId: Id, schoolName: z.string(), n: count, claimed: hop, onSite: hop })),
  falseAlarms: z.strictObject({
    n: count,
    resolved: count,
    deviceDays: share,
    pupils: count,
    causes: z.array(z.strictObject({ cause: z.string(), n: count })),
  }),
  /** By weekday (0 is Monday) and hour. */
  hours: z.array(z.strictObject({ weekday: z.int().min(0).max(6), hour: z.int().min(0).max(23), n: count })),
  /** Schools by their rate of false alarms, with the 95 % interval. */
  league: z.array(
    z.strictObject({
      schoolId: Id,
      schoolName: z.string(),
      events: count,
      exposure: share,
      rate: share,
      low: share,
      high: share,
      rank: z.int().min(1),
    }),
  ),
})

const PeriodFigures = z.strictObject({
  govern: GovernFigures,
  duty: z.strictObject({ planned: count, absent: count }),
  readiness: z.strictObject({
    score: z.int().nullable(),
    days: z.array(z.strictObject({ day: Day, score: z.int() })),
  }),
})
export type PeriodFigures = z.output<typeof PeriodFigures>

/** The figures of the period and of the calendar period before it. */
export const ReportFigures = z.strictObject({ now: PeriodFigures, before: PeriodFigures })
export type ReportFigures = z.output<typeof ReportFigures>
