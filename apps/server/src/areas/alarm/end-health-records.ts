import { stateMachine } from '@tocsin/contract/alarm/state-machine'
import { cancelWaitsOfPlace } from '#areas/alarm/timer/condition-timers'
import { applyOutcome, clearedProposal } from '#areas/alarm/verb/execute-verb'
import { lockForSystem } from '#areas/alarm/verb/verb-context'
import { type EndedPeriod, installationPeriodEnded } from '#areas/device/lifecycle/end-installation-period'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { addHook } from '#db/transaction-hook'

/** Open records of the health of a device. One of an outage is about others as well. */
const listHealthRecords = async (trx: Db, { deviceId, reason }: EndedPeriod): Promise<number[]> => {
  const found = await unscoped(trx, 'records of a device that was locked in the visibility of the caller')
    .selectFrom('warnRecord')
    .select('id')
    .where('deviceId', '=', deviceId)
    .where('class', '=', 'DEVICE_HEALTH')
    .where('code', '!=', 'OUTAGE')
    // The gateway is the link of the device only; its battery and faults are its own.
    .$if(reason === 'GATEWAY_CHANGED', (query) => query.where('code', '=', 'OFFLINE'))
    .where('state', 'in', [...stateMachine.recover.from])
    .execute()
  return found.map(({ id }) => id)
}

/** Where the device hung, its condition has ended; a person who looks for it there would find nothing. */
export const endHealthRecords = addHook(installationPeriodEnded, async (trx, period) => {
  for (const context of await lockForSystem(trx, await listHealthRecords(trx, period))) {
    const isOpen = stateMachine.recover.from.some((state) => state === context.record.state)
    if (!isOpen || context.record.class !== 'DEVICE_HEALTH') continue
    await applyOutcome(context, 'recover', {
      set: { ...clearedProposal, disposition: 'AUTO_RECOVERED', condition: 'RECOVERED', faults: [] },
      payload: { reason: `DEVICE_${period.reason}` },
      stage: null,
    })
  }
  if (period.reason !== 'GATEWAY_CHANGED') await cancelWaitsOfPlace(trx, period.deviceId)
})
