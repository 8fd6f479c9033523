import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { dedupKey } from '#areas/alarm/intake/evaluate-rules'

/** A stored signal as a rule sees it again. */
export type PastSignal = {
  deviceId: number
  schoolId: number | null
  zone: string | null
  code: string
  at: Date
}

/** Signals of one subject within this time would have been one alarm. */
export const ONE_ALARM_MS = 600_000

type Replayed = Pick<
  WarnRule,
  'id' | 'class' | 'dedupBy' | 'autoRecover' | 'condition' | 'repeatCount' | 'withinSec' | 'matchCodes' | 'recoverCodes'
>

/** When the condition of the rule is met at the signals of one subject, in the order of time. */
const findMet = (rule: Replayed, signals: readonly PastSignal[]): Date[] => {
  const windowMs = (rule.withinSec ?? 0) * 1000
  const starts = signals.filter(({ code }) => rule.matchCodes.includes(code))
  if (rule.condition === 'INSTANT') return starts.map(({ at }) => at)
  if (rule.condition === 'REPEAT') {
    const need = rule.repeatCount ?? 1
    return starts.flatMap(({ at }, n) => {
      const first = starts[n - need + 1]
      return first && at.getTime() - first.at.getTime() <= windowMs ? [at] : []
    })
  }
  const ends = rule.condition === 'NO_DATA' ? rule.matchCodes : rule.recoverCodes
  return starts.flatMap(({ at }, n) => {
    const due = new Date(at.getTime() + windowMs)
    const isOver = signals
      .slice(signals.indexOf(starts[n] as PastSignal) + 1)
      .some((later) => later.at < due && ends.includes(later.code))
    return isOver ? [] : [due]
  })
}

/** The alarms that the rule would have raised from signals in the order of time, each with the signal before it. */
export const replayRule = <S extends PastSignal>(
  rule: Replayed,
  signals: readonly S[],
  now: Date,
): { at: Date; signal: S }[] => {
  // A stored signal has no place; within the period of a trial a device rarely moves.
  const bySubject = Map.groupBy(signals, (signal) => dedupKey({ ...signal, placeId: null }, rule))
  return [...bySubject.values()]
    .flatMap((own) => {
      let last = Number.NEGATIVE_INFINITY
      return findMet(rule, own).flatMap((at) => {
        const isNew = at <= now && at.getTime() - last > ONE_ALARM_MS
        if (at <= now) last = at.getTime()
        const signal = own.findLast((item) => item.at <= at)
        return isNew && signal ? [{ at, signal }] : []
      })
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}
