import { type TimerStep, timerDefaults } from '@tocsin/contract/alarm/machine'
import { type Insertable, sql } from 'kysely'
import { alarmFacts } from '#areas/alarm/facts'
import type { LogEntry } from '#areas/alarm/log'
import { planOverdue, planRing, RECORD } from '#areas/alarm/step/timing'
import { carryOut } from '#areas/alarm/verb/verb'
import { happened } from '#db/fact'
import type { AllTables } from '#db/tables'
import { plan } from '#timer/timer'
import { endedAt, isOpen, lockLatest, mergedInto } from './find.ts'
import { marksOf } from './mark.ts'
import { isBurst, type Match } from './match.ts'
import { nextRecordNo } from './number.ts'
import { recoverNow } from './recover.ts'
import { attach, type Intake, type Landed, type Locked, signalEntry } from './write.ts'

/** Sums of presses stay inside an integer column. */
const MAX_PRESSES = 1_000_000

const pressed = ({ heard }: Intake): number => Math.max(1, heard.pressCount ?? 1)

/** Presses of this record close in time to the signal, and the signal. */
const burst = ({ heard, past, clock }: Intake, recordId: number | null): boolean =>
  isBurst(heard, [...past.presses.filter((p) => p.recordId === recordId).map((p) => p.occurredAt), clock.occurredAt])

const higher = (a: number | null, b: number | null): number | null => (a === null || (b ?? -1) > a ? b : a)

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
    occurrenceCount: record.occurrenceCount + 1,
    pressCount: Math.min(record.pressCount + pressed(intake), MAX_PRESSES),
    firstAt: occurredAt < record.firstAt ? occurredAt : record.firstAt,
    lastAt: occurredAt > record.lastAt ? occurredAt : record.lastAt,
    ...marksOf(intake, record.id, match.rule),
  }
}

const levelEntry = (record: Locked, level: number): LogEntry => ({
  kind: 'SIGNAL',
  verb: 'raiseLevel',
  actor: 'system',
  payload: { from: record.level, to: level },
})

/** Adds a signal to an open record. A higher level rings again and its timers begin anew; the version stays. */
export const repeat = async (intake: Intake, record: Locked, match: Match): Promise<Landed> => {
  const patch = repeated(intake, record, match)
  const louder = patch.level < record.level
  const entries = [signalEntry(intake, 'repeat'), ...(louder ? [levelEntry(record, patch.level)] : [])]
  const done = await attach(intake, record, { patch, entries })
  if (louder && done.record.state === 'NEW') await planRing(intake.trx, done.record)
  if (louder) await planOverdue(intake.trx, done.record)
  const event = { type: louder ? ('alarm.again' as const) : ('alarm.changed' as const), ref: record.id }
  return { ...done, fresh: false, events: [event] }
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
  const { trx, all, source } = intake
  const { disposition, resolverId, ownerId } = record
  const patch = { ...repeated(intake, { ...record, validation: null }, match) }
  const { signalId, record: before } = await attach(intake, record, { patch, entries: [signalEntry(intake, 'repeat')] })
  const after = await carryOut({ trx, all, record: before, by: 'system', now: source.now }, 'ringAgain', {
    set: { ...cleared, validation: patch.validation, epoch: record.epoch + 1 },
    payload: { disposition, resolverId, ownerId, causeCode: record.causeCode, note: record.note },
    ring: true,
  })
  await happened(trx, alarmFacts.raised, { recordId: record.id, again: true })
  return { signalId, record: after, fresh: false, events: [] }
}

type NewRow = Omit<Insertable<AllTables['warnRecord']>, 'no'>

const newRow = (intake: Intake, match: Match, linkedRecordId: number | null): NewRow => {
  const { source, heard, clock } = intake
  const { now: _now, skewMs: _skew, silent, ...place } = source
  const fast = match.class === 'PANIC' && burst(intake, null)
  return {
    ...place,
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
    receivedAt: source.now,
    linkedRecordId,
    ...marksOf(intake, null, match.rule),
  }
}

const timersOf = (level: number, { rule }: Match) =>
  (['T1', 'T5'] as const satisfies TimerStep[]).flatMap((step) => {
    const seconds = { T1: rule?.t1Sec, T5: rule?.t5Sec }[step] ?? timerDefaults[step][level - 1]
    return seconds ? [{ step, seconds }] : []
  })

/** A record of its own; undefined when somebody else raised one for the same key at this moment. */
const raiseNew = async (intake: Intake, match: Match, linkedTo: number | null): Promise<Landed | undefined> => {
  const { trx, all } = intake
  const row = await all
    .insertInto('warnRecord')
    .values({ ...newRow(intake, match, linkedTo), no: nextRecordNo() })
    .onConflict((conflict) => conflict.columns(['dedupKey', 'mode']).where(sql<boolean>`open`).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  const raised: LogEntry = {
    kind: 'TRANSITION',
    verb: 'raise',
    actor: 'system',
    to: 'NEW',
    payload: { ruleId: row.ruleId, ruleVersion: row.ruleVersion, class: row.class, level: row.level },
  }
  const done = await attach(intake, row, { patch: {}, entries: [raised, signalEntry(intake, 'signal')] })
  await plan(trx, { kind: RECORD, subjectId: row.id, epoch: row.epoch }, timersOf(row.level, match))
  await happened(trx, alarmFacts.raised, { recordId: row.id, again: false })
  return { ...done, fresh: true, events: [{ type: 'alarm.raised', ref: row.id }] }
}

/** The ended record of the same key while its window lasts: it rings again, or the new one is linked to it. */
const withinWindow = async (intake: Intake, record: Locked, match: Match): Promise<boolean> => {
  const ended = await endedAt(intake, record)
  return ended !== null && intake.source.now.getTime() - ended.getTime() <= match.reopenWindowSec * 1000
}

const tryRaise = async (intake: Intake, match: Match): Promise<Landed | undefined> => {
  const latest = await lockLatest(intake, match.dedupKey)
  if (!latest) return raiseNew(intake, match, null)
  if (isOpen(latest)) return repeat(intake, latest, match)
  if (!(await withinWindow(intake, latest, match))) return raiseNew(intake, match, null)
  if (latest.mergedIntoId !== null) {
    const into = await mergedInto(intake, latest)
    return into ? repeat(intake, into, match) : raiseNew(intake, match, latest.id)
  }
  return latest.state === 'RESOLVED' ? ringAgain(intake, latest, match) : raiseNew(intake, match, latest.id)
}

const TRIES = 3

/**
 * One signal, one record: an occurrence of the open one, the resolved one ringing again, or a new one (domain 6.1).
 * @throws Contended when records of the key kept opening and ending meanwhile.
 */
export const raise = async (intake: Intake, match: Match): Promise<Landed> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const landed = await tryRaise(intake, match)
    if (landed) return recoverNow(intake, landed, match)
  }
  throw new Contended(match.dedupKey)
}

/** Somebody was faster several times in a row: the whole signal is tried again. */
export class Contended extends Error {}
