import { type BatteryConcern, batteryConcerns } from '@tocsin/contract/device/device'
import { type SqlBool, sql } from 'kysely'

/** Below this discharge and measuring time the remaining time is unknown. */
const DRAINED_PCT = 2
const MEASURED = sql`interval '1 day'`
/** Ten years: a slower discharge gives no reliable forecast. */
const MOST_DAYS = 3650

/**
 * Days from now until a battery is empty, at the discharge rate since the reading that `writeActivities` measures from
 * (its first, or the first after charging or replacement). Null for a device on mains power, and while the rate is
 * unknown. For a query with the device's model and state joined.
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

const LOW = sql<SqlBool>`device_readiness.reasons @> '[{"code": "BATTERY"}]'`
const ENDING = sql<SqlBool>`device_readiness.reasons @> '[{"code": "BATTERY_AHEAD"}]'`
const concernConditions: Record<BatteryConcern, typeof LOW> = { LOW, ENDING }

/**
 * Whether the readiness of a device counts one of these. The conditions are those of the index device_readiness_battery,
 * which therefore holds only such devices.
 */
export const hasBatteryConcern = (concerns: readonly BatteryConcern[] = batteryConcerns) =>
  sql<SqlBool>`(${sql.join(
    concerns.map((concern) => concernConditions[concern]),
    sql` or `,
  )})`
