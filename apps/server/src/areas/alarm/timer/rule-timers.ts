import { sql } from 'kysely'
import { lockDevice } from '#areas/alarm/intake/signal-source'
import { loadRules } from '#areas/alarm/intake/evaluate-rules'
import { fromServer } from '#areas/alarm/intake/normalize-signal'
import { ingestOne } from '#areas/alarm/intake/ingest-pipeline'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { TimerKey } from '#timer/timer'
import type { TimerHandler } from '#timer/scheduler'
import { RULE_TIMER, parseStep } from './condition-timers.ts'

/** The signal that started a wait: it names the condition or the silent subject. */
const beganWith = (trx: Db, deviceId: number, eventId: string) =>
  unscoped(trx, 'rules that wait act for nobody in particular')
    .selectFrom('signal')
    .select(['id', 'code', 'zone', 'receivedAt', sql<string | null>`body ->> 'fault'`.as('fault')])
    .where('deviceId', '=', deviceId)
    .where('eventId', '=', eventId)
    .executeTakeFirst()

/** Raises the signal of the server when the wait of a rule ended: the condition lasted, or nothing was heard. */
const waited = async (trx: Db, key: TimerKey): Promise<void> => {
  const { ruleId, eventId, whole, mode } = parseStep(key)
  const rules = await loadRules(trx)
  const rule = rules.find((rule) => rule.id === ruleId && rule.enabled && !rule.shadow)
  if (!rule || (rule.condition !== 'DURATION' && rule.condition !== 'NO_DATA')) return
  const first = await beganWith(trx, key.subjectId, eventId)
  const silent = rule.condition === 'NO_DATA'
  // Silence does not depend on the first signal. A lasting condition must still match.
  if (!first || (!silent && !rule.matchCodes.includes(first.code))) return
  const { withinSec, condition } = rule
  const signal = fromServer({
    code: silent ? condition : first.code,
    // The same silence or condition is the same signal, however often the step is retried.
    eventId: `R${rule.id}.${first.id}`,
    mode,
    zone: silent && whole ? null : first.zone,
    whole,
    fault: silent ? null : first.fault,
    detail: { condition, withinSec, ...(!silent && first.fault !== null && { fault: first.fault }) },
  })
  await ingestOne(
    trx,
    { deviceId: key.subjectId, normalize: () => signal, forced: rule, beganAt: first.receivedAt },
    rules,
  )
}

/**
 * Steps of timer kind `rule`; the subject is the device. They run one at a time: the record may be shared with other
 * devices, whose locks must be acquired before any record is locked.
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
