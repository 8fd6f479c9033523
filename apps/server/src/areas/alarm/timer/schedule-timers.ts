import {
  AUTO_CLOSE_SEC,
  LEASE_SEC,
  canCloseWithoutReview,
  timerDefaults,
  type TimerStep,
} from '@tocsin/contract/alarm/state-machine'
import type { WarnClass } from '@tocsin/contract/alarm/rule'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { cancelTimers, scheduleTimer, type TimerKey } from '#timer/timer'

/** Timer kind of everything planned about a record. */
export const RECORD_TIMER = 'record'
/** What nobody does is called for again this often, each time after twice the wait. */
export const MAX_REMINDERS = 5

/** T1, T3 and their repeats are rows of their own, so that each of them fires exactly once. */
export const reminderStep = (step: 'T1' | 'T3', loop: number): string => (loop === 1 ? step : `${step}.${loop}`)
const loops = (step: 'T1' | 'T3') => Array.from({ length: MAX_REMINDERS }, (_, i) => reminderStep(step, i + 1))
/** Somebody must claim. */
export const claimReminderSteps = loops('T1')
/** Somebody must call the police. */
export const policeReminderSteps = loops('T3')

/** What timing needs to know of a record. */
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
 * Seconds of a step: the rule's figure, else the default of the level; null: no such step. A record that became more
 * urgent than its rule means waits no longer than its level does.
 */
export const stepSeconds = (rule: RuleTimes | undefined, level: number, step: TimerStep): number | null => {
  const own = rule?.[ruleColumn[step]] ?? null
  const usual = timerDefaults[step][level - 1] ?? null
  if (own === null || usual === null) return own ?? usual
  return rule && level < rule.level ? Math.min(own, usual) : own
}

type SecondsOf = (record: TimedRecord, step: TimerStep) => number | null

/** Reads once what the rules of many records say. */
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

/** Plans a step of the domain's table from now on; one that ended already begins again. */
export const scheduleStep = async (trx: Db, record: TimedRecord, step: TimerStep): Promise<void> => {
  const seconds = (await loadStepSeconds(trx, [record]))(record, step)
  if (seconds !== null) await scheduleTimer(trx, timerKey(record, step), seconds)
}

export const cancelSteps = (trx: Db, recordId: number, ...steps: string[]): Promise<void> =>
  cancelTimers(trx, { kind: RECORD_TIMER, subjectId: recordId }, steps)

/** Ends every pending step, of whatever epoch (domain 2.8: before a record opens again, and when it ends). */
export const cancelAllTimers = (trx: Db, recordId: number): Promise<void> =>
  cancelTimers(trx, { kind: RECORD_TIMER, subjectId: recordId })

/** Somebody must claim: the wait begins anew. Nothing rings while shelved; its end starts the wait. */
export const scheduleClaimReminder = async (trx: Db, record: TimedRecord): Promise<void> => {
  await cancelSteps(trx, record.id, ...claimReminderSteps)
  if (record.shelvedUntil === null) await scheduleStep(trx, record, 'T1')
}

/** Somebody must call the police: the wait begins anew. */
export const schedulePoliceReminder = async (trx: Db, record: TimedRecord): Promise<void> => {
  await cancelSteps(trx, record.id, ...policeReminderSteps)
  await scheduleStep(trx, record, 'T3')
}

export const scheduleOverdue = (trx: Db, record: TimedRecord): Promise<void> => scheduleStep(trx, record, 'T5')

export const scheduleLeaseExpiry = (trx: Db, record: TimedRecord): Promise<void> =>
  scheduleTimer(trx, timerKey(record, 'LEASE'), LEASE_SEC)

/** After RESOLVED: all that may not end by itself waits for a person, however long he takes. */
export const scheduleAutoClose = async (trx: Db, record: TimedRecord): Promise<void> => {
  if (canCloseWithoutReview(record)) await scheduleTimer(trx, timerKey(record, 'AUTOCLOSE'), AUTO_CLOSE_SEC)
}
