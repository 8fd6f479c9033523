import type { TimerStep } from '@tocsin/contract/alarm/state-machine'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import type { LogEntry } from '#areas/alarm/record-log'
import { RECORD_TIMER, stepSeconds } from '#areas/alarm/timer/schedule-timers'
import { maxValidation, isMoreUrgent, levelChangeEntry, applyUrgencyChange } from '#areas/alarm/verb/urgency'
import { applyOutcome } from '#areas/alarm/verb/execute-verb'
import { runHooks } from '#db/transaction-hook'
import { attachSignal, type SignalContext, type SignalOutcome, signalLogEntry } from './unit-of-work.ts'
import { isOpen, findMergeTarget } from './find-records.ts'
import { statusColumns } from './status-columns.ts'
import { isBurst, type Match } from './match.ts'
import { endIfAlreadyRecovered } from './recover.ts'
import type { LockedRecord } from './pending-writes.ts'

/** Sums of presses stay inside an integer column. */
const MAX_PRESSES = 1_000_000

const pressed = ({ heard }: SignalContext): number => Math.max(1, heard.pressCount ?? 1)

/** Presses of this record close in time to the signal, and the signal. */
const burst = ({ heard, past, clock }: SignalContext, recordId: number | null): boolean =>
  isBurst(heard, [...past.presses.filter((p) => p.recordId === recordId).map((p) => p.occurredAt), clock.occurredAt])

/** A signal on an open record: one occurrence more, the more severe of everything (domain 2.8, repeat signal). */
const repeated = (intake: SignalContext, record: LockedRecord, match: Match) => {
  const { heard, clock } = intake
  const fast = match.class === 'PANIC' && burst(intake, record.id)
  const level = Math.min(record.level, match.level, fast ? 1 : 4)
  const { occurredAt } = clock
  return {
    level,
    validation: maxValidation(record.validation, maxValidation(match.validation, fast ? 2 : null)),
    code: match.level < record.level ? heard.code : record.code,
    duress: record.duress || match.duress,
    silent: record.silent || heard.code === 'PANIC_SILENT',
    late: record.late && clock.late,
    occurrenceCount: record.occurrenceCount + 1,
    pressCount: Math.min(record.pressCount + pressed(intake), MAX_PRESSES),
    firstAt: occurredAt < record.firstAt ? occurredAt : record.firstAt,
    lastAt: occurredAt > record.lastAt ? occurredAt : record.lastAt,
    ...statusColumns(intake, record, match.rule),
  }
}

/** Adds a signal to an open record. What is more urgent rings again and its timers begin anew; the version stays. */
export const addOccurrence = async (
  intake: SignalContext,
  record: LockedRecord,
  match: Match,
): Promise<SignalOutcome> => {
  const patch = repeated(intake, record, match)
  const louder = isMoreUrgent(record, patch)
  const raised = patch.level < record.level ? [levelChangeEntry(record.level, patch.level)] : []
  const entries = [signalLogEntry(intake, 'repeat'), ...raised]
  let after = attachSignal(intake, record, { patch, entries })
  if (louder || record.falseBy !== null) {
    const { trx, all, source, book } = intake
    await book.write()
    after = book.keep(await applyUrgencyChange({ trx, all, record: after, by: 'system', now: source.now }, record))
  }
  return { record: after, fresh: false, events: [{ type: louder ? 'alarm.again' : 'alarm.changed', ref: record.id }] }
}

/** Nothing of the ended run stays valid; the log has it. */
const cleared = {
  disposition: null,
  causeCode: null,
  note: null,
  resolverId: null,
  falseBy: null,
  validation: null,
  shelvedUntil: null,
} as const

/** RESOLVED rings again: a new epoch, so that no timer of the ended run can act on it (invariant 9). */
const ringAgain = async (intake: SignalContext, record: LockedRecord, match: Match): Promise<SignalOutcome> => {
  const { trx, all, source, book } = intake
  const { disposition, resolverId, ownerId } = record
  const patch = { ...repeated(intake, { ...record, validation: null, faults: [] }, match) }
  const before = attachSignal(intake, record, { patch, entries: [signalLogEntry(intake, 'repeat')] })
  await book.write()
  const after = await applyOutcome({ trx, all, record: before, by: 'system', now: source.now }, 'ringAgain', {
    set: { ...cleared, validation: patch.validation, epoch: record.epoch + 1 },
    payload: { disposition, resolverId, ownerId, causeCode: record.causeCode, note: record.note },
    ring: true,
  })
  await runHooks(trx, alarmHooks.raised, { recordId: record.id, again: true })
  return { record: book.keep(after), fresh: false, events: [] }
}

