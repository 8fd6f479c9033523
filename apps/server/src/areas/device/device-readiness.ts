import { type Device, type DeviceLack, deviceLacks } from '@tocsin/contract/device/device'
import { expressionBuilder, sql } from 'kysely'
import type { AllTablesDb } from '#db/db'
import type { AllTables } from '#db/tables'

/** For statements that read `lacks` or `lifecycle` of devices: computed once for all their rows. */
export const joinMissingRequirements = (seen: AllTablesDb) =>
  seen.with('lacking', () => sql<{ deviceId: number; lack: DeviceLack }>`(select device_id, lack from school_lacks())`)

/** The last score computed by the server (insight/readiness); null before the device is accepted at a school. */
export const storedReadiness = expressionBuilder<AllTables, 'device'>()
  .selectFrom('deviceReadiness')
  .whereRef('deviceReadiness.deviceId', '=', 'device.id')
  .select('deviceReadiness.score')
  .$asScalar()

/** Only devices with calls for help need both (domain 2.14-12). */
const lacking = (whats: readonly DeviceLack[]) => sql<boolean>`(
  device.id in (select device_id from lacking where lack in (${sql.join(whats.map((item) => sql.lit(item)))}))
  and device.model_id in (
    select id from device_model where exists (select from unnest(alarm_codes) code where code like 'PANIC%')))`

/** The missing requirements of an installed panic device's school. */
export const missingRequirements = sql<DeviceLack[]>`array_remove(array[${sql.join(
  deviceLacks.map((deviceLack) => sql`case when ${lacking([deviceLack])} then ${sql.lit(deviceLack)} end`),
)}], null)`

/** For every reader: a device with a missing requirement is not in service (decision 036). */
export const effectiveLifecycle = sql<Device['lifecycle']>`case
  when device.lifecycle = 'IN_SERVICE' and ${lacking(deviceLacks)} then 'COMMISSIONING' else device.lifecycle end`

/**
 * The problems of each device: codes of its open health records whose cause still lasts.
 * @param seen a handle whose visibility covers the records
 */
export const healthFlags = async (seen: AllTablesDb, deviceIds: readonly number[]): Promise<Map<number, string[]>> => {
  if (deviceIds.length === 0) return new Map()
  const found = await seen
    .selectFrom('warnRecord')
    .select(['deviceId', 'code'])
    .distinct()
    .where('open', '=', true)
    .where('class', '=', 'DEVICE_HEALTH')
    .where('condition', '=', 'ACTIVE')
    .where('deviceId', 'in', deviceIds)
    .orderBy('code')
    .execute()
  const flags = new Map<number, string[]>()
  for (const { deviceId, code } of found)
    if (deviceId !== null) flags.set(deviceId, [...(flags.get(deviceId) ?? []), code])
  return flags
}
