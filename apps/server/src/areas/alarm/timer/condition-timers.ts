import type { Mode } from '@tocsin/contract/alarm/state-machine'
import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { SignalContext } from '#areas/alarm/intake/unit-of-work'
import { type PriorSignal, latestCode, isLaterByDevice } from '#areas/alarm/intake/signal-history'
import type { Db } from '#db/db'
import { scheduleTimer, type TimerKey } from '#timer/timer'

/** Timer kind of rules that wait. Subject: the device. Epoch: the mode. Step: the rule and the first signal. */
export const RULE_TIMER = 'rule'
const modes = ['LIVE', 'TEST', 'DRILL'] as const satisfies Mode[]

/** Marks a wait that belongs to the whole device and not only to the zone of its signal. */
const WHOLE = '~'

const stepOf = (rule: WarnRule, eventId: string, whole: boolean): string =>
  `R${rule.id}.${whole ? WHOLE : ''}${eventId}`

/** Prefix of all timers of one rule, whatever signal started them. */
export const isTimerOfRule = (ruleId: number): Expression<SqlBool> =>
  sql<SqlBool>`timer.kind = ${RULE_TIMER} and starts_with(timer.step, ${`R${ruleId}.`})`

/** The parts of a step name. */
export const parseStep = ({ step, epoch }: Pick<TimerKey, 'step' | 'epoch'>) => {
  const [, id, whole, eventId] = /^R(\d+)\.(~?)(.*)$/.exec(step) ?? []
  return { ruleId: Number(id), whole: whole === WHOLE, eventId: eventId ?? '', mode: modes[epoch - 1] ?? 'LIVE' }
}

/** The subject of a wait: a zone of a device where the rule separates zones, and one fault name. */
type Awaited = { zone: string | null; fault: string | null }

const awaitedOf = ({ dedupBy, condition }: WarnRule, { zone, fault }: Awaited): Awaited => ({
  zone: dedupBy === 'ZONE' ? zone : null,
  fault: condition === 'DURATION' ? fault : null,
})

type Wait = Awaited & { step: string; first: Pick<PriorSignal, 'code' | 'boot' | 'seq' | 'occurredAt'> }

const keyOf = ({ source, signal }: SignalContext, step: string): TimerKey => ({
  kind: RULE_TIMER,
  subjectId: source.deviceId,
  step,
  epoch: modes.indexOf(signal.mode) + 1,
})

/** The waits of the rule for this device, in the mode of this signal. */
const waitsOf = async ({ all, source, signal }: SignalContext, rule: WarnRule): Promise<Wait[]> => {
  const whole = sql<boolean>`timer.step like ${`R%.${WHOLE}%`}`
  const began = await all
    .selectFrom('timer')
    .innerJoin('signal as s', (join) =>
      join
        .onRef('s.deviceId', '=', 'timer.subjectId')
        .on('s.eventId', '=', sql<string>`substring(timer.step from '^R[0-9]+[.]~?(.*)$')`),
    )
    .select(['timer.step', whole.as('whole'), 's.zone', sql<string | null>`s.body ->> 'fault'`.as('fault')])
    .select(['s.code', 's.boot', 's.seq', 's.occurredAt'])
    .where('timer.subjectId', '=', source.deviceId)
    .where('timer.epoch', '=', modes.indexOf(signal.mode) + 1)
    .where('timer.doneAt', 'is', null)
    .where(isTimerOfRule(rule.id))
    .execute()
  return began.map(({ step, whole, zone, fault, ...first }) => ({
    ...awaitedOf(rule, { zone: whole ? null : zone, fault }),
    step,
    first,
  }))
}

const begin = (context: SignalContext, rule: WarnRule): Promise<void> => {
  const whole = awaitedOf(rule, { zone: context.signal.ownZone, fault: null }).zone === null
  return scheduleTimer(context.trx, keyOf(context, stepOf(rule, context.signal.eventId, whole)), rule.withinSec ?? 0)
}

const sameZone = (rule: WarnRule, zone: string | null, other: string | null): boolean =>
  rule.dedupBy !== 'ZONE' || zone === other

