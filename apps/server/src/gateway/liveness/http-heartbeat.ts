import type { Heartbeat } from '@tocsin/protocol/heartbeat'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

/**
 * Stores boot and uptime of a heartbeat over HTTP. A signed request can be copied on its way and sent again, but each
 * heartbeat of a running device has a later uptime.
 * @returns false for a heartbeat that is not later than the last one.
 */
export const recordHttpHeartbeat = async (
  db: Db,
  deviceId: number,
  { boot, upMs }: Pick<Heartbeat, 'boot' | 'upMs'>,
): Promise<boolean> => {
  const { rows } = await sql`
    insert into device_state as old (device_id, http_boot, http_up_ms) values (${deviceId}, ${boot}, ${upMs})
    on conflict (device_id) do update set http_boot = excluded.http_boot, http_up_ms = excluded.http_up_ms
    where (coalesce(old.http_boot, -1), coalesce(old.http_up_ms, -1)) < (excluded.http_boot, excluded.http_up_ms)
    returning device_id`.execute(unscoped(db, 'a heartbeat of a device'))
  return rows.length > 0
}
