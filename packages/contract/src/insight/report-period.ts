import { addDays, localDay, type Span, startOfDay, startOfWeek } from '../security/hours.ts'
import { parseInstant } from '../codecs.ts'

export const reportKinds = ['DAY', 'WEEK', 'MONTH'] as const
export type ReportKind = (typeof reportKinds)[number]

const firstOfMonth = (at: Date): Date => {
  const first = parseInstant(`${localDay(at).slice(0, 7)}-01`)
  if (!first) throw new Error('a month has a first day')
  return first
}

/** Enough days to leave any month from its first day. */
const MONTH_AND_MORE = 32

/** The calendar period that contains an instant: a day, a week from Monday, or a month. */
export const periodAt = (kind: ReportKind, at: Date): Span => {
  if (kind === 'DAY') return { from: startOfDay(at), to: addDays(at, 1) }
  if (kind === 'WEEK') return { from: startOfWeek(at), to: addDays(startOfWeek(at), 7) }
  const from = firstOfMonth(at)
  return { from, to: firstOfMonth(addDays(from, MONTH_AND_MORE)) }
}

export const periodBefore = (kind: ReportKind, { from }: Span): Span => periodAt(kind, addDays(from, -1))

/** First and last day. */
export const periodDays = ({ from, to }: Span): { fromDay: string; toDay: string } => ({
  fromDay: localDay(from),
  toDay: localDay(addDays(to, -1)),
})
