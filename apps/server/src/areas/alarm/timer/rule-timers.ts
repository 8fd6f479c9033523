import { sql } from 'kysely'
import { lockDevice } from '#areas/alarm/intake/load-context'
import { loadRules } from '#areas/alarm/intake/evaluate-rules'
import { fromServer } from '#areas/alarm/intake/normalize-signal'
import { ingestOne } from '#areas/alarm/intake/ingest-pipeline'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerKey } from '#timer/timer'
import type { TimerHandler } from '#timer/scheduler'
import { RULE_TIMER, parseStep } from './condition-timers.ts'

/** The signal that a wait began with: it names what lasted, or what fell silent. */
const beganWith = (trx: Db, deviceId: number, eventId: string) =>
  unscoped(trx, 'rules that wait act for nobody in particular')
    .selectFrom('signal')
    .select(['id', 'code', 'zone', sql<string | null>`body ->> 'fault'`.as('fault')])
    .where('deviceId', '=', deviceId)
    .where('eventId', '=', eventId)
    .executeTakeFirst()

/** A rule's wait ended: its condition lasted, or nothing was heard. The server says so by a signal of its own. */
const waited = async (trx: Db, key: TimerKey): Promise<void> => {
  const { ruleId, eventId, whole, mode } = parseStep(key)
  const rules = await loadRules(trx)
  const rule = rules.find((one) => one.id === ruleId && one.enabled && !one.shadow)
  if (!rule || (rule.condition !== 'DURATION' && rule.condition !== 'NO_DATA')) return
  const first = await beganWith(trx, key.subjectId, eventId)
  const silent = rule.condition === 'NO_DATA'
  // It is silence whatever was heard first; what lasts must still be an alarm.
  if (!first || (!silent && !rule.matchCodes.includes(first.code))) return
  const { withinSec, condition } = rule
  const signal = fromServer({
    code: silent ? condition : first.code,
    // The same silence or the same lasting condition is the same signal, however often the step is tried.
    eventId: `R${rule.id}.${first.id}`,
    mode,
    zone: silent && whole ? null : first.zone,
    whole,
    fault: silent ? null : first.fault,
    detail: { condition, withinSec, ...(!silent && first.fault !== null && { fault: first.fault }) },
  })
  await ingestOne(trx, { deviceId: key.subjectId, normalize: () => signal, forced: rule }, rules)
}

/**
 * Steps of timer kind `rule`: subject is the device. One at a time: what it raises may be shared with other devices,
 * whose turns must be taken before any record is locked.
 */
export const ruleTimerHandlers: Readonly<Record<typeof RULE_TIMER, TimerHandler>> = {
  [RULE_TIMER]: {
    most: 1,
    lock: async (trx, deviceIds) => {
      for (const id of deviceIds) await lockDevice(trx, id)
      return deviceIds
    },
    execute: async (trx, keys) => {
      for (const key of keys) await waited(trx, key)
    },
  },
}
