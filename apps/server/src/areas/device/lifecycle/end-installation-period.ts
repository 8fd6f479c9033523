import type { InstallationPeriodEnd } from '@tocsin/contract/device/command'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import { defineHook, runHooks } from '#db/transaction-hook'
import type { Row } from '#db/tables'

export type EndedPeriod = { deviceId: number; reason: InstallationPeriodEnd }

/** A device left its place, its school or its gateway. Later areas end what belonged to its time there. */
export const installationPeriodEnded = defineHook<EndedPeriod>('device.installationPeriodEnded')

/**
 * Ends what belonged to the time of a device at its place, in the transaction of the verb that ends this time: open records
 * of its health, commands that wait, and stages of alarms for its lights. Receipts of its own messages stay, because they
 * stop its repeats. Called last: it locks messages of the device, after which nothing else may be locked (decision 016).
 */
export const endInstallationPeriod = async (
  trx: Db,
  { id: deviceId, schoolId, deptId }: Pick<Row<'device'>, 'id' | 'schoolId' | 'deptId'>,
  reason: InstallationPeriodEnd,
): Promise<void> => {
  await runHooks(trx, installationPeriodEnded, { deviceId, reason })
  const all = unscoped(trx, 'messages for a device that was locked in the visibility of the caller')
  // First, because deleting the message of any other command says that it has arrived.
  const ended = await all
    .updateTable('deviceCommand')
    .set({ state: 'CANCELLED', endReason: reason, finishedAt: sql<Date>`now()` })
    .where('deviceId', '=', deviceId)
    .where('state', '=', 'CREATED')
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('id')
    .execute()
  // Behind another gateway the device is still where its alarms show their stages.
  const hasLeftPlace = reason !== 'GATEWAY_CHANGED'
  await all
    .deleteFrom('deviceOutbox')
    .where('deviceId', '=', deviceId)
    .where(({ eb, or, and }) =>
      or([
        eb('channel', '=', 'cmd'),
        ...(hasLeftPlace ? [and([eb('channel', '=', 'ack'), eb('key', '~', '^[0-9]+\\.')])] : []),
      ]),
    )
    .execute()
  // A device that stays silent raises its alarm anew, at its new place or gateway.
  await trx
    .updateTable('deviceState')
    .set({ connectivity: 'LATE', since: sql<Date>`now()` })
    .where('deviceId', '=', deviceId)
    .where('connectivity', '=', 'OFFLINE')
    .execute()
  if (ended.length > 0) await emitEvents(trx, { type: 'device.command', ref: deviceId, schoolId, deptId })
}
