import type { TimerStep } from '@tocsin/contract/alarm/machine'
import { alarmFacts } from '#areas/alarm/facts'
import type { LogEntry } from '#areas/alarm/log'
import { RECORD, secondsOf } from '#areas/alarm/step/timing'
import { higher, isLouder, levelEntry, settleUrgency } from '#areas/alarm/verb/urgency'
import { carryOut } from '#areas/alarm/verb/verb'
import { happened } from '#db/fact'
import { attach, type Intake, type Landed, signalEntry } from './book.ts'
import { isOpen, mergedInto } from './find.ts'
import { marksOf } from './mark.ts'
import { isBurst, type Match } from './match.ts'
import { recoverNow } from './recover.ts'
import type { Locked } from './write.ts'

/** Sums of presses stay inside an integer column. */
const MAX_PRESSES = 1_000_000

const pressed = ({ heard }: Intake): number => Math.max(1, heard.pressCount ?? 1)

/** Presses of this record close in time to the signal, and the signal. */
const burst = ({ heard, past, clock }: Intake, recordId: number | null): boolean =>
  isBurst(heard, [...past.presses.filter((p) => p.recordId === recordId).map((p) => p.occurredAt), clock.occurredAt])

/** A signal on an open record: one occurrence more, the more severe of everything (domain 2.8, repeat signal). */
const repeated = (intake: Intake, record: Locked, match: Match) => {
  const { heard, clock } = intake
  const fast = match.class === 'PANIC' && burst(intake, record.id)
  const level = Math.min(record.level, match.level, fast ? 1 : 4)
  const { occurredAt } = clock
  return {
    level,
    validation: higher(record.validation, higher(match.validation, fast ? 2 : null)),
    code: match.level < record.level ? heard.code : record.code,
    duress: record.duress || match.duress,
    silent: record.silent || heard.code === 'PANIC_SILENT',
    late: record.late && clock.late,
    occurrenceCount: record.occurrenceCount + 1,
    pressCount: Math.min(record.pressCount + pressed(intake), MAX_PRESSES),
    firstAt: occurredAt < record.firstAt ? occurredAt : record.firstAt,
    lastAt: occurredAt > record.lastAt ? occurredAt : record.lastAt,
    ...marksOf(intake, record, match.rule),
  }
}

/** Adds a signal to an open record. What is more urgent rings again and its timers begin anew; the version stays. */
export const repeat = async (intake: Intake, record: Locked, match: Match): Promise<Landed> => {
  const patch = repeated(intake, record, match)
  const louder = isLouder(record, patch)
  const raised = patch.level < record.level ? [levelEntry(record.level, patch.level)] : []
  const entries = [signalEntry(intake, 'repeat'), ...raised]
  let after = attach(intake, record, { patch, entries })
  if (louder || record.falseBy !== null) {
    const { trx, all, source, book } = intake
    await book.write()
    after = book.keep(await settleUrgency({ trx, all, record: after, by: 'system', now: source.now }, record))
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
const ringAgain = async (intake: Intake, record: Locked, match: Match): Promise<Landed> => {
  const { trx, all, source, book } = intake
  const { disposition, resolverId, ownerId } = record
  const patch = { ...repeated(intake, { ...record, validation: null, faults: [] }, match) }
  const before = attach(intake, record, { patch, entries: [signalEntry(intake, 'repeat')] })
  await book.write()
  const after = await carryOut({ trx, all, record: before, by: 'system', now: source.now }, 'ringAgain', {
    set: { ...cleared, validation: patch.validation, epoch: record.epoch + 1 },
    payload: { disposition, resolverId, ownerId, causeCode: record.causeCode, note: record.note },
    ring: true,
  })
  await happened(trx, alarmFacts.raised, { recordId: record.id, again: true })
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

type Numbers = Pick<Locked, 'id' | 'no' | 'linkedRecordId'>

const newRecord = (intake: Intake, match: Match, numbers: Numbers): Locked => {
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
    validation: higher(match.validation, fast ? 2 : null),
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
    ...marksOf(intake, null, match.rule),
  }
}

const timersOf = (level: number, { rule }: Match) =>
  (['T1', 'T5'] as const satisfies TimerStep[]).flatMap((step) => {
    const seconds = secondsOf(rule ?? undefined, level, step)
    return seconds ? [{ step, seconds }] : []
  })

/** A record of its own. */
const raiseNew = async (intake: Intake, match: Match, linkedRecordId: number | null): Promise<Landed> => {
  const { book } = intake
  const number = await book.numberFor(wantedBy(intake, match))
  const record = newRecord(intake, match, { ...number, linkedRecordId })
  book.raise(record)
  const { id, epoch, level, ruleId, ruleVersion } = record
  const payload = { ruleId, ruleVersion, class: record.class, level }
  const raised: LogEntry = { kind: 'TRANSITION', verb: 'raise', actor: 'system', to: 'NEW', payload }
  const after = attach(intake, record, { patch: {}, entries: [raised, signalEntry(intake, 'signal')] })
  book.plan({ kind: RECORD, subjectId: id, epoch }, timersOf(level, match))
  return { record: after, fresh: true, events: [{ type: 'alarm.raised', ref: id }] }
}

/** The ended record of the same key while its window lasts: it rings again, or the new one is linked to it. */
const withinWindow = ({ source }: Intake, { endedAt }: Locked, { reopenWindowSec }: Match): boolean =>
  endedAt !== null && source.now.getTime() - endedAt.getTime() <= reopenWindowSec * 1000

export const wantedBy = ({ heard }: Pick<Intake, 'heard'>, { dedupKey }: Match) => ({
  key: dedupKey,
  mode: heard.mode,
  raises: true,
})

const landed = async (intake: Intake, match: Match): Promise<Landed> => {
  const latest = await intake.book.latest(wantedBy(intake, match))
  if (!latest) return raiseNew(intake, match, null)
  if (isOpen(latest)) return repeat(intake, latest, match)
  if (!withinWindow(intake, latest, match)) return raiseNew(intake, match, null)
  if (latest.mergedIntoId !== null) {
    const into = await mergedInto(intake, latest)
    return into ? repeat(intake, into, match) : raiseNew(intake, match, latest.id)
  }
  return latest.state === 'RESOLVED' ? ringAgain(intake, latest, match) : raiseNew(intake, match, latest.id)
}

/** One signal, one record: an occurrence of the open one, the resolved one ringing again, or a new one (domain 6.1). */
export const raise = async (intake: Intake, match: Match): Promise<Landed> =>
  recoverNow(intake, await landed(intake, match), match)
