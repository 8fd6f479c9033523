import { stateMachine, type RecordState, autoClosableClasses } from '@tocsin/contract/alarm/state-machine'
import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { stageMessages } from '#areas/alarm/verb/device-ack'
import type { VerbContext } from '#areas/alarm/verb/verb-context'
import { applyOutcome, clearedProposal } from '#areas/alarm/verb/execute-verb'
import { attachSignal, type SignalContext, type SignalOutcome, signalLogEntry, type RecordKey } from './unit-of-work.ts'
import { dedupKey, type Match } from './evaluate-rules.ts'
import { isOpen, type LockedRecord, type RecordPatch } from './pending-writes.ts'
import { cancellableCodes } from './normalize-signal.ts'
import { latestCode, latestOfButton, type PriorSignal } from './signal-history.ts'

/** Codes whose order relative to a signal decides the status of a record. */
export const orderSensitiveCodes = (rules: readonly WarnRule[]): string[] => [
  ...cancellableCodes,
  'CANCEL',
  'MANUAL_RESET',
  ...rules.flatMap(({ matchCodes, recoverCodes }) => [...matchCodes, ...recoverCodes]),
]

type SignalFilter = (earlier: PriorSignal) => boolean

const ofRecord =
  (id: number | null): SignalFilter =>
  ({ recordId }) =>
    recordId === null || recordId === id

/** The latest of the given codes by the order of the device. */
const latestAmong = ({ signal, history }: SignalContext, codes: readonly string[], isRelevant: SignalFilter) =>
  latestCode(
    signal,
    history.later.filter((earlier) => codes.includes(earlier.code) && isRelevant(earlier)),
  )

type StatusColumns = Pick<RecordPatch, 'presserCancelled' | 'condition' | 'faults'>
type StatusRecord = Pick<LockedRecord, 'id' | 'faults'>

/** The name of a fault that the device did not name. */
const UNNAMED_FAULT = ''

export const cancelColumns = (context: SignalContext, recordId: number | null): StatusColumns => ({
  presserCancelled: latestAmong(context, [...cancellableCodes, 'CANCEL'], ofRecord(recordId)).code === 'CANCEL',
})

/** A manual reset needs a person at the device, so the condition is over for the device, whichever record it is. */
export const resetColumns = (context: SignalContext): StatusColumns =>
  latestOfButton(context).code === 'MANUAL_RESET' ? { condition: 'RECOVERED' } : {}

export type RecoveryRule = Pick<WarnRule, 'matchCodes' | 'recoverCodes' | 'dedupBy' | 'condition'>

/** Same zone, where the rule separates zones, and same fault. A recovery without a fault name covers all faults. */
const isSameCondition =
  ({ signal }: SignalContext, { dedupBy }: RecoveryRule): SignalFilter =>
  ({ zone, fault }) =>
    (dedupBy !== 'ZONE' || zone === signal.zone) && (fault === null || signal.fault === null || fault === signal.fault)

/** Whether the latest signal about this condition is a recovery. */
const isOver = (context: SignalContext, record: StatusRecord | null, rule: RecoveryRule): boolean => {
  const [same, here] = [isSameCondition(context, rule), ofRecord(record?.id ?? null)]
  const { code } = latestAmong(
    context,
    [...rule.matchCodes, ...rule.recoverCodes],
    (value) => same(value) && here(value),
  )
  // Only a NO_DATA rule recovers by its own match codes.
  return rule.recoverCodes.includes(code) && (rule.condition === 'NO_DATA' || !rule.matchCodes.includes(code))
}

/** The faults that are active after this signal. The end of one fault does not end another. */
const activeFaults = (context: SignalContext, record: StatusRecord | null, rule: RecoveryRule): string[] => {
  const { fault } = context.signal
  const over = isOver(context, record, rule)
  // Any signal ends the condition of a NO_DATA rule.
  if (over && (fault === null || rule.condition === 'NO_DATA')) return []
  const others = (record?.faults ?? []).filter((name) => name !== (fault ?? UNNAMED_FAULT))
  return over ? others : [...others, fault ?? UNNAMED_FAULT]
}

export const conditionColumns = (
  context: SignalContext,
  record: StatusRecord | null,
  rule: RecoveryRule | null,
): StatusColumns => {
  if (!rule || rule.recoverCodes.length === 0) return { condition: 'ACTIVE' }
  const faults = activeFaults(context, record, rule)
  return { faults, condition: faults.length === 0 ? 'RECOVERED' : 'ACTIVE' }
}

/**
 * Status columns for cancel, reset and condition, each decided by the latest signal in the order of the device: a press
 * after a cancel revokes the cancel, whichever arrives first.
 * @param record null when the record is about to be raised.
 */
export const statusColumns = (
  context: SignalContext,
  record: StatusRecord | null,
  rule: RecoveryRule | null,
): StatusColumns => ({
  ...conditionColumns(context, record, rule),
  ...(cancellableCodes.includes(context.signal.code) && {
    ...cancelColumns(context, record?.id ?? null),
    ...resetColumns(context),
  }),
})

