import { sql } from 'kysely'

/** Before so much was drained, and so long measured, nobody knows how long the rest lasts. */
const DRAINED_PCT = 2
const MEASURED = sql`interval '1 day'`
/** Ten years: what a slower drain would promise is no promise. */
const MOST_DAYS = 3650

/**
 * Days until a battery is empty, counted from now, if it drains on as it did since the reading that `writeActivities` measures
 * from (its first, or the first after it was charged or changed). Null for a device on mains, and while the drain is
 * unknown. Of a device whose model and state are joined.
 */
export const batteryDaysLeft = sql<number | null>`case
  when device_model.power = 'BATTERY'
    and device_state.battery_pct between 0 and 100
    and device_state.battery_from_pct::bigint - device_state.battery_pct >= ${sql.lit(DRAINED_PCT)}
    and device_state.last_heartbeat_at - device_state.battery_from_at >= ${MEASURED}
  then greatest(0, least(${sql.lit(MOST_DAYS)}, floor((
    device_state.battery_pct
      * extract(epoch from device_state.last_heartbeat_at - device_state.battery_from_at)
      / (device_state.battery_from_pct::bigint - device_state.battery_pct)
    - extract(epoch from now() - device_state.last_heartbeat_at)
  ) / 86400)))::int
end`
