import { offsetMs } from '../time-zone.ts'

export const DAY_MS = 86_400_000
export const MINUTE_MS = 60_000
export const MINUTES_PER_DAY = 1440
export const ALL_WEEKDAYS = 127

/** A span of time; the end is not part of it. */
export type Span = { from: Date; to: Date }

/** When a post is to be manned: Monday is bit 0 of `weekdays`; a `toMin` that is not after `fromMin` is on the next day. */
export type PostHours = { weekdays: number; fromMin: number; toMin: number }

/** The beginning of the local day (TOCSIN_TZ) that holds an instant. */
export const startOfDay = (at: Date): Date => {
  const wall = at.getTime() + offsetMs(at.getTime())
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS
  return new Date(midnight - offsetMs(midnight - offsetMs(at.getTime())))
}

/** The beginning of a local day some days later; noon keeps it right where clocks change. */
export const addDays = (day: Date, days: number): Date =>
  startOfDay(new Date(startOfDay(day).getTime() + days * DAY_MS + DAY_MS / 2))

/** 0 is Monday. */
export const weekdayOf = (at: Date): number => (new Date(at.getTime() + offsetMs(at.getTime())).getUTCDay() + 6) % 7

export const startOfWeek = (at: Date): Date => addDays(at, -weekdayOf(at))

/** `yyyy-MM-dd` of an instant in the configured zone. */
export const localDay = (at: Date): string => new Date(at.getTime() + offsetMs(at.getTime())).toISOString().slice(0, 10)

/** `HH:mm` of a minute of the day; 1440 is 24:00. */
export const formatMinute = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

export const parseMinute = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

/** Part of the interface of a post: the span of one day, or undefined when the post is not manned on it. */
export const slotOnDay = ({ weekdays, fromMin, toMin }: PostHours, day: Date): Span | undefined => {
  if ((weekdays & (1 << weekdayOf(day))) === 0) return undefined
  const start = startOfDay(day).getTime()
  const lasts = toMin > fromMin ? toMin - fromMin : toMin - fromMin + MINUTES_PER_DAY
  const from = start + fromMin * MINUTE_MS
  return { from: new Date(from), to: new Date(from + lasts * MINUTE_MS) }
}

/** The spans in which a post is to be manned that overlap a window; cut to it. */
export const slotsWithin = (hours: PostHours, window: Span): Span[] => {
  const slots: Span[] = []
  for (let day = addDays(window.from, -1); day < window.to; day = addDays(day, 1)) {
    const slot = slotOnDay(hours, day)
    if (!slot || slot.to <= window.from || slot.from >= window.to) continue
    slots.push({
      from: slot.from < window.from ? window.from : slot.from,
      to: slot.to > window.to ? window.to : slot.to,
    })
  }
  return slots
}

/** The union of spans, in order. */
export const mergeSpans = (spans: readonly Span[]): Span[] => {
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = merged.at(-1)
    if (!last || span.from > last.to) merged.push({ ...span })
    else if (span.to > last.to) last.to = span.to
  }
  return merged
}

/** The parts of some spans that no other span covers. */
export const subtractSpans = (spans: readonly Span[], covered: readonly Span[]): Span[] => {
  const cover = mergeSpans(covered)
  return mergeSpans(spans).flatMap((span) => {
    const left: Span[] = []
    let { from } = span
    for (const item of cover) {
      if (item.to <= from || item.from >= span.to) continue
      if (item.from > from) left.push({ from, to: item.from })
      if (item.to > from) from = item.to
    }
    return from < span.to ? [...left, { from, to: span.to }] : left
  })
}
