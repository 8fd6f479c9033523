import { isUnconfirmedTest } from '@tocsin/contract/alarm/state-machine'
import { applyOutcome } from '#areas/alarm/verb/execute-verb'
import { lockForSystem, type VerbContext } from '#areas/alarm/verb/verb-context'
import { buttonTestClosed } from '#areas/device/button-test/test-hooks'
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

/** Resolves and closes one record with the result of its test. A record that people act on stays with them. */
const endWithTest = async (context: VerbContext, planId: number): Promise<void> => {
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
        payload: { disposition: 'TEST', testPlanId: planId },
      })
    : record
  await applyOutcome({ ...context, record: resolved }, 'closeBySystem', {})
}

/** Presses of a button test end with the result of the test, not with a person at the desk. */
export const endTestRecords = addHook(buttonTestClosed, async (trx, { planId, ...test }) => {
  const contexts = await lockForSystem(trx, await listTestRecords(trx, test))
  for (const context of contexts) await endWithTest(context, planId)
})
