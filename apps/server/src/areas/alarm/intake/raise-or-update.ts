import type { TimerStep } from '@tocsin/contract/alarm/state-machine'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import type { LogEntry } from '#areas/alarm/record-log'
import {
  FIRST_NOTIFICATION_STEP,
  NOTIFICATION_TIMER,
  RECORD_TIMER,
  stepSeconds,
} from '#areas/alarm/timer/schedule-timers'
import { maxValidation, isMoreUrgent, levelChangeEntry, applyUrgencyChange } from '#areas/alarm/verb/urgency'
import { applyOutcome } from '#areas/alarm/verb/execute-verb'
import { runHooks } from '#db/transaction-hook'
import { attachSignal, type SignalContext, type SignalOutcome, signalLogEntry } from './unit-of-work.ts'
import { isBurst, type Match } from './evaluate-rules.ts'
import { findMergeTarget, isOfPlace, recordKeyOf } from './find-records.ts'
import { endIfAlreadyRecovered, statusColumns } from './recover.ts'
import { toPlaceColumns } from './signal-source.ts'
import { isOpen, type LockedRecord } from './pending-writes.ts'
import { toExpectation } from './normalize-signal.ts'

/** Keeps the sum inside an integer column. */
const MAX_PRESSES = 1_000_000

const pressesIn = ({ signal }: SignalContext): number => Math.max(1, signal.pressCount ?? 1)

/** Whether the signal completes a burst on this record, together with an expected press. */
const hasBurst = ({ signal, history, clock }: SignalContext, recordId: number | null): boolean => {
  const near = history.presses.flatMap((press) => ([recordId, null].includes(press.recordId) ? press.occurredAt : []))
  return isBurst(signal, [...near, clock.occurredAt])
}

/** Columns after one more occurrence: the more severe value of each (domain 2.8, repeat signal). */
const occurrenceColumns = (context: SignalContext, record: LockedRecord, match: Match) => {
  const { signal, clock } = context
  const fast = match.class === 'PANIC' && hasBurst(context, record.id)
  const level = Math.min(record.level, match.level, fast ? 1 : 4)
  const { occurredAt } = clock
  return {
    level,
    validation: maxValidation(record.validation, maxValidation(match.validation, fast ? 2 : null)),
    code: match.level < record.level ? signal.code : record.code,
    duress: record.duress || match.duress,
    silent: record.silent || signal.code === 'PANIC_SILENT',
    late: record.late && clock.late,
    occurrenceCount: record.occurrenceCount + 1,
    pressCount: Math.min(record.pressCount + pressesIn(context), MAX_PRESSES),
    firstAt: occurredAt < record.firstAt ? occurredAt : record.firstAt,
    lastAt: occurredAt > record.lastAt ? occurredAt : record.lastAt,
    ...statusColumns(context, record, match.rule),
  }
}

/** Adds a signal to an open record. A more urgent record rings again and restarts its timers; the version is unchanged. */
export const addOccurrence = async (
  context: SignalContext,
  record: LockedRecord,
  match: Match,
): Promise<SignalOutcome> => {
  const patch = { ...occurrenceColumns(context, record, match), commissioning: false }
  const moreUrgent = isMoreUrgent(record, patch)
  const raised = patch.level < record.level ? [levelChangeEntry(record.level, patch.level)] : []
  const entries = [signalLogEntry(context, 'repeat'), ...raised]
  let after = attachSignal(context, record, { patch, entries })
  if (moreUrgent || record.falseBy !== null) {
    const { trx, all, source, unitOfWork } = context
    await unitOfWork.write()
    after = unitOfWork.store(
      await applyUrgencyChange({ trx, all, record: after, by: 'system', now: source.now }, record),
    )
  }
  return {
    record: after,
    created: false,
    events: [{ type: moreUrgent ? 'alarm.again' : 'alarm.changed', ref: record.id }],
  }
}

/** Clears the decisions of the ended run. The log has them. */
const clearedDecision = {
  disposition: null,
  causeCode: null,
  note: null,
  resolverId: null,
  falseBy: null,
  validation: null,
  shelvedUntil: null,
} as const

/** Rings a resolved record again with a new epoch, so that no timer of the ended run acts on it (invariant 9). */
const ringAgain = async (context: SignalContext, record: LockedRecord, match: Match): Promise<SignalOutcome> => {
  const { trx, all, source, unitOfWork } = context
  const { disposition, resolverId, ownerId } = record
  const patch = { ...occurrenceColumns(context, { ...record, validation: null, faults: [] }, match) }
  const before = attachSignal(context, record, { patch, entries: [signalLogEntry(context, 'repeat')] })
  await unitOfWork.write()
  const after = await applyOutcome({ trx, all, record: before, by: 'system', now: source.now }, 'ringAgain', {
    set: { ...clearedDecision, validation: patch.validation, epoch: record.epoch + 1 },
    payload: { disposition, resolverId, ownerId, causeCode: record.causeCode, note: record.note },
    ring: true,
  })
  await runHooks(trx, alarmHooks.raised, { recordId: record.id, again: true })
  return { record: unitOfWork.store(after), created: false, events: [] }
}

/** Columns of a new record, the same as the defaults of the table. */
const initialColumns = {
  state: 'NEW',
  open: true,
  epoch: 1,
  version: 1,
  occurrenceCount: 1,
  logCount: 0,
  presserCancelled: false,
  condition: 'ACTIVE',
  resetAt: null,
  ownerId: null,
  leaseSessionId: null,
  leaseUntil: null,
  lastOwnerId: null,
  falseBy: null,
  resolverId: null,
  disposition: null,
  causeCode: null,
  note: null,
  mergedIntoId: null,
  sampled: false,
  shelvedUntil: null,
  displayedAt: null,
  soundedAt: null,
  claimedAt: null,
  verifiedAt: null,
  dispatchedAt: null,
  onSiteAt: null,
  escalatedAt: null,
  resolvedAt: null,
  endedAt: null,
  closedAt: null,
} as const

