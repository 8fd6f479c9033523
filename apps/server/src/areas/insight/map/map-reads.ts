import type { MapDevices, MapOverview, MapRecord, MapSchool, MapStation, MapUnit } from '@tocsin/contract/insight/map'
import { sql } from 'kysely'
import { connectivity } from '#areas/device/connectivity'
import { completeUnits } from '#areas/police/unit-rows'
import type { AllTablesDb, Db } from '#db/db'
import { scoped } from '#db/scope'
import { type Actor, hasPermission } from '#http/route'

const listSchools = (visible: AllTablesDb): Promise<MapSchool[]> =>
  visible
    .selectFrom('school')
    .select(['school.id', 'school.name', 'school.lng', 'school.lat', 'school.geofence', 'school.readiness'])
    .select((eb) =>
      eb
        .selectFrom('schoolDevice')
        .whereRef('schoolDevice.schoolId', '=', 'school.id')
        .where('schoolDevice.validTo', 'is', null)
        .select(sql<number>`count(*)::int`.as('n'))
        .$asScalar()
        .$notNull()
        .as('devices'),
    )
    .where('school.status', '<>', 'CLOSED')
    .orderBy('school.name')
    .execute()

const listStations = (visible: AllTablesDb): Promise<MapStation[]> =>
  visible
    .selectFrom('policeStation')
    .innerJoin('dept', 'dept.id', 'policeStation.deptId')
    .select(['policeStation.id', 'dept.name', 'policeStation.jurisdiction'])
    .where('dept.kind', '=', 'POLICE_STATION')
    .orderBy('dept.name')
    .execute()

/** Units on duty with a position. */
export const listMapUnits = async (db: Db, actor: Actor): Promise<MapUnit[]> => {
  const rows = await scoped(db, actor)
    .selectFrom('policeUnit')
    .selectAll()
    .where('lng', 'is not', null)
    .where('lat', 'is not', null)
    .where('onDuty', '=', true)
    .orderBy('id')
    .execute()
  const units = await completeUnits(db, rows)
  return units.flatMap(({ id, name, type, state, stationName, lng, lat, positionAt }) =>
    lng === null || lat === null ? [] : [{ id, name, type, state, stationName, lng, lat, positionAt }],
  )
}

/** Open records that are not shelved; none for users who may not read records. */
export const listMapRecords = async (db: Db, actor: Actor): Promise<MapRecord[]> => {
  if (!hasPermission(actor)('warn:record:query')) return []
  const rows = await scoped(db, actor)
    .selectFrom('warnRecord')
    .leftJoin('school', 'school.id', 'warnRecord.schoolId')
    .select([
      'warnRecord.id',
      'warnRecord.no',
      'warnRecord.level',
      'warnRecord.class',
      'warnRecord.code',
      'warnRecord.mode',
      'warnRecord.ownerId',
      'warnRecord.schoolId',
      'warnRecord.schoolName',
      'warnRecord.placePath',
      'warnRecord.firstAt',
    ])
    .select([
      sql<number | null>`coalesce(warn_record.lng, school.lng)`.as('lng'),
      sql<number | null>`coalesce(warn_record.lat, school.lat)`.as('lat'),
    ])
    .where('warnRecord.open', '=', true)
    .where('warnRecord.commissioning', '=', false)
    .where((eb) =>
      eb.or([eb('warnRecord.shelvedUntil', 'is', null), eb('warnRecord.shelvedUntil', '<=', sql<Date>`now()`)]),
    )
    .orderBy('warnRecord.level')
    .orderBy('warnRecord.firstAt')
    .orderBy('warnRecord.id')
    .execute()
  return rows.map(({ ownerId, ...row }) => ({ ...row, isClaimed: ownerId !== null }))
}

/** What stays on the map from alarm to alarm, without the devices; a layer that the actor may not read is empty. */
export const getMapOverview = async (db: Db, actor: Actor): Promise<MapOverview> => {
  const visible = scoped(db, actor)
  const may = hasPermission(actor)
  const [schools, stations, units] = await Promise.all([
    may('school:school:query') ? listSchools(visible) : [],
    may('police:station:query') ? listStations(visible) : [],
    may('police:unit:query') ? listMapUnits(db, actor) : [],
  ])
  return { schools, stations, units }
}

const ownPosition = (axis: 'lng' | 'lat') =>
  sql<number>`coalesce(${sql.ref(`school_device.${axis}`)}, ${sql.ref(`place.${axis}`)})`

/** Installed devices with a position of their own or of their place. */
export const listMapDevices = async (db: Db, actor: Actor): Promise<MapDevices> => {
  const rows = hasPermission(actor)('device:school-device:query')
    ? await scoped(db, actor)
        .selectFrom('schoolDevice')
        .innerJoin('place', 'place.id', 'schoolDevice.placeId')
        .innerJoin('device', 'device.id', 'schoolDevice.deviceId')
        .leftJoin('deviceState', 'deviceState.deviceId', 'schoolDevice.deviceId')
        .select('schoolDevice.deviceId')
        .select([ownPosition('lng').as('lng'), ownPosition('lat').as('lat'), connectivity.as('connectivity')])
        .where('schoolDevice.validTo', 'is', null)
        .where(ownPosition('lng'), 'is not', null)
        .where(ownPosition('lat'), 'is not', null)
        .orderBy('schoolDevice.deviceId')
        .execute()
    : []
  return {
    ids: rows.map(({ deviceId }) => deviceId),
    lngs: rows.map(({ lng }) => lng),
    lats: rows.map(({ lat }) => lat),
    connectivities: rows.map((row) => row.connectivity),
  }
}
