import type { Verb } from '@tocsin/contract/alarm/state-machine'
import { canCloseWithoutReview, isOnlyExpectedPress, stateMachine } from '@tocsin/contract/alarm/state-machine'
import { sql } from 'kysely'
import { alarmHooks } from '#areas/alarm/alarm-hooks'
import { lockRecords, type VerbContext, lockForSystem } from '#areas/alarm/verb/verb-context'
import { applyOutcome, type Outcome } from '#areas/alarm/verb/execute-verb'
import type { Db } from '#db/db'
import { runHooks } from '#db/transaction-hook'
import { scheduleTimer, type TimerKey } from '#timer/timer'
import type { TimerHandler } from '#timer/scheduler'
import { openTimerEffects, type TimerEffects } from './timer-effects.ts'
import {
  policeReminderSteps,
  timerKey,
  MAX_REMINDERS,
  reminderStep,
  scheduleClaimReminder,
  RECORD_TIMER,
  claimReminderSteps,
} from './schedule-timers.ts'
import { flagUndisplayed } from './undisplayed.ts'

type Step = (context: VerbContext, effects: TimerEffects) => Promise<void>

/** Whether the verb table allows the system this step now, as it decides for a person. */
const can = ({ record }: VerbContext, verb: Verb): boolean =>
  (stateMachine[verb].from as readonly string[]).includes(record.state)

const go = async (context: VerbContext, verb: Verb, outcome: Outcome): Promise<void> => {
  if (can(context, verb)) await applyOutcome(context, verb, outcome)
}

/** Rings a shelved record when its time has ended. */
const isAudible = ({ record }: VerbContext): boolean => record.shelvedUntil === null

const mostUrgent = ({ record }: VerbContext): boolean => record.class === 'PANIC' && record.level === 1

const escalate = async (context: VerbContext, step: string) =>
  go(context, 'escalateBySystem', { payload: { reason: step, ...(await flagUndisplayed(context)) }, ring: true })

const planNext = (
  { record }: VerbContext,
  effects: TimerEffects,
  { step, loop }: { step: 'T1' | 'T3'; loop: number },
): void => {
  const seconds = effects.seconds(record, step)
  if (loop < MAX_REMINDERS && seconds !== null)
    effects.schedule(timerKey(record, reminderStep(step, loop + 1)), seconds * 2 ** loop)
}

/**
 * T1: nobody claimed. The most urgent records go to the police. Others ring again, each time after twice the delay.
 * Presses of a button test wait for the end of the test.
 */
const unclaimed =
  (loop: number): Step =>
  async (context, effects) => {
    const { record } = context
    if (record.state !== 'NEW' || record.shelvedUntil !== null || isOnlyExpectedPress(record)) return
    if (mostUrgent(context)) return escalate(context, 'T1')
    effects.remind(context, 'T1', { ring: true, payload: { loop, ...(await flagUndisplayed(context)) } })
    planNext(context, effects, { step: 'T1', loop })
  }

/** T2: claimed, but no first action. The claim is released, and the log tells the shift lead why. */
const untouched: Step = async (context, effects) => {
  if (!can(context, 'loseLease')) return
  const result = effects.remind(context, 'T2', { ring: false, payload: { ownerId: context.record.ownerId } })
  await effects.write()
  await go(result, 'loseLease', { payload: { reason: 'T2' }, ring: true })
}

/** T3: a threat to life was confirmed and nobody called the police. The most urgent records go there automatically. */
const notEscalated =
  (loop: number): Step =>
  async (context, effects) => {
    if (!can(context, 'escalateBySystem') || context.record.validation !== 4) return
    const result = effects.remind(context, 'T3', { ring: true, payload: { loop } })
    if (!mostUrgent(context)) return planNext(context, effects, { step: 'T3', loop })
    await effects.write()
    await escalate(result, 'T3')
  }

/** T4: the guard has not arrived in time. */
const notOnSite: Step = async (context, effects) => {
  if (can(context, 'arrive')) effects.remind(context, 'T4', { ring: isAudible(context) })
}

/** T5: the record is open longer than its level allows. */
const overdue: Step = async (context, effects) => {
  if (!context.record.open || isOnlyExpectedPress(context.record)) return
  effects.remind(context, 'overdue', { ring: isAudible(context) })
  await effects.write()
  await runHooks(context.trx, alarmHooks.overdue, { recordId: context.record.id })
}

/** The desk may have renewed the lease in the meantime: the record decides, not the timer. */
const leaseEnded: Step = async (context) => {
  const { trx, record } = context
  if (!can(context, 'loseLease')) return
  const { rows } = await sql<{
    left: number
  }>`select extract(epoch from ${record.leaseUntil}::timestamptz - now())::float8
    as left`.execute(trx)
  const left = rows[0]?.left ?? 0
  if (left > 0) await scheduleTimer(trx, timerKey(record, 'LEASE'), left)
  else await go(context, 'loseLease', { payload: { reason: 'LEASE' }, ring: true })
}

const closeUnreviewed: Step = async (context) => {
  if (canCloseWithoutReview(context.record)) await go(context, 'closeBySystem', {})
}

const shelfEnded: Step = async (context) => {
  const { trx, record } = context
  if (record.shelvedUntil === null) return
  await applyOutcome(context, 'unshelve', { set: { shelvedUntil: null }, ring: true })
  if (record.state === 'NEW') await scheduleClaimReminder(trx, { ...record, shelvedUntil: null })
}

const steps: Record<string, Step> = {
  ...Object.fromEntries(claimReminderSteps.map((step, i) => [step, unclaimed(i + 1)])),
  T2: untouched,
  ...Object.fromEntries(policeReminderSteps.map((step, i) => [step, notEscalated(i + 1)])),
  T4: notOnSite,
  T5: overdue,
  LEASE: leaseEnded,
  AUTOCLOSE: closeUnreviewed,
  UNSHELVE: shelfEnded,
}

const stepOf = ({ step }: TimerKey): Step => {
  const found = steps[step]
  if (!found) throw new Error(`no such step of a record: ${step}`)
  return found
}

const carryOutAll = async (trx: Db, keys: readonly TimerKey[]): Promise<void> => {
  const contexts = await lockForSystem(
    trx,
    keys.map(({ subjectId }) => subjectId),
  )
  const effects = await openTimerEffects(trx, contexts)
  const byRecord = new Map(contexts.map((context) => [context.record.id, context]))
  for (const key of keys) {
    const context = byRecord.get(key.subjectId)
    // A step of an earlier epoch does nothing (invariant 9).
    if (context && context.record.epoch === key.epoch) await stepOf(key)(context, effects)
  }
  await effects.write()
}

/** A common commit delays verbs on its records; more records at once save little. */
const MOST = 32

/** Verbs lock the record before its timers. A step in the opposite order would deadlock with them. */
export const recordTimerHandlers: Record<typeof RECORD_TIMER, TimerHandler> = {
  [RECORD_TIMER]: { most: MOST, lock: lockRecords, execute: carryOutAll },
}
