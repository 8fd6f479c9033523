import { isUnconfirmedTest } from '@tocsin/contract/alarm/state-machine'
import { applyOutcome } from '#areas/alarm/verb/execute-verb'
import { lockForSystem, type VerbContext } from '#areas/alarm/verb/verb-context'
import { buttonTestClosed } from '#areas/device/button-test/test-hooks'
import { installationAccepted } from '#areas/device/installation/installation-hooks'
import { deviceStayEnded } from '#areas/device/lifecycle/end-stay'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { addHook } from '#db/transaction-hook'

type ClosedTest = { deviceIds: readonly number[]; from: Date; to: Date }

/** Records of the presses that the test expected; presses of another kind are LIVE and stay with people. */
const listTestRecords = async (trx: Db, { deviceIds, from, to }: ClosedTest): Promise<number[]> => {
  const found = await unscoped(trx, 'presses of a test that was closed in the visibility of the caller')
    .selectFrom('signal')
    .select('recordId')
    .distinct()
    .where('deviceId', 'in', [0, ...deviceIds])
    .where('kind', '=', 'ALARM')
    .where('mode', '=', 'TEST')
    .where('receivedAt', '>=', from)
    .where('receivedAt', '<', to)
    .where('recordId', 'is not', null)
    .execute()
  return found.flatMap(({ recordId }) => recordId ?? [])
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

/** Presses of a button test end with the result of the test, not with a person at the desk. */
export const endTestRecords = addHook(buttonTestClosed, async (trx, { planId, ...test }) => {
  const contexts = await lockForSystem(trx, await listTestRecords(trx, test))
  for (const context of contexts) await endTest(context, { testPlanId: planId })
})

/** The record of the press that an installation of the device expected. It may not be left to a person (decision 067). */
const endCommissioning = async (trx: Db, deviceId: number, reason: string): Promise<void> => {
  const found = await unscoped(trx, 'records of a device that was locked in the visibility of the caller')
    .selectFrom('warnRecord')
    .select('id')
    .where('deviceId', '=', deviceId)
    .where('commissioning', '=', true)
    .where('state', '!=', 'CLOSED')
    .execute()
  const ids = found.map(({ id }) => id)
  for (const context of await lockForSystem(trx, ids))
    if (context.record.commissioning) await endTest(context, { reason })
}

export const endWithAcceptance = addHook(installationAccepted, (trx, { deviceId }) =>
  endCommissioning(trx, deviceId, 'INSTALLATION_ACCEPTED'),
)

export const endWithStay = addHook(deviceStayEnded, (trx, { deviceId, reason }) =>
  endCommissioning(trx, deviceId, `DEVICE_${reason}`),
)
