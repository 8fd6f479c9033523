import { autoClosableClasses } from '@tocsin/contract/alarm/state-machine'
import type { WarnClass, WarnRule } from '@tocsin/contract/alarm/rule'
import { type NormalizedSignal, UNPARSABLE } from './signal.ts'

/** A hand on a panic button. */
export const panicCodes: readonly string[] = ['PANIC', 'PANIC_SILENT']
/** Somebody asks for help: such a signal raises a record whatever the rules say (GB 50394, no missed alarm). */
export const helpCallCodes: readonly string[] = [...panicCodes, 'INTERCOM', 'MEDICAL', 'FIRE_MANUAL', 'DURESS_CANCEL']
/** Calls for help, by a hand or by what was heard: what a cancel or a reset is about, and what never ends by itself. */
export const cancellableCodes: readonly string[] = [
  ...helpCallCodes,
  'VOICE_HELP',
  'VOICE_ABUSE',
  'SOUND_VIOLENCE',
  'INTRUSION',
  UNPARSABLE,
]
const informational: readonly string[] = ['BOOT', 'SELF_TEST', 'MANUAL_RESET', 'CANCEL']

/** What a signal shall become: the class and level of a rule, or of the built-in fallback (rule null). */
export type Match = {
  rule: WarnRule | null
  class: WarnClass
  level: number
  validation: number | null
  duress: boolean
  dedupKey: string
  reopenWindowSec: number
}

type Subject = { deviceId: number; schoolId: number | null; zone: string | null }
type Keyed = Pick<WarnRule, 'id' | 'class' | 'dedupBy'>

const subjectOf = ({ deviceId, schoolId, zone }: Subject, by: WarnRule['dedupBy']): string => {
  if (by === 'SCHOOL' && schoolId !== null) return `school:${schoolId}`
  if (by === 'ZONE' && zone !== null) return `zone:${deviceId}/${zone}`
  return `device:${deviceId}`
}

const selfEnding = (of: WarnClass): boolean => autoClosableClasses.some((name) => name === of)

/**
 * Domain 6.1, subject and class. Where records end by themselves each rule has its own: a battery that recovered must
 * not end what is open because the device is offline.
 */
export const dedupKey = (subject: Subject, rule: Keyed): string =>
  `${subjectOf(subject, rule.dedupBy)}|${rule.class}${selfEnding(rule.class) ? `|${rule.id}` : ''}`

const plain = { rule: null, class: 'PANIC', validation: null, duress: false, reopenWindowSec: 60 } as const

/** Whether a heard word is certain and loud enough for the rule (domain 6.7); rules without a bound take any signal. */
export const meetsConfidence = (
  { minConfidence, minDb }: Pick<WarnRule, 'minConfidence' | 'minDb'>,
  keyword: NormalizedSignal['keyword'],
): boolean =>
  (minConfidence === null || (keyword !== null && keyword.conf >= minConfidence)) &&
  (minDb === null || (keyword?.db != null && keyword.db >= minDb))

/** Without a rule: nobody's call for help may depend on somebody having configured it. */
export const fallbackMatch = (subject: Subject): Match => ({
  ...plain,
  level: 2,
  dedupKey: `device:${subject.deviceId}|PANIC`,
})

/** Domain 3.4, poison: visible, one record per device. */
export const matchUnparsable = (subject: Subject): Match => ({
  ...plain,
  level: 2,
  dedupKey: `device:${subject.deviceId}|${UNPARSABLE}`,
})

export const matchFromRule = (subject: Subject, rule: WarnRule): Match => ({
  rule,
  class: rule.class,
  level: rule.level,
  validation: null,
  duress: false,
  dedupKey: dedupKey(subject, rule),
  reopenWindowSec: rule.reopenWindowSec,
})

/** Somebody was made to cancel (domain 6.8): the highest level, confirmed threat, whatever the rule says. */
export const raiseForDuress = (match: Match): Match => ({ ...match, level: 1, validation: 4, duress: true })

/** Eight presses in one message, or three messages within ten seconds (domain 6.2), make level 1. */
const BURST_PRESSES = 8
const BURST_SIGNALS = 3
export const BURST_MS = 10_000

/** The most instants that any window of `windowMs` holds. */
export const maxWithinWindow = (instants: readonly Date[], windowMs: number): number => {
  const times = instants.map((at) => at.getTime()).sort((a, b) => a - b)
  let from = 0
  return times.reduce((most, time, i) => {
    while (time - (times[from] ?? time) > windowMs) from += 1
    return Math.max(most, i - from + 1)
  }, 0)
}

/** @param presses when the record was pressed, this signal included. */
export const isBurst = (heard: Pick<NormalizedSignal, 'code' | 'pressCount'>, presses: readonly Date[]): boolean =>
  panicCodes.includes(heard.code) &&
  ((heard.pressCount ?? 0) >= BURST_PRESSES || maxWithinWindow(presses, BURST_MS) >= BURST_SIGNALS)

export type NoRecordReason = 'NO_RULE' | 'SHADOW' | 'BELOW_REPEAT' | 'WAITING' | 'RECOVERY' | 'INFORMATION'

/** Why a signal stays without a record: the reason that lay nearest to a record wins. */
export const noRecordReason = (code: string, met: ReadonlySet<NoRecordReason>, recovers: boolean): NoRecordReason => {
  const near = (['WAITING', 'BELOW_REPEAT', 'SHADOW'] as const).find((reason) => met.has(reason))
  if (near) return near
  if (recovers || met.has('RECOVERY')) return 'RECOVERY'
  return informational.includes(code) ? 'INFORMATION' : 'NO_RULE'
}
