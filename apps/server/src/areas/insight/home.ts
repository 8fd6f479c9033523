import { zone } from '@tocsin/contract/time-zone'
import type { Connectivity } from '@tocsin/contract/device/device'
import { type Home, type HomeAlarms, type HomeDevices, homes } from '@tocsin/contract/insight/home'
import { sql } from 'kysely'
import { connectivity } from '#areas/device/connectivity'
import { effectiveLifecycle, joinMissingRequirements } from '#areas/device/device-readiness'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import { type Actor, hasPermission, type Route, route } from '#http/route'
import { getDuty, getHomeReadiness, getResponse, getSystemState } from './home-cards.ts'

const DEVICE_READERS = ['device:device:query', 'device:school-device:query']

const WAITING = 5

const unclaimed = sql<boolean>`owner_id is null and (shelved_until is null or shelved_until <= now())`

/** @param now the same day for every figure, even when midnight passes meanwhile */
const alarmsOf = async (db: Db, actor: Actor, now: Date): Promise<HomeAlarms> => {
  const records = scoped(db, actor).selectFrom('warnRecord')
  const midnight = sql<Date>`date_trunc('day', ${now}::timestamptz, ${zone.name})`
  const [levels, { exercises }, waiting, today] = await Promise.all([
    records
      .select(['level', sql<number>`count(*)::int`.as('open')])
      .select(sql<number>`(count(*) filter (where ${unclaimed}))::int`.as('unclaimed'))
      .where('open', '=', true)
      .where('mode', '=', 'LIVE')
      .groupBy('level')
      .orderBy('level')
      .execute(),
    records
      .select(sql<number>`count(*)::int`.as('exercises'))
      .where('open', '=', true)
      .where('mode', '<>', 'LIVE')
      .executeTakeFirstOrThrow(),
    records
      .select(['id', 'code', 'level', 'state', 'schoolName', 'placePath', 'receivedAt'])
      .where('open', '=', true)
      .where('mode', '=', 'LIVE')
      .where(unclaimed)
      .orderBy('receivedAt')
      .orderBy('id')
      .limit(WAITING)
      .execute(),
    records
      .select([midnight.as('since'), sql<number>`count(*)::int`.as('raised')])
      .select(sql<number>`(count(*) filter (where not open))::int`.as('ended'))
      .select(sql<number>`(count(*) filter (where not open and disposition like 'FALSE%'))::int`.as('false'))
      .where('firstAt', '>=', midnight)
      .where('mode', '=', 'LIVE')
      // Records that continue a record too old to reopen do not count.
      .where('occurrenceCount', '>', 0)
      .executeTakeFirstOrThrow(),
  ])
  return { levels, exercises, waiting, today }
}

const devicesOf = async (db: Db, actor: Actor): Promise<HomeDevices> => {
  const rows = await joinMissingRequirements(scoped(db, actor))
    .selectFrom('device')
    .leftJoin('deviceState', 'deviceState.deviceId', 'device.id')
    .select(connectivity.as('connectivity'))
    .select(sql<number>`count(*)::int`.as('n'))
    .where(effectiveLifecycle, '=', 'IN_SERVICE')
    .groupBy('connectivity')
    .execute()
  const of = (state: Connectivity) => rows.reduce((sum, row) => (row.connectivity === state ? sum + row.n : sum), 0)
  return {
    total: rows.reduce((sum, { n }) => sum + n, 0),
    online: of('ONLINE'),
    late: of('LATE'),
    offline: of('OFFLINE'),
    neverSeen: of('NEVER_SEEN'),
  }
}

/** The visible alarms and devices, as far as the user has the permissions. */
export const homeFigures = async (db: Db, actor: Actor): Promise<Home> => {
  const now = new Date()
  const [alarms, devices] = await Promise.all([
    hasPermission(actor)('warn:record:query') ? alarmsOf(db, actor, now) : null,
    DEVICE_READERS.some(hasPermission(actor)) ? devicesOf(db, actor) : null,
  ])
  return { now, alarms, devices }
}

export const homeRoutes = ({ db }: { db: Db }): Route[] => [
  route(homes.get, ({ actor }) => homeFigures(db, actor)),
  route(homes.response, ({ actor }) => getResponse(db, actor)),
  route(homes.duty, ({ actor }) => getDuty(db, actor)),
  route(homes.readiness, ({ actor }) => getHomeReadiness(db, actor)),
  route(homes.system, ({ actor }) => getSystemState(db, actor)),
]
