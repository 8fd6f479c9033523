import { codes } from '@tocsin/contract/codes'
import { type DeviceQuery, devices } from '@tocsin/contract/device/device'
import { placePaths } from '#areas/school/place'
import type { AllDb, Db } from '#db/db'
import { like } from '#db/like'
import { countUpTo } from '#db/page'
import { scoped } from '#db/scope'
import { Refusal } from '#http/refusal'
import { type Route, route } from '#http/route'
import { pageOf } from '#http/window'
import { batteryDaysLeft } from './battery.ts'
import { connectivity } from './connectivity.ts'
import { healthFlags, lacks, lifecycle, withLacks } from './standing.ts'

const rows = (db: AllDb) =>
  withLacks(db)
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .leftJoin('deviceState', 'deviceState.deviceId', 'device.id')
    .leftJoin('school', 'school.id', 'device.schoolId')
    .leftJoin('device as gateway', 'gateway.id', 'device.gatewayId')
    .leftJoin('schoolDevice', (join) =>
      join.onRef('schoolDevice.deviceId', '=', 'device.id').on('schoolDevice.validTo', 'is', null),
    )

const shown = (found: ReturnType<typeof rows>) =>
  found
    .selectAll('device')
    .select((eb) => [
      lifecycle.as('lifecycle'),
      lacks.as('lacks'),
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

type Found = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>

/** What other tables say of these devices. */
const completed = async <R extends Found[number]>(seen: AllDb, found: R[]) => {
  const placeIds = found.flatMap((row) => row.placeId ?? [])
  const deviceIds = found.map(({ id }) => id)
  const [paths, flags] = await Promise.all([placePaths(seen, placeIds), healthFlags(seen, deviceIds)])
  return found.map(({ placeId, ...row }) => ({
    ...row,
    placePath: placeId ? (paths.get(placeId) ?? null) : null,
    healthFlags: flags.get(row.id) ?? [],
  }))
}

/** What the network knows besides: of one device alone. */
const links = [
  'deviceState.since',
  'deviceState.lastHeartbeatAt',
  'deviceState.linkLostAt',
  'deviceState.boot',
  'deviceState.seq',
  'deviceState.skewMs',
  'deviceState.cfgVersion',
  'deviceState.unsent',
] as const

const filtered = (from: ReturnType<typeof rows>, { keyword, schoolId, ...asked }: DeviceQuery) =>
  from
    .$if(!!keyword, (q) => q.where('device.sn', 'ilike', like(keyword ?? '')))
    .$if(schoolId !== undefined, (q) => q.where('device.schoolId', '=', schoolId ?? 0))
    .$if(!!asked.lifecycle?.length, (q) => q.where(lifecycle, 'in', asked.lifecycle ?? []))
    .$if(!!asked.connectivity?.length, (q) => q.where(connectivity, 'in', asked.connectivity ?? []))

export const deviceRoutes = ({ db }: { db: Db }): Route[] => [
  route(devices.page, async ({ query, actor }) => {
    const { limit, offset } = pageOf(query)
    const seen = scoped(db, actor)
    const found = filtered(rows(seen), query)
    const [list, total] = await Promise.all([
      shown(found).orderBy('device.id', 'desc').limit(limit).offset(offset).execute(),
      countUpTo(db, found.select('device.id')),
    ])
    return { list: await completed(seen, list), ...total }
  }),
  route(devices.get, async ({ query, actor }) => {
    const seen = scoped(db, actor)
    const found = await shown(rows(seen).where('device.id', '=', query.id))
      .select(links)
      .execute()
    const [row] = await completed(seen, found)
    if (!row) throw new Refusal(codes.notFound, { what: '设备' })
    return row
  }),
  route(devices.unknown, async ({ query }) => {
    const { limit, offset } = pageOf(query)
    const found = db.selectFrom('unknownDevice')
    const [list, total] = await Promise.all([
      found.selectAll().orderBy('lastAt', 'desc').orderBy('id').limit(limit).offset(offset).execute(),
      countUpTo(db, found.select('id')),
    ])
    return { list, ...total }
  }),
]
