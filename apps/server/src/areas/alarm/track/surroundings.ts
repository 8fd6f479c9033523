import { activeAssignmentStates } from '@tocsin/contract/alarm/assignment-machine'
import type { RecordSurroundings } from '@tocsin/contract/alarm/track'
import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Actor, hasPermission } from '#http/route'

const around = (db: Db) => unscoped(db, 'where an alarm is that was read through the sight of the caller')

const findSchool = async (db: Db, id: number | null) =>
  id === null
    ? undefined
    : around(db)
        .selectFrom('school')
        .select(['name', 'lng', 'lat', 'geofence', 'policeDeptId'])
        .where('id', '=', id)
        .executeTakeFirst()

const findStation = async (db: Db, deptId: number | null) =>
  deptId === null
    ? undefined
    : around(db)
        .selectFrom('dept')
        .leftJoin('policeStation', 'policeStation.deptId', 'dept.id')
        .select(['dept.name', 'policeStation.jurisdiction'])
        .where('dept.id', '=', deptId)
        .executeTakeFirst()

/** Units in the caller's sight that were sent to the alarm's incident and have reported a position. */
const listUnits = async (db: Db, actor: Actor, recordId: number): Promise<RecordSurroundings['units']> => {
  if (!hasPermission(actor)('police:unit:query')) return []
  const rows = await scoped(db, actor)
    .selectFrom('policeUnit as u')
    .innerJoin('assignment as a', 'a.unitId', 'u.id')
    .innerJoin('policeSituation as s', 's.id', 'a.situationId')
    .select(['u.id', 'u.name', 'a.state', 'u.lng', 'u.lat', 'u.positionAt'])
    .where('s.warnRecordId', '=', recordId)
    .where('a.state', 'in', activeAssignmentStates)
    .orderBy('u.id')
    .execute()
  return rows.flatMap(({ lng, lat, ...unit }) => (lng === null || lat === null ? [] : [{ ...unit, lng, lat }]))
}

/** What lies around a visible alarm, also for users who do not see its school. */
export const getSurroundings = async (db: Db, actor: Actor, recordId: number): Promise<RecordSurroundings> => {
  const record = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select(['schoolId', 'lng', 'lat'])
    .where('id', '=', recordId)
    .executeTakeFirst()
  if (!record) throw new BusinessError(codes.notFound, { what: '警情' })
  const { schoolId, lng, lat } = record
  const found = await findSchool(db, schoolId)
  const [station, units] = await Promise.all([
    findStation(db, found?.policeDeptId ?? null),
    listUnits(db, actor, recordId),
  ])
  return {
    position: lng === null || lat === null ? null : { lng, lat },
    school: found ? { name: found.name, lng: found.lng, lat: found.lat, geofence: found.geofence } : null,
    station: station ?? null,
    units,
  }
}
