import { sql } from 'kysely'
import type { Db } from '#db/db'
import { rowsFromJson } from '#db/bulk-rows'
import { unscoped } from '#db/scope'

/** Activity of a device since the last write. Times are readings of performance.now(). */
export type DeviceActivity = {
  deviceId: number
  seenAt: number
  beatAt: number | null
  boot: number | null
  seq: number | null
  /** The device's own clock in UTC ms, when it was heard, and its uptime then. */
  ts: number | null
  tsAt: number | null
  tsBoot: number | null
  upMs: number | null
  battery: number | null
  rssi: number | null
  fw: string | null
  cfg: string | null
  unsent: number | null
}

/** `boot` of the lost connection; null when unknown. */
export type LinkLoss = { deviceId: number; boot: number | null; heardAt: number | null; lostAt: number }

/** Temperature and noise raise a reading above the lowest one by at most this much. */
const RISE_PCT = 5

const ageOf = (at: number | null): number | null => (at === null ? null : Math.max(0, performance.now() - at) / 1000)

const signsFrom = rowsFromJson({
  deviceId: 'bigint',
  age: 'float8',
  beatAge: 'float8',
  boot: 'bigint',
  seq: 'bigint',
  ts: 'bigint',
  tsAge: 'float8',
  tsBoot: 'bigint',
  upMs: 'bigint',
  battery: 'integer',
  rssi: 'integer',
  fw: 'text',
  cfg: 'text',
  unsent: 'integer',
})
const lossesFrom = rowsFromJson({ deviceId: 'bigint', boot: 'bigint', age: 'float8', heardAge: 'float8' })

/**
 * Writes activities in one statement. It sends ages instead of times, because only the database clock counts. An older
 * (boot, seq) changes nothing.
 * @returns devices that are not ONLINE.
 */
export const writeActivities = async (db: Db, signs: readonly DeviceActivity[]): Promise<number[]> => {
  const rows = signs.map((sign) => ({
    ...sign,
    age: ageOf(sign.seenAt),
    beatAge: ageOf(sign.beatAt),
    tsAge: ageOf(sign.tsAt),
  }))
  const newer = sql`excluded.boot is not null
    and (excluded.boot, coalesce(excluded.seq, 0)) >= (coalesce(old.boot, -1), coalesce(old.seq, -1))`
  const latest = (column: string) => {
    const [fresh, kept] = [sql.ref(`excluded.${column}`), sql.ref(`old.${column}`)]
    return sql`${sql.ref(column)} = case when ${newer} then coalesce(${fresh}, ${kept}) else ${kept} end`
  }
  const columns = ['skew_ms', 'skew_boot', 'boot_clock_ms', 'battery_pct', 'rssi', 'fw', 'cfg_version', 'unsent'].map(
    latest,
  )
  // A reading well above the lowest one means a charged or new battery, so the drain is measured from it.
  const anew = sql`${newer} and excluded.battery_pct is not null
    and (old.battery_low_pct is null or excluded.battery_pct >= old.battery_low_pct::bigint + ${sql.lit(RISE_PCT)})`
  const { rows: written } = await sql<{ deviceId: number; absent: boolean }>`
    insert into device_state as old
      (device_id, last_seen_at, last_heartbeat_at, boot, seq, skew_ms, skew_boot, boot_clock_ms, battery_pct, rssi, fw,
        cfg_version, unsent, battery_from_pct, battery_from_at, battery_low_pct)
    select device.id, now() - make_interval(secs => age), now() - make_interval(secs => "beatAge"), boot,
      coalesce(seq, case when boot is null then null else 0 end),
      ts - round((extract(epoch from now()) - "tsAge") * 1000)::bigint, "tsBoot",
      ts - "upMs", battery, row.rssi, row.fw, cfg, unsent,
      battery, case when battery is not null then now() end, battery
    from ${signsFrom(rows)} join device on device.id = "deviceId"
    order by device.id
    on conflict (device_id) do update set
      last_seen_at = greatest(old.last_seen_at, excluded.last_seen_at),
      last_heartbeat_at = greatest(old.last_heartbeat_at, excluded.last_heartbeat_at),
      ${sql.join(columns)},
      battery_from_pct = case when ${anew} then excluded.battery_pct else old.battery_from_pct end,
      battery_from_at = case when ${anew} then excluded.battery_from_at else old.battery_from_at end,
      battery_low_pct = case when ${anew} then excluded.battery_pct
        when ${newer} then least(old.battery_low_pct, excluded.battery_pct) else old.battery_low_pct end,
      boot = case when ${newer} then excluded.boot else old.boot end,
      seq = case when ${newer} then excluded.seq else old.seq end
    returning device_id, connectivity <> 'ONLINE' as absent`.execute(unscoped(db, 'signs of life of all devices'))
  return written.flatMap(({ deviceId, absent }) => (absent ? [deviceId] : []))
}

/**
 * Writes lost links. It ignores a will of an earlier boot, and a link that had been silent while the device used another
 * one.
 */
export const writeLinkLosses = async (db: Db, losses: readonly LinkLoss[]): Promise<void> => {
  const rows = losses.map((loss) => ({ ...loss, age: ageOf(loss.lostAt), heardAge: ageOf(loss.heardAt) }))
  // Locks rows in the order of their ids, as the write of activities does, so that the two cannot deadlock.
  await sql`
    update device_state state set link_lost_at = now() - make_interval(secs => age)
    from (
      select state.device_id, age from ${lossesFrom(rows)} join device_state state on state.device_id = "deviceId"
      where coalesce(row.boot >= state.boot, true) and ("heardAge" is null or state.last_seen_at is null
        or state.last_seen_at <= now() - make_interval(secs => "heardAge") + interval '2 seconds')
      order by state.device_id
      for no key update of state
    ) lost
    where state.device_id = lost.device_id`.execute(db)
}
