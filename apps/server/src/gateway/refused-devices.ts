import type { UnknownDevice } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Log } from '#config'
import type { Db } from '#db/db'
import { rowsFromJson } from '#db/bulk-rows'
import { metrics } from '#metrics'

export type RefusedDevice = Pick<z.output<typeof UnknownDevice>, 'sn' | 'productKey' | 'ip' | 'reason'>
export type RefusedDeviceLog = {
  note: (attempt: RefusedDevice) => void
  flush: () => Promise<void>
  stop: () => Promise<void>
}

const FLUSH_MS = 1000
/** Attempts in memory until the next flush. More in one second is an attack and is only counted. */
const MAX_WAITING = 200
const MAX_STORED_ROWS = 1000

const toStorableText = (text: string, length: number): string =>
  text.replaceAll('\0', '').toWellFormed().slice(0, length).toWellFormed()

const attemptRows = rowsFromJson({ sn: 'text', productKey: 'text', ip: 'text', reason: 'text', count: 'bigint' })

const write = async (db: Db, rows: (RefusedDevice & { count: number })[]) => {
  await sql`
    insert into unknown_device as old (sn, product_key, ip, reason, count)
    select sn, "productKey", ip, reason, count from ${attemptRows(rows)} order by sn, ip
    on conflict on constraint unknown_device_key do update
      set count = old.count + excluded.count, last_at = now(), reason = excluded.reason,
        product_key = excluded.product_key`.execute(db)
  // Removes the oldest attempts. Rows that another node writes at this moment are skipped: it locks several of them, so
  // waiting for one could deadlock.
  await sql`
    delete from unknown_device
    where id in (
      select id from unknown_device
      where id in (select id from unknown_device order by last_at desc, id desc offset ${MAX_STORED_ROWS})
      for update skip locked
    )`.execute(db)
}

/** Stores refused connection attempts: one row per serial number and address, at most 1,000 (DESIGN 6). */
export const createRefusedDeviceLog = ({ db, log }: { db: Db; log: Log }): RefusedDeviceLog => {
  const waiting = new Map<string, RefusedDevice & { count: number }>()
  const note = (attempt: RefusedDevice) => {
    metrics.authenticationFailures.inc({ reason: attempt.reason })
    const row = {
      sn: toStorableText(attempt.sn, 64),
      productKey: toStorableText(attempt.productKey, 64),
      ip: toStorableText(attempt.ip, 45),
      reason: attempt.reason,
    }
    const key = `${row.sn}\n${row.ip}`
    const known = waiting.get(key)
    if (known) Object.assign(known, row, { count: known.count + 1 })
    else if (waiting.size < MAX_WAITING) waiting.set(key, { ...row, count: 1 })
  }
  const flush = async () => {
    const rows = [...waiting.values()]
    waiting.clear()
    if (rows.length === 0) return
    try {
      await write(db, rows)
    } catch (error) {
      log.warn(`refused devices could not be stored: ${String(error)}`)
    }
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  return {
    note,
    flush,
    stop: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
