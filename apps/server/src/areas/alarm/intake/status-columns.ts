import type { WarnRule } from '@tocsin/contract/alarm/rule'
import type { SignalContext } from './unit-of-work.ts'
import { cancellableCodes } from './match.ts'
import { type PriorSignal, latestCode } from './signal-history.ts'
import type { LockedRecord, RecordPatch } from './pending-writes.ts'

/** Codes whose order with a signal decides what a record says of itself. */
export const orderSensitiveCodes = (rules: readonly WarnRule[]): string[] => [
  ...cancellableCodes,
  'CANCEL',
  'MANUAL_RESET',
  ...rules.flatMap(({ matchCodes, recoverCodes }) => [...matchCodes, ...recoverCodes]),
]

type Counts = (earlier: PriorSignal) => boolean

const ofRecord =
  (id: number | null): Counts =>
  ({ recordId }) =>
    recordId === null || recordId === id

/** Of one aspect: what the device said last about it, among codes that concern it. */
const last = ({ heard, past }: SignalContext, codes: readonly string[], counts: Counts) =>
  latestCode(
    heard,
    past.later.filter((earlier) => codes.includes(earlier.code) && counts(earlier)),
  )

type Marks = Pick<RecordPatch, 'presserCancelled' | 'resetAt' | 'condition' | 'faults'>
type Stands = Pick<LockedRecord, 'id' | 'faults'>

/** Under this name stands what the device gave none. */
const UNNAMED = ''

/** Codes without what takes them back. */
const presses = cancellableCodes

export const cancelColumns = (intake: SignalContext, recordId: number | null): Marks => ({
  presserCancelled: last(intake, [...presses, 'CANCEL'], ofRecord(recordId)).code === 'CANCEL',
})

export const resetColumns = (intake: SignalContext, recordId: number | null): Marks => {
  const { code, occurredAt } = last(intake, [...presses, 'MANUAL_RESET'], ofRecord(recordId))
  // Whoever reset the device was there: what it called for is over as far as the device knows.
  return code === 'MANUAL_RESET'
    ? { resetAt: occurredAt ?? intake.clock.occurredAt, condition: 'RECOVERED' }
    : { resetAt: null }
}

export type RecoveryRule = Pick<WarnRule, 'matchCodes' | 'recoverCodes' | 'dedupBy' | 'condition'>

/** About the same zone, where the rule keeps zones apart, and the same fault: a clear without a name is of all. */
const ofSame =
  ({ heard }: SignalContext, { dedupBy }: RecoveryRule): Counts =>
  ({ zone, fault }) =>
    (dedupBy !== 'ZONE' || zone === heard.zone) && (fault === null || heard.fault === null || fault === heard.fault)

/** Whether the device said last, of what this signal is about, that it is over. */
const isOver = (intake: SignalContext, record: Stands | null, rule: RecoveryRule): boolean => {
  const [same, here] = [ofSame(intake, rule), ofRecord(record?.id ?? null)]
  const { code } = last(intake, [...rule.matchCodes, ...rule.recoverCodes], (one) => same(one) && here(one))
  // Only silence ends with what it is the silence of.
  return rule.recoverCodes.includes(code) && (rule.condition === 'NO_DATA' || !rule.matchCodes.includes(code))
}

/** What lasts after this signal: the end of one fault is not the end of another. */
const standing = (intake: SignalContext, record: Stands | null, rule: RecoveryRule): string[] => {
  const { fault } = intake.heard
  const over = isOver(intake, record, rule)
  // Where silence was the alarm, anything heard is its end.
  if (over && (fault === null || rule.condition === 'NO_DATA')) return []
  const others = (record?.faults ?? []).filter((name) => name !== (fault ?? UNNAMED))
  return over ? others : [...others, fault ?? UNNAMED]
}

export const conditionColumns = (intake: SignalContext, record: Stands | null, rule: RecoveryRule | null): Marks => {
  if (!rule || rule.recoverCodes.length === 0) return { condition: 'ACTIVE' }
  const faults = standing(intake, record, rule)
  return { faults, condition: faults.length === 0 ? 'RECOVERED' : 'ACTIVE' }
}

/**
 * Whether the presser cancelled, the device was reset and the condition is over, is what the device said last about
 * each, in its own order: a press after the cancel takes the cancel back, whichever arrives first.
 * @param record null when it is about to be raised.
 */
export const statusColumns = (intake: SignalContext, record: Stands | null, rule: RecoveryRule | null): Marks => ({
  ...conditionColumns(intake, record, rule),
  ...(presses.includes(intake.heard.code) && {
    ...cancelColumns(intake, record?.id ?? null),
    ...resetColumns(intake, record?.id ?? null),
  }),
})
