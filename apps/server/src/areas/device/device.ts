import { codes } from '@tocsin/contract/codes'
import { audioCommands } from '@tocsin/contract/device/command'
import type { CommandType } from '@tocsin/contract/device/model'
import { type DeviceQuery, devices } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import { loadPlacePaths } from '#areas/school/place'
import type { AllTablesDb, Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { scoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import { BusinessError } from '#http/business-error'
import { type Actor, type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { batteryDaysLeft, hasBatteryConcern } from './battery.ts'
import { connectivity } from './connectivity.ts'
import {
  effectiveLifecycle,
  healthFlags,
  joinMissingRequirements,
  missingRequirements,
  storedReadiness,
} from './device-readiness.ts'

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

/** Those that are valid now; never more than the latest two. */
const secretCount = sql<number>`(
  select least(count(*), 2)::int from device_credential c
  where c.device_id = device.id and (c.expires_at is null or c.expires_at > now()))`

const isNewestSecretUnused = sql<boolean>`(${secretCount} > 1 and (
  select c.last_used_at is null from device_credential c where c.device_id = device.id order by c.id desc limit 1))`

const isWarrantyDue = sql<boolean>`coalesce(device.warranty_until <= current_date + 90, false)`

export const selectDeviceRow = (found: ReturnType<typeof deviceRows>) =>
  found
    .selectAll('device')
    .select((eb) => [
      effectiveLifecycle.as('lifecycle'),
      'device.lifecycle as registeredLifecycle',
      secretCount.as('secretCount'),
      isNewestSecretUnused.as('isNewestSecretUnused'),
      storedReadiness.as('readiness'),
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

/** Adds data of other tables to these devices: path of the place, health. */
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

/** Network data beside the columns of the list; read for one device alone. */
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

/** Sound only where the model has two-way audio. */
const commandTypes = sql<CommandType[]>`array(
  select type from jsonb_object_keys(device_model.command_schema) type
  where (device_model.capabilities ->> 'twoWayAudio')::boolean or type <> all(${[...audioCommands]}::text[]))`

const order: ListOrder<DeviceQuery> = {
  columns: {
    sn: { by: sql`device.sn` },
    modelName: { by: sql`device_model.name` },
    schoolName: { by: sql`school.name`, nullable: true },
    batchNo: { by: sql`device.batch_no`, nullable: true },
    warrantyUntil: { by: sql`device.warranty_until`, nullable: true },
    fw: { by: sql`device_state.fw`, nullable: true },
    createTime: { by: sql`device.id` },
  },
  usual: sql`device.id desc`,
  id: sql`device.id`,
}

/** As chosen; else the latest first. */
export const orderDevices = (found: ReturnType<typeof selectDeviceRow>, orderBy: DeviceQuery['orderBy']) =>
  found.orderBy(toOrderBy(orderBy, order))

export const filterDevices = (from: ReturnType<typeof deviceRows>, { keyword, schoolId, ...filter }: DeviceQuery) =>
  from
    .$if(!!keyword, (q) => q.where('device.sn', 'ilike', likePattern(keyword ?? '')))
    .$if(schoolId !== undefined, (q) => q.where('device.schoolId', '=', schoolId ?? 0))
    .$if(!!filter.ids?.length, (q) => q.where('device.id', 'in', filter.ids ?? []))
    .$if(filter.modelId !== undefined, (q) => q.where('device.modelId', '=', filter.modelId ?? 0))
    .$if(filter.warrantyDue !== undefined, (q) => q.where(isWarrantyDue, '=', filter.warrantyDue ?? true))
    .$if(filter.rotating !== undefined, (q) =>
      q.where(sql<boolean>`(${secretCount} > 1)`, '=', filter.rotating ?? true),
    )
    .$if(filter.noSecret !== undefined, (q) =>
      q.where(sql<boolean>`(${secretCount} = 0)`, '=', filter.noSecret ?? true),
    )
    .$if(!!filter.battery?.length, (q) =>
      q.where('device.id', 'in', (eb) =>
        eb.selectFrom('deviceReadiness').select('deviceReadiness.deviceId').where(hasBatteryConcern(filter.battery)),
      ),
    )
    .$if(!!filter.batchNo, (q) => q.where('device.batchNo', '=', filter.batchNo ?? ''))
    .$if(!!filter.lifecycle?.length, (q) => q.where(effectiveLifecycle, 'in', filter.lifecycle ?? []))
    .$if(!!filter.connectivity?.length, (q) => q.where(connectivity, 'in', filter.connectivity ?? []))

/** A device by the serial number on its label; null when the caller sees none with that number. */
export const findBySerialNumber = async (db: Db, actor: Actor, sn: string) => {
  const seen = scoped(db, actor)
  const found = await selectDeviceRow(deviceRows(seen).where('device.sn', '=', sn)).execute()
  return (await completeDevices(seen, found))[0] ?? null
}

export const pageDevices = async (db: Db, actor: Actor, query: DeviceQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const seen = scoped(db, actor)
  const found = filterDevices(deviceRows(seen), query)
  const [list, total] = await Promise.all([
    orderDevices(selectDeviceRow(found), query.orderBy).limit(limit).offset(offset).execute(),
    countCapped(db, found.select('device.id')),
  ])
  return { list: await completeDevices(seen, list), ...total }
}

export const deviceRoutes = ({ db }: { db: Db }): Route[] => [
  route(devices.page, ({ query, actor }) => pageDevices(db, actor, query)),
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
