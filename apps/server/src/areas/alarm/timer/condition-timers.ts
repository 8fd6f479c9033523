import type { Mode } from '@tocsin/contract/alarm/state-machine'
import type { WarnRule } from '@tocsin/contract/alarm/rule'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { SignalContext } from '#areas/alarm/intake/unit-of-work'
import { type PriorSignal, latestCode, isLaterByDevice } from '#areas/alarm/intake/load-context'
import { scheduleTimer, type TimerKey } from '#timer/timer'

/** Timer kind of rules that wait: subject is the device, epoch the mode, step the rule and the signal it began with. */
export const RULE_TIMER = 'rule'
const modes = ['LIVE', 'TEST', 'DRILL'] as const satisfies Mode[]

/** A wait that is of the whole device, and not of its signal's zone alone, says so. */
const WHOLE = '~'

const stepOf = (rule: WarnRule, eventId: string, whole: boolean): string =>
  `R${rule.id}.${whole ? WHOLE : ''}${eventId}`

/** Holds for the timers of what a rule waits for, whatever it began with. */
export const isTimerOfRule = (ruleId: number): Expression<SqlBool> =>
  sql<SqlBool>`timer.kind = ${RULE_TIMER} and starts_with(timer.step, ${`R${ruleId}.`})`

/** What a step names. */
export const parseStep = ({ step, epoch }: Pick<TimerKey, 'step' | 'epoch'>) => {
  const [, id, whole, eventId] = /^R(\d+)\.(~?)(.*)$/.exec(step) ?? []
  return { ruleId: Number(id), whole: whole === WHOLE, eventId: eventId ?? '', mode: modes[epoch - 1] ?? 'LIVE' }
}

/** What a wait is for: a zone of a device where the rule keeps zones apart, and of its faults the one of that name. */
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

/** What the rule waits for at this device, in the mode of this signal. */
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

/** Whether the device said already that what this signal tells of is over. */
const isOver = (context: SignalContext, rule: WarnRule): boolean => {
  const { signal, history } = context
  const ends = ({ code, fault }: PriorSignal) =>
    rule.recoverCodes.includes(code) ? fault === null || fault === signal.fault : fault === signal.fault
  const later = history.later.filter(
    (one) =>
      [...rule.matchCodes, ...rule.recoverCodes].includes(one.code) &&
      sameZone(rule, one.zone, signal.zone) &&
      ends(one),
  )
  return later.length > 0 && rule.recoverCodes.includes(latestCode(signal, later).code)
}

/**
 * The condition begins to last; while the wait runs, further signals of it do not prolong it. What is of the whole device
 * because it says too much has begun with the wait of its zone as well. What began with a code that the rule has lost
 * would come to nothing.
 * @returns whether it is waited for; not when it was over already.
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
 * The condition is over: of the zone and the fault that the signal names, of each fault where it names none. A wait that
 * began with what was said after it is none of its business; what began again after it, and was heard before it, begins
 * to last now.
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

/** A wait that came to nothing leaves nothing: devices may say twice a minute that it is over. */
const remove = ({ trx }: SignalContext, { kind, subjectId, step, epoch }: TimerKey) =>
  trx
    .deleteFrom('timer')
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .where('step', '=', step)
    .where('epoch', '=', epoch)
    .execute()

/**
 * Silence begins anew with every signal of the codes: of its zone, and of the whole device. A zone that is heard by itself
 * has a wait of its own, which is due no later than that of the whole device and takes its place.
 */
export const restartSilenceTimer = async (context: SignalContext, rule: WarnRule): Promise<void> => {
  const { signal, trx } = context
  const { zone: own } = awaitedOf(rule, { zone: signal.ownZone, fault: null })
  const waits = (await waitsOf(context, rule)).filter(({ zone }) => zone === null || zone === signal.zone)
  const met = new Set<string | null>()
  for (const { step, zone } of waits) {
    const key = keyOf(context, step)
    // Since the rule was changed several may be of the whole device.
    if (met.has(zone) || (zone === null && own !== null)) await remove(context, key)
    else await scheduleTimer(trx, key, rule.withinSec ?? 0)
    met.add(zone)
  }
  if (own === null ? met.size === 0 : !met.has(own)) await begin(context, rule)
}
