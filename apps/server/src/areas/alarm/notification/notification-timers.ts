import { alarmLabel } from '@tocsin/contract/alarm/alarm-labels'
import type { PolicyTarget } from '@tocsin/contract/notify/policy'
import { localStamp } from '@tocsin/contract/time-zone'
import { NOTIFICATION_TIMER } from '#areas/alarm/timer/schedule-timers'
import { openTimerEffects } from '#areas/alarm/timer/timer-effects'
import { type LockedRecord, lockForSystem, lockRecords, type VerbContext } from '#areas/alarm/verb/verb-context'
import { type DeliveryPlan, planDeliveriesTogether } from '#areas/notify/plan'
import { findPolicy, type PolicyPlan } from '#areas/notify/policy/find-policy'
import { isRepetition, nextStep, parseStep, stepAt } from '#areas/notify/policy/steps'
import { findRecipients, type Recipients } from '#areas/notify/targets'
import type { Db } from '#db/db'
import type { TimerHandler } from '#timer/scheduler'
import type { TimerKey } from '#timer/timer'

/** Levels at which an alarm that reaches nobody is itself an alarm (domain 2.14, invariant 11). */
const LOUD_LEVEL = 1

const whereOf = ({ schoolName, placePath }: LockedRecord): string =>
  [schoolName, placePath].filter((part) => part !== null && part !== '').join(' ')

/** Chinese, like all texts sent outside of the console; drills are marked first. */
const textOf = (record: LockedRecord, loop: number) => {
  const mark = record.mode === 'DRILL' ? '【演练】' : ''
  const level = alarmLabel('level', record.level, 'zh-cn')
  const kind = alarmLabel('warnClass', record.class, 'zh-cn')
  const again = loop > 0 ? `，第 ${loop + 1} 次通知` : ''
  return {
    title: `${mark}${level} ${kind}`,
    body: `${whereOf(record) || record.no}，${localStamp(record.firstAt)} 报警，${record.no}，待接警${again}`,
    link: `/warn/record?record=${record.id}`,
  }
}

/** It is unclaimed and rings. */
const isWaiting = ({ state, shelvedUntil, mode }: LockedRecord): boolean =>
  state === 'NEW' && shelvedUntil === null && mode !== 'TEST'

/** Reads policies and recipients once for records of one place that ring together. */
const openReads = (trx: Db) => {
  const policies = new Map<string, Promise<PolicyPlan>>()
  const recipients = new Map<string, Promise<Recipients>>()
  const readOnce = <Value>(known: Map<string, Promise<Value>>, parts: unknown, read: () => Promise<Value>) => {
    const key = JSON.stringify(parts)
    const found = known.get(key) ?? read()
    known.set(key, found)
    return found
  }
  return {
    policy: (record: LockedRecord) => {
      const { class: of, level, schoolId, deptId } = record
      return readOnce(policies, [of, level, schoolId, deptId], () => findPolicy(trx, record))
    },
    recipients: (targets: readonly PolicyTarget[], { schoolId, deptId }: LockedRecord) =>
      readOnce(recipients, [targets, schoolId, deptId], () => findRecipients(trx, targets, { schoolId, deptId })),
  }
}

type PlannedStep = { policy: PolicyPlan; step: string; recipients: Recipients }

const planOf = (record: LockedRecord, { policy, step, recipients }: PlannedStep): DeliveryPlan => {
  const { loop, index } = parseStep(step)
  const { userIds, onDuty, waiting } = recipients
  return {
    subject: { type: 'RECORD', id: record.id },
    schoolId: record.schoolId,
    deptId: record.deptId,
    level: record.level,
    step: index,
    ...textOf(record, loop),
    userIds,
    // Whoever is on duty did not act, so a repetition is for everybody at once.
    ...(!isRepetition(step) && { onDuty, waiting }),
    // A drill is shown in the console only, and sends no telephone messages.
    channels: record.mode === 'DRILL' ? ['INAPP'] : stepAt(policy, step).channels,
    key: `${record.epoch}.${record.version}.${step}`,
  }
}

type DueStep = { context: VerbContext; key: TimerKey; policy: PolicyPlan; plan: DeliveryPlan }

const loadSteps = async (
  trx: Db,
  contexts: readonly VerbContext[],
  keys: readonly TimerKey[],
): Promise<readonly DueStep[]> => {
  const reads = openReads(trx)
  const byRecord = new Map(contexts.map((context) => [context.record.id, context]))
  const steps: DueStep[] = []
  for (const key of keys) {
    const context = byRecord.get(key.subjectId)
    if (!context || context.record.epoch !== key.epoch || !isWaiting(context.record)) continue
    const policy = await reads.policy(context.record)
    const recipients = await reads.recipients(stepAt(policy, key.step).targets, context.record)
    steps.push({ context, key, policy, plan: planOf(context.record, { policy, step: key.step, recipients }) })
  }
  return steps
}

/** Notifies the users of one step of each record and schedules the next ones. */
const executeAll = async (trx: Db, keys: readonly TimerKey[]): Promise<void> => {
  const contexts = await lockForSystem(
    trx,
    keys.map(({ subjectId }) => subjectId),
  )
  const effects = await openTimerEffects(trx, contexts)
  const steps = await loadSteps(trx, contexts, keys)
  const counts = await planDeliveriesTogether(
    trx,
    steps.map(({ plan }) => plan),
  )
  for (const [at, { context, key, policy }] of steps.entries()) {
    const { level } = context.record
    if (counts[at] === 0 && level <= LOUD_LEVEL)
      effects.remind(context, 'noRecipient', { ring: true, payload: { level } })
    const next = nextStep(policy, key.step)
    if (next) effects.schedule({ ...key, step: next.step }, next.seconds)
  }
  await effects.write()
}

/** Records that wait for a common commit keep their verbs waiting. */
const MAX_TOGETHER = 8

/** Runs the steps of escalation policies. The timer that a raised record gets fires once, after the commit. */
export const notificationTimerHandlers: Record<typeof NOTIFICATION_TIMER, TimerHandler> = {
  [NOTIFICATION_TIMER]: { most: MAX_TOGETHER, lock: lockRecords, execute: executeAll },
}
