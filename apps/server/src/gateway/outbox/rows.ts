import type { DownChannel } from '@tocsin/protocol/topics'
import { sql } from 'kysely'
import type { Row } from '#db/tables'
import type { Db } from '#db/db'

export type Waiting = Pick<Row<'deviceOutbox'>, 'id' | 'deviceId' | 'channel' | 'key' | 'payload'>
/** Something the other side has. `payload` null: whatever the row says now. */
export type Settled = { deviceId: number; channel: DownChannel; key: string; payload: object | null }

const MOST = 5000

const pending = (db: Db, deviceIds: readonly number[] | 'all') =>
  db
    .selectFrom('deviceOutbox')
    .select(['id', 'deviceId', 'channel', 'key', 'payload'])
    .$if(deviceIds !== 'all', (some) => some.where('deviceId', '=', sql<number>`any(${deviceIds})`))
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))

/** What waits for these devices and has not expired, oldest first. */
export const readWaiting = (db: Db, deviceIds: readonly number[]): Promise<Waiting[]> =>
  pending(db, deviceIds).orderBy('id').limit(MOST).execute()

/** The same, each row for one caller only, among those nobody has sent yet and whose device is in reach. */
export const claimWaiting = (db: Db, deviceIds: readonly number[]): Promise<Waiting[]> =>
  db
    .updateTable('deviceOutbox')
    .set({ sentAt: sql<Date>`now()` })
    .where('id', 'in', pending(db, deviceIds).clearSelect().select('id').where('sentAt', 'is', null))
    .where('sentAt', 'is', null)
    .where('deviceId', 'in', (eb) =>
      eb.selectFrom('deviceState').select('deviceId').where('connectivity', 'in', ['ONLINE', 'LATE']),
    )
    .returning(['id', 'deviceId', 'channel', 'key', 'payload'])
    .execute()

/** Which of these devices have rows that nobody has sent for some seconds: their event was missed. */
export const findForgotten = async (db: Db, deviceIds: readonly number[] | 'all'): Promise<number[]> => {
  const rows = await pending(db, deviceIds)
    .clearSelect()
    .select('deviceId')
    .distinct()
    .where('sentAt', 'is', null)
    .where('createdAt', '<', sql<Date>`now() - interval '5 seconds'`)
    .limit(MOST)
    .execute()
  return rows.map(({ deviceId }) => deviceId)
}

/** Device by device, as intake writes them, so that neither waits for who waits for it. */
const inOrder = sql`order by waiting.device_id, waiting.id for no key update`

export const markSent = async (db: Db, ids: readonly number[]): Promise<void> => {
  await sql`
    update device_outbox set sent_at = now() where id in (
      select id from device_outbox waiting where id = any(${ids}) ${inOrder}
    )`.execute(db)
}

/** Removes what arrived; a row that says something newer by now stays. */
export const removeSettled = async (db: Db, settled: readonly Settled[]): Promise<void> => {
  const rows = settled.map(({ deviceId, ...one }) => ({ device_id: deviceId, ...one }))
  await sql`
    delete from device_outbox where id in (
      select waiting.id from device_outbox waiting join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as done (device_id bigint, channel text, key text, payload jsonb)
        on waiting.device_id = done.device_id and waiting.channel = done.channel and waiting.key = done.key
      where done.payload is null or waiting.payload = done.payload
      ${inOrder} of waiting
    )`.execute(db)
}

export const removeExpired = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('deviceOutbox')
    .where('id', 'in', (eb) =>
      eb.selectFrom('deviceOutbox').select('id').where('expiresAt', '<=', sql<Date>`now()`).limit(MOST),
    )
    .execute()
}