/** Whether the device has already reported the end of this condition. */
const isOver = (context: SignalContext, rule: WarnRule): boolean => {
  const { signal, history } = context
  const ends = ({ code, fault }: PriorSignal) =>
    rule.recoverCodes.includes(code) ? fault === null || fault === signal.fault : fault === signal.fault
  const later = history.later.filter(
    (item) =>
      [...rule.matchCodes, ...rule.recoverCodes].includes(item.code) &&
      sameZone(rule, item.zone, signal.zone) &&
      ends(item),
  )
  return later.length > 0 && rule.recoverCodes.includes(latestCode(signal, later).code)
}

/**
 * Starts the wait of a condition. Further signals do not prolong a running wait. A wait of the whole device above the
 * rate limit includes the wait of its zone. A wait whose first code is no longer part of the rule would raise nothing.
 * @returns whether a wait exists; false when the condition has already ended.
 */
export const startConditionTimer = async (context: SignalContext, rule: WarnRule): Promise<boolean> => {
  if (isOver(context, rule)) return false
  const { signal } = context
  const { zone: own, fault } = awaitedOf(rule, { zone: signal.ownZone, fault: signal.fault })
  const waits = await waitsOf(context, rule)
  const stands = waits.some(
    ({ zone, first, ...wait }) =>
      wait.fault === fault && (zone === own || zone === signal.zone) && rule.matchCodes.includes(first.code),
  )
  if (!stands) await begin(context, rule)
  return true
}

/**
 * Ends the waits of a condition: of the zone and fault that the signal names, and of every fault when it names none. It
 * does not end a wait that started with a later signal. A condition that restarted after it but was reported before it
 * starts its wait now.
 */
export const cancelConditionTimer = async (context: SignalContext, rule: WarnRule): Promise<void> => {
  const { signal, trx } = context
  for (const wait of await waitsOf(context, rule)) {
    if (!sameZone(rule, wait.zone, signal.zone) || (signal.fault !== null && signal.fault !== wait.fault)) continue
    if (isLaterByDevice(context, wait.first)) continue
    const key = keyOf(context, wait.step)
    const again = context.history.later.some(
      ({ code, zone, fault }) =>
        rule.matchCodes.includes(code) &&
        (wait.zone === null || sameZone(rule, zone, wait.zone)) &&
        fault === wait.fault,
    )
    if (again) await scheduleTimer(trx, key, rule.withinSec ?? 0)
    else await remove(context, key)
  }
}

/** Deletes a cancelled wait, because devices may report twice a minute that the condition is over. */
const remove = ({ trx }: SignalContext, { kind, subjectId, step, epoch }: TimerKey) =>
  trx
    .deleteFrom('timer')
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .where('step', '=', step)
    .where('epoch', '=', epoch)
    .execute()

/**
 * Restarts the wait for silence with every signal of the codes: of its zone and of the whole device. A zone that is
 * heard alone gets its own wait, due no later than that of the whole device, and replaces it.
 */
export const restartSilenceTimer = async (context: SignalContext, rule: WarnRule): Promise<void> => {
  const { signal, trx } = context
  const { zone: own } = awaitedOf(rule, { zone: signal.ownZone, fault: null })
  const waits = (await waitsOf(context, rule)).filter(({ zone }) => zone === null || zone === signal.zone)
  const met = new Set<string | null>()
  for (const { step, zone } of waits) {
    const key = keyOf(context, step)
    // There may be several waits of the whole device since the rule was changed.
    if (met.has(zone) || (zone === null && own !== null)) await remove(context, key)
    else await scheduleTimer(trx, key, rule.withinSec ?? 0)
    met.add(zone)
  }
  if (own === null ? met.size === 0 : !met.has(own)) await begin(context, rule)
}

/**
 * Ends the waits that mean nothing after the device has left its place: silence, and conditions of its health. Any other
 * condition that lasted raises its record at the place where it began.
 */
export const cancelWaitsOfPlace = async (trx: Db, deviceId: number): Promise<void> => {
  await sql`
    delete from timer using warn_rule as rule
    where timer.kind = ${RULE_TIMER} and timer.subject_id = ${deviceId} and timer.done_at is null
      and starts_with(timer.step, 'R' || rule.id || '.') and (rule.condition = 'NO_DATA' or rule.class = 'DEVICE_HEALTH')
  `.execute(trx)
}
