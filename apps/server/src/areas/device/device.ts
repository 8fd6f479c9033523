import { codes } from '@tocsin/contract/codes'
import type { CommandType } from '@tocsin/contract/device/model'
import { type DeviceQuery, devices } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import { loadPlacePaths } from '#areas/school/place'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { batteryDaysLeft } from './battery.ts'
import { connectivity } from './connectivity.ts'
import { healthFlags, missingRequirements, effectiveLifecycle, joinMissingRequirements } from './device-readiness.ts'

export const deviceRows = (db: AllTablesDb) =>
  joinMissingRequirements(db)
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .leftJoin('deviceState', 'deviceState.deviceId', 'device.id')
    .leftJoin('school', 'school.id', 'device.schoolId')
    .leftJoin('device as gateway', 'gateway.id', 'device.gatewayId')
    .leftJoin('schoolDevice', (join) =>
      join.onRef('schoolDevice.deviceId', '=', 'device.id').on('schoolDevice.validTo', 'is', null),
    )

/** Those that open now; more than the latest two never do. */
const secretCount = sql<number>`(
  select least(count(*), 2)::int from device_credential c
  where c.device_id = device.id and (c.expires_at is null or c.expires_at > now()))`

export const selectDeviceRow = (found: ReturnType<typeof deviceRows>) =>
  found
    .selectAll('device')
    .select((eb) => [
      effectiveLifecycle.as('lifecycle'),
      'device.lifecycle as registeredLifecycle',
      secretCount.as('secretCount'),
      'schoolDevice.id as installationId',
      'schoolDevice.status as installationStatus',
      missingRequirements.as('lacks'),
      'deviceModel.name as modelName',
      'deviceModel.kind',
      'school.name as schoolName',
      'gateway.sn as gatewaySn',
      'schoolDevice.placeId',
      connectivity.as('connectivity'),
      'deviceState.lastSeenAt',
      'deviceState.batteryPct',
      'deviceState.rssi',
      'deviceState.fw',
      batteryDaysLeft.as('batteryDaysLeft'),
      eb.fn.coalesce('deviceState.flapping', eb.lit(false)).as('flapping'),
    ])

export type StoredDeviceRow = Awaited<ReturnType<ReturnType<typeof selectDeviceRow>['execute']>>[number]

/** Adds what other tables say of these devices: path of the place, health. */
export const completeDevices = async <R extends StoredDeviceRow>(seen: AllTablesDb, found: R[]) => {
  const placeIds = found.flatMap((row) => row.placeId ?? [])
  const deviceIds = found.map(({ id }) => id)
  const [paths, flags] = await Promise.all([loadPlacePaths(seen, placeIds), healthFlags(seen, deviceIds)])
  return found.map(({ placeId, ...row }) => ({
    ...row,
    placePath: placeId ? (paths.get(placeId) ?? null) : null,
    healthFlags: flags.get(row.id) ?? [],
  }))
}

/** What the network knows beside the list's columns; read for one device alone. */
const links = [
  'deviceState.since',
  'deviceState.lastHeartbeatAt',
  'deviceState.linkLostAt',
  'deviceState.boot',
  'deviceState.seq',
  'deviceState.skewMs',
  'deviceState.cfgVersion',
  'deviceState.unsent',
  'deviceState.batteryFromPct',
  'deviceState.batteryFromAt',
  'deviceModel.power',
] as const

const commandTypes = sql<CommandType[]>`array(select jsonb_object_keys(device_model.command_schema))`

export const filterDevices = (from: ReturnType<typeof deviceRows>, { keyword, schoolId, ...asked }: DeviceQuery) =>
  from
    .$if(!!keyword, (q) => q.where('device.sn', 'ilike', likePattern(keyword ?? '')))
    .$if(schoolId !== undefined, (q) => q.where('device.schoolId', '=', schoolId ?? 0))
    .$if(!!asked.ids?.length, (q) => q.where('device.id', 'in', asked.ids ?? []))
    .$if(asked.modelId !== undefined, (q) => q.where('device.modelId', '=', asked.modelId ?? 0))
    .$if(!!asked.batchNo, (q) => q.where('device.batchNo', '=', asked.batchNo ?? ''))
    .$if(!!asked.lifecycle?.length, (q) => q.where(effectiveLifecycle, 'in', asked.lifecycle ?? []))
    .$if(!!asked.connectivity?.length, (q) => q.where(connectivity, 'in', asked.connectivity ?? []))

/** A device by the serial number on its label; null where the caller sees none of that number. */
export const findBySerialNumber = async (db: Db, actor: Actor, sn: string) => {
  const seen = scoped(db, actor)
  const found = await selectDeviceRow(deviceRows(seen).where('device.sn', '=', sn)).execute()
  return (await completeDevices(seen, found))[0] ?? null
}

export const deviceRoutes = ({ db }: { db: Db }): Route[] => [
  route(devices.page, async ({ query, actor }) => {
    const { limit, offset } = toOffsetLimit(query)
    const seen = scoped(db, actor)
    const found = filterDevices(deviceRows(seen), query)
    const [list, total] = await Promise.all([
      selectDeviceRow(found).orderBy('device.id', 'desc').limit(limit).offset(offset).execute(),
      countCapped(db, found.select('device.id')),
    ])
    return { list: await completeDevices(seen, list), ...total }
  }),
  route(devices.get, async ({ query, actor }) => {
    const seen = scoped(db, actor)
    const found = await selectDeviceRow(deviceRows(seen).where('device.id', '=', query.id))
      .select(links)
      .select(commandTypes.as('commandTypes'))
      .execute()
    const [row] = await completeDevices(seen, found)
    if (!row) throw new BusinessError(codes.notFound, { what: '设备' })
    return row
  }),
  route(devices.unknown, async ({ query }) => {
    const { limit, offset } = toOffsetLimit(query)
    const found = db.selectFrom('unknownDevice')
    const [list, total] = await Promise.all([
      found.selectAll().orderBy('lastAt', 'desc').orderBy('id').limit(limit).offset(offset).execute(),
      countCapped(db, found.select('id')),
    ])
    return { list, ...total }
  }),
]
