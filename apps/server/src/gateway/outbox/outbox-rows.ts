import type { DownChannel } from '@tocsin/protocol/topics'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '#db/db'
import { rowsFromJson } from '#db/bulk-rows'
import type { OpenTables, Row } from '#db/tables'

export type PendingMessage = Pick<Row<'deviceOutbox'>, 'id' | 'deviceId' | 'channel' | 'key' | 'payload'>
/** A message that has arrived. `payload` null stands for the present payload of the row. */
export type DeliveredMessage = {
  deviceId: number
  channel: Exclude<DownChannel, 'error'>
  key: string
  payload: object | null
}

const MOST = 5000

const pending = (db: Db, deviceIds: readonly number[] | 'all') =>
  db
    .selectFrom('deviceOutbox')
    .select(['id', 'deviceId', 'channel', 'key', 'payload'])
    .$if(deviceIds !== 'all', (some) => some.where('deviceId', '=', sql<number>`any(${deviceIds})`))
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))

/** Locks rows in the order in which the intake writes them, so that two transactions with several rows cannot deadlock. */
export const lockRowsInOrder = <O>(rows: SelectQueryBuilder<OpenTables, 'deviceOutbox', O>) =>
  rows.orderBy('deviceId').orderBy('channel').orderBy('key').forNoKeyUpdate()

/** Pending messages of these devices that have not expired, oldest first. */
export const listPending = (db: Db, deviceIds: readonly number[]): Promise<PendingMessage[]> =>
  pending(db, deviceIds).orderBy('id').limit(MOST).execute()

/** The same for rows that are unsent and whose device is reachable. Each row is claimed by one caller only. */
export const claimPending = async (db: Db, deviceIds: readonly number[]): Promise<PendingMessage[]> => {
  const unsent = pending(db, deviceIds)
    .clearSelect()
    .select('id')
    .where('sentAt', 'is', null)
    .where('deviceId', 'in', (eb) =>
      eb.selectFrom('deviceState').select('deviceId').where('connectivity', 'in', ['ONLINE', 'LATE']),
    )
  const claimed = await db
    .updateTable('deviceOutbox')
    .set({ sentAt: sql<Date>`now()` })
    .where('id', 'in', lockRowsInOrder(unsent))
    .returning(['id', 'deviceId', 'channel', 'key', 'payload'])
    .execute()
  return claimed.toSorted((a, b) => a.id - b.id)
}

/** Those of these devices with rows that have been unsent for some seconds, because their event was missed. */
export const findStalePending = async (db: Db, deviceIds: readonly number[] | 'all'): Promise<number[]> => {
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

export const markSent = async (db: Db, ids: readonly number[]): Promise<void> => {
  const sent = db.selectFrom('deviceOutbox').select('id').where('id', '=', sql<number>`any(${ids})`)
  await db
    .updateTable('deviceOutbox')
    .set({ sentAt: sql<Date>`now()` })
    .where('id', 'in', lockRowsInOrder(sent))
    .execute()
}

/** Commands that have reached their devices; their rows stay until the answer or the expiry. */
export const markDelivered = async (db: Db, commandIds: readonly string[]): Promise<void> => {
  const at = sql<Date>`now()`
  await db
    .updateTable('deviceCommand')
    .set({ sentAt: sql<Date>`coalesce(sent_at, ${at})`, deliveredAt: sql<Date>`coalesce(delivered_at, ${at})` })
    .where('commandId', 'in', [...commandIds])
    .where('state', '=', 'CREATED')
    .execute()
}

const deliveredFrom = rowsFromJson({ deviceId: 'bigint', channel: 'text', key: 'text', payload: 'jsonb' })

/** Deletes delivered rows. A row with a newer payload stays. */
export const deleteDelivered = async (db: Db, settled: readonly DeliveredMessage[]): Promise<void> => {
  await sql`
    delete from device_outbox where id in (
      select waiting.id from device_outbox waiting join ${deliveredFrom(settled)}
        on waiting.device_id = row."deviceId" and waiting.channel = row.channel and waiting.key = row.key
      where row.payload is null or waiting.payload = row.payload
      order by waiting.device_id, waiting.channel, waiting.key for no key update of waiting
    )`.execute(db)
}

export const deleteExpired = async (db: Db): Promise<void> => {
  const expired = db.selectFrom('deviceOutbox').select('id').where('expiresAt', '<=', sql<Date>`now()`)
  await db.deleteFrom('deviceOutbox').where('id', 'in', lockRowsInOrder(expired).limit(MOST)).execute()
}