type RecordNumbers = Pick<LockedRecord, 'id' | 'no' | 'linkedRecordId'>

const newRecord = (context: SignalContext, match: Match, numbers: RecordNumbers): LockedRecord => {
  const { source, signal, clock } = context
  const fast = match.class === 'PANIC' && hasBurst(context, null)
  return {
    ...initialColumns,
    ...toPlaceColumns(source),
    ...numbers,
    logHash: Buffer.alloc(0),
    ruleId: match.rule?.id ?? null,
    ruleVersion: match.rule?.version ?? null,
    class: match.class,
    code: signal.code,
    level: fast ? 1 : match.level,
    validation: maxValidation(match.validation, fast ? 2 : null),
    mode: signal.mode,
    ...toExpectation(signal),
    dedupKey: match.dedupKey,
    silent: source.silent || signal.code === 'PANIC_SILENT',
    late: clock.late,
    duress: match.duress,
    pressCount: pressesIn(context),
    firstAt: clock.occurredAt,
    lastAt: clock.occurredAt,
    receivedAt: clock.receivedAt,
    faults: [],
    ...statusColumns(context, null, match.rule),
  }
}

const timersOf = (level: number, { rule }: Match) =>
  (['T1', 'T5'] as const satisfies TimerStep[]).flatMap((step) => {
    const seconds = stepSeconds(rule ?? undefined, level, step)
    return seconds ? [{ step, seconds }] : []
  })

/**
 * The open record of the device at another place (063) or of its first press (067). Its log says that it was pressed
 * again; it names the new record only within the school, because the other school may not know of it.
 */
const noteElsewhere = (
  { unitOfWork, source }: SignalContext,
  elsewhere: LockedRecord,
  { id, no, schoolId }: LockedRecord,
): void => {
  const named = schoolId === elsewhere.schoolId ? { linkedId: id, linkedNo: no } : {}
  const verb = elsewhere.commissioning ? 'pressedAgain' : 'pressedElsewhere'
  const entry: LogEntry = { kind: 'NOTE', verb, actor: 'system', payload: named }
  const { deptId } = unitOfWork.change(elsewhere.id, { at: source.now, patch: {}, entries: [entry] })
  unitOfWork.writes().events.push({ type: 'alarm.changed', ref: elsewhere.id, schoolId: elsewhere.schoolId, deptId })
}

/** Raises a new record. It is linked to the open record of the device at another place, else to the one it continues. */
const raiseNew = async (context: SignalContext, match: Match, continuedId: number | null): Promise<SignalOutcome> => {
  const { unitOfWork } = context
  const key = recordKeyOf(context, match)
  const number = await unitOfWork.numberFor(key)
  const found = await unitOfWork.elsewhere(key)
  const elsewhere = found && isOpen(found) ? found : undefined
  const record = newRecord(context, match, { ...number, linkedRecordId: elsewhere?.id ?? continuedId })
  unitOfWork.raise(record)
  if (elsewhere) noteElsewhere(context, elsewhere, record)
  const { id, epoch, level, ruleId, ruleVersion } = record
  const isNamed = elsewhere !== undefined && elsewhere.schoolId === record.schoolId
  const linked = isNamed ? { linkedId: elsewhere.id, linkedNo: elsewhere.no } : {}
  const payload = { ruleId, ruleVersion, class: record.class, level, ...linked }
  const raised: LogEntry = { kind: 'TRANSITION', verb: 'raise', actor: 'system', to: 'NEW', payload }
  const after = attachSignal(context, record, { patch: {}, entries: [raised, signalLogEntry(context, 'signal')] })
  // Nothing waits for a person: it ends with the acceptance.
  if (record.commissioning) return { record: after, created: true, events: [{ type: 'alarm.changed', ref: id }] }
  unitOfWork.plan({ kind: RECORD_TIMER, subjectId: id, epoch }, timersOf(level, match))
  if (record.mode !== 'TEST')
    unitOfWork.plan({ kind: NOTIFICATION_TIMER, subjectId: id, epoch }, [{ step: FIRST_NOTIFICATION_STEP, seconds: 0 }])
  return { record: after, created: true, events: [{ type: 'alarm.raised', ref: id }] }
}

/** Whether the ended record of the same key may still ring again or be linked. */
const isInReopenWindow = ({ source }: SignalContext, { endedAt }: LockedRecord, { reopenWindowSec }: Match): boolean =>
  endedAt !== null && source.now.getTime() - endedAt.getTime() <= reopenWindowSec * 1000

const raiseOrExtend = async (context: SignalContext, match: Match): Promise<SignalOutcome> => {
  const latest = await context.unitOfWork.latest(recordKeyOf(context, match))
  if (latest && isOpen(latest)) return addOccurrence(context, latest, match)
  if (!latest || !isInReopenWindow(context, latest, match)) return raiseNew(context, match, null)
  if (latest.mergedIntoId !== null) {
    const into = await findMergeTarget(context, latest)
    return into && isOfPlace(context, into) ? addOccurrence(context, into, match) : raiseNew(context, match, latest.id)
  }
  return latest.state === 'RESOLVED' ? ringAgain(context, latest, match) : raiseNew(context, match, latest.id)
}

/** Adds the signal to the open record, rings the resolved record again or raises a new one (domain 6.1). */
export const raiseOrUpdateRecord = async (context: SignalContext, match: Match): Promise<SignalOutcome> =>
  endIfAlreadyRecovered(context, await raiseOrExtend(context, match), match)