/** What nobody has done yet, as the table's defaults say it. */
const untouched = {
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

type Numbers = Pick<LockedRecord, 'id' | 'no' | 'linkedRecordId'>

const newRecord = (intake: SignalContext, match: Match, numbers: Numbers): LockedRecord => {
  const { source, heard, clock } = intake
  const { now: _now, skewMs: _skew, silent, ...place } = source
  const fast = match.class === 'PANIC' && burst(intake, null)
  return {
    ...untouched,
    ...place,
    ...numbers,
    logHash: Buffer.alloc(0),
    ruleId: match.rule?.id ?? null,
    ruleVersion: match.rule?.version ?? null,
    class: match.class,
    code: heard.code,
    level: fast ? 1 : match.level,
    validation: maxValidation(match.validation, fast ? 2 : null),
    mode: heard.mode,
    dedupKey: match.dedupKey,
    silent: silent || heard.code === 'PANIC_SILENT',
    late: clock.late,
    duress: match.duress,
    pressCount: pressed(intake),
    firstAt: clock.occurredAt,
    lastAt: clock.occurredAt,
    receivedAt: clock.receivedAt,
    faults: [],
    ...statusColumns(intake, null, match.rule),
  }
}

const timersOf = (level: number, { rule }: Match) =>
  (['T1', 'T5'] as const satisfies TimerStep[]).flatMap((step) => {
    const seconds = stepSeconds(rule ?? undefined, level, step)
    return seconds ? [{ step, seconds }] : []
  })

/** A record of its own. */
const raiseNew = async (intake: SignalContext, match: Match, linkedRecordId: number | null): Promise<SignalOutcome> => {
  const { book } = intake
  const number = await book.numberFor(recordKeyOf(intake, match))
  const record = newRecord(intake, match, { ...number, linkedRecordId })
  book.raise(record)
  const { id, epoch, level, ruleId, ruleVersion } = record
  const payload = { ruleId, ruleVersion, class: record.class, level }
  const raised: LogEntry = { kind: 'TRANSITION', verb: 'raise', actor: 'system', to: 'NEW', payload }
  const after = attachSignal(intake, record, { patch: {}, entries: [raised, signalLogEntry(intake, 'signal')] })
  book.plan({ kind: RECORD_TIMER, subjectId: id, epoch }, timersOf(level, match))
  return { record: after, fresh: true, events: [{ type: 'alarm.raised', ref: id }] }
}

/** The ended record of the same key while its window lasts: it rings again, or the new one is linked to it. */
const withinWindow = ({ source }: SignalContext, { endedAt }: LockedRecord, { reopenWindowSec }: Match): boolean =>
  endedAt !== null && source.now.getTime() - endedAt.getTime() <= reopenWindowSec * 1000

export const recordKeyOf = ({ heard }: Pick<SignalContext, 'heard'>, { dedupKey }: Match) => ({
  key: dedupKey,
  mode: heard.mode,
  raises: true,
})

const landed = async (intake: SignalContext, match: Match): Promise<SignalOutcome> => {
  const latest = await intake.book.latest(recordKeyOf(intake, match))
  if (!latest) return raiseNew(intake, match, null)
  if (isOpen(latest)) return addOccurrence(intake, latest, match)
  if (!withinWindow(intake, latest, match)) return raiseNew(intake, match, null)
  if (latest.mergedIntoId !== null) {
    const into = await findMergeTarget(intake, latest)
    return into ? addOccurrence(intake, into, match) : raiseNew(intake, match, latest.id)
  }
  return latest.state === 'RESOLVED' ? ringAgain(intake, latest, match) : raiseNew(intake, match, latest.id)
}

/** One signal, one record: an occurrence of the open one, the resolved one ringing again, or a new one (domain 6.1). */
export const raiseOrUpdateRecord = async (intake: SignalContext, match: Match): Promise<SignalOutcome> =>
  endIfAlreadyRecovered(intake, await landed(intake, match), match)
