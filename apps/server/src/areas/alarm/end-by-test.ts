import { isUnconfirmedTest } from '@tocsin/contract/alarm/state-machine'
import { applyOutcome } from '#areas/alarm/verb/execute-verb'
import { lockForSystem, type VerbContext } from '#areas/alarm/verb/verb-context'
import { buttonTestEnded } from '#areas/device/button-test/test-hooks'
import { installationAccepted } from '#areas/device/installation/installation-hooks'
import { deviceStayEnded } from '#areas/device/lifecycle/end-stay'
import type { Db } from '#db/db'
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
  if (!isUnconfirmedTest(record)) return
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

/** Presses of a button test end with its window and its result, not with a person at the desk. */
export const endTestRecords = addHook(buttonTestEnded, async (trx, { planId }) => {
  for (const context of await lockForSystem(trx, await listExpected(trx, { testPlanId: planId })))
    await endTest(context, { testPlanId: planId })
})

/** The record of the press that an installation of the device expected. It may not be left to a person (decision 067). */
const endCommissioning = async (trx: Db, deviceId: number, reason: string): Promise<void> => {
  for (const context of await lockForSystem(trx, await listExpected(trx, { deviceId })))
    if (context.record.commissioning) await endTest(context, { reason })
}

export const endWithAcceptance = addHook(installationAccepted, (trx, { deviceId }) =>
  endCommissioning(trx, deviceId, 'INSTALLATION_ACCEPTED'),
)

export const endWithStay = addHook(deviceStayEnded, (trx, { deviceId, reason }) =>
  endCommissioning(trx, deviceId, `DEVICE_${reason}`),
)