const canEndAutomatically = (
  record: Pick<LockedRecord, 'class' | 'state' | 'condition'>,
  rule: WarnRule | null,
): boolean =>
  record.condition === 'RECOVERED' &&
  rule?.autoRecover === true &&
  autoClosableClasses.some((name) => name === record.class) &&
  (stateMachine.recover.from as readonly RecordState[]).includes(record.state)

/** Ends a record whose condition is over (invariant 3). */
const endRecord = async (
  { trx, all, source, unitOfWork }: SignalContext,
  record: LockedRecord,
): Promise<LockedRecord> => {
  await unitOfWork.write()
  const context: VerbContext = { trx, all, record, by: 'system', now: source.now }
  // A proposal that was never confirmed is discarded.
  const set = { ...clearedProposal, disposition: 'AUTO_RECOVERED' } as const
  const after = await applyOutcome(context, 'recover', { set, stage: null })
  // Device rows are written last, together with the others.
  const { receipts, events } = unitOfWork.writes()
  const messages = await stageMessages(context, 'closed')
  receipts.push(...messages.receipts)
  events.push(...messages.events)
  return unitOfWork.store(after)
}

/** Ends a new record at once when its recovery had overtaken the signal. */
export const endIfAlreadyRecovered = async (
  context: SignalContext,
  outcome: SignalOutcome,
  { rule }: Match,
): Promise<SignalOutcome> => {
  const { record } = outcome
  return record && canEndAutomatically(record, rule)
    ? { ...outcome, record: await endRecord(context, record) }
    : outcome
}

type RecoverySignal = Pick<SignalContext, 'source' | 'signal'>

/** How a signal ends the condition of a rule: by a recovery code or, for NO_DATA, by any matching signal. */
const recoveryRule = ({ signal }: RecoverySignal, rule: WarnRule): RecoveryRule | undefined => {
  if (rule.shadow) return undefined
  if (rule.condition === 'NO_DATA' && rule.matchCodes.includes(signal.code))
    return { ...rule, matchCodes: [], recoverCodes: rule.matchCodes }
  return rule.recoverCodes.includes(signal.code) ? rule : undefined
}

export const rulesRecoveredBy = (context: RecoverySignal, rules: readonly WarnRule[]): WarnRule[] =>
  rules.filter((rule) => recoveryRule(context, rule) !== undefined)

/** The keys of records this signal may recover. For NO_DATA it also recovers the record of the whole device. */
const recordKeysOf = ({ source, signal }: RecoverySignal, rule: WarnRule): RecordKey[] => {
  const zones = rule.condition === 'NO_DATA' && rule.dedupBy === 'ZONE' ? new Set([signal.zone, null]) : [signal.zone]
  return [...zones].map((zone) => ({ key: dedupKey({ ...source, zone }, rule), mode: signal.mode, raises: false }))
}

/** All record keys that this signal may recover. */
export const recoveryKeys = (context: RecoverySignal, rules: readonly WarnRule[]): RecordKey[] =>
  rulesRecoveredBy(context, rules).flatMap((rule) => recordKeysOf(context, rule))

type Found = { record: LockedRecord; rule: WarnRule; recovery: RecoveryRule }

const findAffected = async (context: SignalContext, rules: readonly WarnRule[]): Promise<Found[]> => {
  const found: Found[] = []
  for (const rule of rules) {
    const recovery = recoveryRule(context, rule)
    for (const key of recovery ? recordKeysOf(context, rule) : []) {
      const record = await context.unitOfWork.latest(key)
      if (recovery && record && isOpen(record) && record.ruleId === rule.id) found.push({ record, rule, recovery })
    }
  }
  return found.toSorted((a, b) => a.record.id - b.record.id)
}

/**
 * Marks or ends the open records that the signal recovers. The signal is attached to one record only (invariant 1).
 * @param outcome the outcome so far, when the signal also raised a record.
 * @returns undefined when no record recovered and the signal belongs to no record yet.
 */
export const applyRecovery = async (
  context: SignalContext,
  rules: readonly WarnRule[],
  outcome?: SignalOutcome,
): Promise<SignalOutcome | undefined> => {
  const { unitOfWork, source } = context
  let at = outcome
  for (const { record, rule, recovery } of await findAffected(context, rules)) {
    if (at?.record?.id === record.id) continue
    const change = {
      patch: conditionColumns(context, record, recovery),
      entries: [signalLogEntry(context, 'recovery')],
    }
    const updated = at
      ? unitOfWork.change(record.id, { at: source.now, ...change })
      : attachSignal(context, record, change)
    const after = canEndAutomatically(updated, rule) ? await endRecord(context, updated) : updated
    at = {
      created: false,
      record: after,
      ...at,
      events: [...(at?.events ?? []), { type: 'alarm.changed', ref: record.id }],
    }
  }
  return at
}
