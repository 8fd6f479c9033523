import { sql } from 'kysely'
import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { modeOf, RULE, ruleStep } from '#areas/alarm/intake/condition'
import { takeTurn } from '#areas/alarm/intake/place'
import { rulesOf } from '#areas/alarm/intake/rulebook'
import { concluded } from '#areas/alarm/intake/signal'
import { take } from '#areas/alarm/intake/take'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import type { TimerKey } from '#timer/timer'
import type { StepKind } from '#timer/wheel'

/** What the event ids of a rule's own signals begin with. */
const own = (rule: WarnRule): string => `R${rule.id}.`

/** The last signal the rule heard of the device: it names what lasted, or after what it fell silent. */
const lastOf = (trx: Db, rule: WarnRule, { subjectId, epoch }: TimerKey) =>
  everything(trx, 'rules that wait act for nobody in particular')
    .selectFrom('signal')
    .select(['id', 'code', 'zone', sql<string | null>`body ->> 'fault'`.as('fault')])
    .where('deviceId', '=', subjectId)
    .where('code', 'in', rule.matchCodes)
    .where('mode', '=', modeOf(epoch))
    .where('eventId', 'not like', `${own(rule)}%`)
    .orderBy('receivedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** A rule's wait ended: its condition lasted, or nothing was heard. The server says so by a signal of its own. */
const waited = async (trx: Db, key: TimerKey): Promise<void> => {
  const rules = await rulesOf(trx)
  const rule = rules.find((one) => ruleStep(one.id) === key.step && one.enabled && !one.shadow)
  if (!rule || (rule.condition !== 'DURATION' && rule.condition !== 'NO_DATA')) return
  const last = await lastOf(trx, rule, key)
  if (!last) return
  const signal = concluded({
    code: rule.condition === 'NO_DATA' ? 'NO_DATA' : last.code,
    // The same silence or the same lasting condition is the same signal, however often the step is tried.
    eventId: `${own(rule)}${last.id}`,
    mode: modeOf(key.epoch),
    zone: last.zone,
    fault: rule.condition === 'NO_DATA' ? null : last.fault,
    detail: { condition: rule.condition, withinSec: rule.withinSec },
  })
  await take(trx, { deviceId: key.subjectId, hear: () => signal, forced: rule }, rules)
}

/**
 * Steps of timer kind `rule`: subject is the device. One at a time: what it raises may be shared with other devices,
 * whose turns must be taken before any record is locked.
 */
export const ruleSteps: Readonly<Record<typeof RULE, StepKind>> = {
  [RULE]: {
    most: 1,
    lock: async (trx, deviceIds) => {
      for (const id of deviceIds) await takeTurn(trx, id)
      return deviceIds
    },
    carryOut: async (trx, keys) => {
      for (const key of keys) await waited(trx, key)
    },
  },
}
