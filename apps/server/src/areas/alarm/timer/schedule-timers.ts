import {
  AUTO_CLOSE_SEC,
  LEASE_SEC,
  canCloseWithoutReview,
  timerDefaults,
  type TimerStep,
} from '@tocsin/contract/alarm/state-machine'
import type { WarnClass } from '@tocsin/contract/alarm/rule'
import { sql } from 'kysely'
import { cancelUnsentDeliveries } from '#areas/notify/plan'
import type { Db } from '#db/db'
import { cancelTimers, scheduleTimer, type TimerKey } from '#timer/timer'

/** Timer kind of all steps of a record. */
export const RECORD_TIMER = 'record'
/** Timer kind of the escalation policy: who is notified while nobody has claimed. */
export const NOTIFICATION_TIMER = 'notification'
export const FIRST_NOTIFICATION_STEP = '0.0'
/** Maximum number of reminders, each after twice the delay. */
export const MAX_REMINDERS = 5

/** T1, T3 and their repeats are separate rows, so that each fires exactly once. */
export const reminderStep = (step: 'T1' | 'T3', loop: number): string => (loop === 1 ? step : `${step}.${loop}`)
const loops = (step: 'T1' | 'T3') => Array.from({ length: MAX_REMINDERS }, (_, i) => reminderStep(step, i + 1))
/** A person must claim the record. */
export const claimReminderSteps = loops('T1')
/** A person must call the police. */
export const policeReminderSteps = loops('T3')

/** The columns of a record that its timers depend on. */
export type TimedRecord = {
  id: number
  epoch: number
  class: WarnClass
  level: number
  ruleId: number | null
  shelvedUntil: Date | null
}

export const timerKey = (record: Pick<TimedRecord, 'id' | 'epoch'>, step: string): TimerKey => ({
  kind: RECORD_TIMER,
  subjectId: record.id,
  step,
  epoch: record.epoch,
})

const ruleColumn = { T1: 't1Sec', T2: 't2Sec', T3: 't3Sec', T4: 't4Sec', T5: 't5Sec' } as const

type RuleTimes = { level: number } & Record<(typeof ruleColumn)[TimerStep], number | null>

/**
 * Seconds of a step: of the rule, else the default of the level; null: no such step. A record that became more urgent
 * than its rule expects waits no longer than its level allows.
 */
export const stepSeconds = (rule: RuleTimes | undefined, level: number, step: TimerStep): number | null => {
  const own = rule?.[ruleColumn[step]] ?? null
  const usual = timerDefaults[step][level - 1] ?? null
  if (own === null || usual === null) return own ?? usual
  return rule && level < rule.level ? Math.min(own, usual) : own
}

type SecondsOf = (record: TimedRecord, step: TimerStep) => number | null

/** Reads the rules of many records at once. */
export const loadStepSeconds = async (trx: Db, records: readonly TimedRecord[]): Promise<SecondsOf> => {
  const wanted = [...new Set(records.flatMap(({ ruleId }) => ruleId ?? []))]
  const rows =
    wanted.length === 0
      ? []
      : await trx
          .selectFrom('warnRule')
          .select(['id', 'level', ...Object.values(ruleColumn)])
          .where('id', '=', sql<number>`any(${wanted})`)
          .execute()
  const rules = new Map(rows.map((rule) => [rule.id, rule]))
  return ({ ruleId, level }, step) => stepSeconds(rules.get(ruleId ?? 0), level, step)
}

/** Schedules a step of the table of domain 2.8 from now on. A step that has already ended starts again. */
export const scheduleStep = async (trx: Db, record: TimedRecord, step: TimerStep): Promise<void> => {
  const seconds = (await loadStepSeconds(trx, [record]))(record, step)
  if (seconds !== null) await scheduleTimer(trx, timerKey(record, step), seconds)
}

export const cancelSteps = (trx: Db, recordId: number, ...steps: string[]): Promise<void> =>
  cancelTimers(trx, { kind: RECORD_TIMER, subjectId: recordId }, steps)

/** Cancels every pending step of any epoch (domain 2.8: when a record ends, and before it opens again). */
export const cancelAllTimers = (trx: Db, recordId: number): Promise<void> =>
  cancelTimers(trx, { kind: RECORD_TIMER, subjectId: recordId })

/**
 * Schedules the reminders for an unclaimed record from the start. A shelved record does not ring; the wait starts when
 * it is unshelved.
 */
export const scheduleClaimReminder = async (trx: Db, record: TimedRecord): Promise<void> => {
  const { id: subjectId, epoch } = record
  await cancelSteps(trx, subjectId, ...claimReminderSteps)
  // A pending later step would run beside the new chain and reach everybody twice.
  await cancelTimers(trx, { kind: NOTIFICATION_TIMER, subjectId })
  await cancelUnsentDeliveries(trx, { type: 'RECORD', id: subjectId }, 'SUPERSEDED')
  if (record.shelvedUntil !== null) return
  await scheduleStep(trx, record, 'T1')
  await scheduleTimer(trx, { kind: NOTIFICATION_TIMER, subjectId, step: FIRST_NOTIFICATION_STEP, epoch }, 0)
}

/** Schedules the reminders to call the police from the start. */
export const schedulePoliceReminder = async (trx: Db, record: TimedRecord): Promise<void> => {
  await cancelSteps(trx, record.id, ...policeReminderSteps)
  await scheduleStep(trx, record, 'T3')
}

export const scheduleOverdue = (trx: Db, record: TimedRecord): Promise<void> => scheduleStep(trx, record, 'T5')

export const scheduleLeaseExpiry = (trx: Db, record: TimedRecord): Promise<void> =>
  scheduleTimer(trx, timerKey(record, 'LEASE'), LEASE_SEC)

/** After RESOLVED: a record that may not end by itself waits for a person without limit. */
export const scheduleAutoClose = async (trx: Db, record: TimedRecord): Promise<void> => {
  if (canCloseWithoutReview(record)) await scheduleTimer(trx, timerKey(record, 'AUTOCLOSE'), AUTO_CLOSE_SEC)
}
