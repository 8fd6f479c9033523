import { sql } from 'kysely'
import { ingestServerSignal } from '#areas/alarm/ingest'
import { lockDevice } from '#areas/alarm/intake/signal-source'
import type { Db } from '#db/db'
import { wakeSequencer } from '#db/event'
import { unscoped } from '#db/scope'

export type OutageMember = { outageId: number; deviceId: number }

/** Raises the alarm of one device that an outage stood for, in the caller's transaction. @returns whether it did. */
export const raiseMember = async (trx: Db, { outageId, deviceId }: OutageMember): Promise<boolean> => {
  await lockDevice(trx, deviceId)
  const { rows } = await sql`
    update outage_device set raised_at = now()
    where outage_id = ${outageId} and device_id = ${deviceId} and restored_at is null and raised_at is null
    returning device_id`.execute(unscoped(trx, 'the caller chose devices that it may see'))
  if (rows.length === 0) return false
  await ingestServerSignal(trx, { deviceId, code: 'OFFLINE', eventId: `OFFLINE-O${outageId}` })
  return true
}

/** Nothing changed for this long. */
const CALM = sql`interval '10 minutes'`

/**
 * Most devices of the group are back and nothing has changed for a while: the cause is over, so the rest have another
 * one and get alarms of their own. @returns how many.
 */
export const raiseRemainingDevices = async (db: Db): Promise<number> => {
  const { rows } = await sql<OutageMember>`
    select member.outage_id, member.device_id from outage_device member join device on device.id = member.device_id
    where device.lifecycle in ('COMMISSIONING', 'IN_SERVICE') and member.restored_at is null and member.raised_at is null and member.outage_id in (
      select outage.id from outage join outage_device other on other.outage_id = outage.id
      where outage.ended_at is null and outage.changed_at < now() - ${CALM}
      group by outage.id having count(other.restored_at) * 2 >= count(*))
    order by member.device_id`.execute(unscoped(db, 'the server derives outages of all devices'))
  let raised = 0
  for (const member of rows) if (await db.transaction().execute((trx) => raiseMember(trx, member))) raised += 1
  if (raised > 0) wakeSequencer()
  return raised
}
