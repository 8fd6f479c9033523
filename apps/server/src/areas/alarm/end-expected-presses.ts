import { isOnlyExpectedPress } from '@tocsin/contract/alarm/state-machine'
import { appendLog } from '#areas/alarm/record-log'
import { scheduleOverdue } from '#areas/alarm/timer/schedule-timers'
import { applyOutcome } from '#areas/alarm/verb/execute-verb'
import { type LockedRecord, lockForSystem, type VerbContext } from '#areas/alarm/verb/verb-context'
import { buttonTestEnded } from '#areas/device/button-test/test-hooks'
import { repeatWindowEnd } from '#areas/device/button-test/test-timer'
import { installationAccepted } from '#areas/device/installation/installation-hooks'
import { installationPeriodEnded } from '#areas/device/lifecycle/end-installation-period'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import { addHook } from '#db/transaction-hook'

/** Records of presses that a test or an installation expected. Any other press has a record that stays with people. */
const listExpected = async (trx: Db, by: { testPlanId: number } | { deviceId: number }): Promise<number[]> => {
  const found = await unscoped(trx, 'presses of a test or device that was locked before')
    .selectFrom('warnRecord')
    .select('id')
    .where('state', '!=', 'CLOSED')
    .where((eb) =>
      'testPlanId' in by
        ? eb('testPlanId', '=', by.testPlanId)
        : eb.and([eb('deviceId', '=', by.deviceId), eb('commissioning', '=', true)]),
    )
    .execute()
  return found.map(({ id }) => id)
}

/**
 * Resolves and closes one record with the result of its test, or with its installation. A record that people act on stays
 * with them.
 */
const endTest = async (context: VerbContext, why: { testPlanId: number } | { reason: string }): Promise<void> => {
  const { record } = context
  if (!isOnlyExpectedPress(record)) return
  const isWaiting = record.state === 'NEW' || record.state === 'CLAIMED'
  if (!isWaiting && !(record.state === 'RESOLVED' && record.disposition === 'TEST')) return
  const resolved = isWaiting
    ? await applyOutcome(context, 'endTest', {
        set: {
          disposition: 'TEST',
          falseBy: null,
          ...(record.class === 'PANIC' && { condition: 'RECOVERED' as const }),
        },
        payload: { disposition: 'TEST', ...why },
      })
    : record
  await applyOutcome({ ...context, record: resolved }, 'closeBySystem', {})
}

/** No timer ends what a person holds or what nobody has seen yet. */
const isLeftToPeople = ({ state, displayedAt }: LockedRecord): boolean =>
  state === 'CLAIMED' || (state === 'NEW' && displayedAt === null)

/** Presses of a button test end with its result, and after its window as soon as no person waits for them. */
export const endExpectedPressesOfTest = addHook(buttonTestEnded, async (trx, { planId, isClosed }) => {
  let isLeft = false
  for (const context of await lockForSystem(trx, await listExpected(trx, { testPlanId: planId })))
    if (!isClosed && isLeftToPeople(context.record)) isLeft = true
    else await endTest(context, { testPlanId: planId })
  if (isLeft) await repeatWindowEnd(trx, planId)
})

/** From now on a test with the limits of an alarm, because nothing else will end it. */
const leaveToOwner = async ({ trx, all, record }: VerbContext, reason: string): Promise<void> => {
  const { id, schoolId, deptId } = record
  await all.updateTable('warnRecord').set({ commissioning: false }).where('id', '=', id).execute()
  await appendLog(all, id, { kind: 'NOTE', verb: 'leftToOwner', actor: 'system', payload: { reason } })
  await scheduleOverdue(trx, record)
  await emitEvents(trx, { type: 'alarm.changed', ref: id, schoolId, deptId })
}

/** The record of the press that an installation of the device expected. It may not be left to a person (decision 067). */
const endCommissioning = async (trx: Db, deviceId: number, reason: string): Promise<void> => {
  for (const context of await lockForSystem(trx, await listExpected(trx, { deviceId })))
    if (context.record.state === 'CLAIMED') await leaveToOwner(context, reason)
    else if (context.record.commissioning) await endTest(context, { reason })
}

export const endExpectedPressOfAcceptance = addHook(installationAccepted, (trx, { deviceId }) =>
  endCommissioning(trx, deviceId, 'INSTALLATION_ACCEPTED'),
)

export const endExpectedPressOfPeriod = addHook(installationPeriodEnded, (trx, { deviceId, reason }) =>
  endCommissioning(trx, deviceId, `DEVICE_${reason}`),
)
