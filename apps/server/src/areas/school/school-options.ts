import type { Db } from '#db/db'
import type { Actor } from '#http/route'

/** Departments that answer the calls of a school. */
export const stationKinds = ['POLICE_STATION', 'POLICE_BUREAU'] as const

/** Visible education departments, by name and code; the table itself is open. */
export const listDistricts = (db: Db, { depts }: Actor) =>
  db
    .selectFrom('dept')
    .select(['id', 'name', 'code'])
    .where('kind', '=', 'EDU_BUREAU')
    .where('enabled', '=', true)
    .$if(depts !== 'all', (q) => q.where('id', 'in', depts === 'all' ? [] : [0, ...depts]))
    .orderBy('name')
    .limit(2000)
    .execute()

export const listStations = (db: Db) =>
  db
    .selectFrom('dept')
    .select(['id', 'name', 'code'])
    .where('kind', 'in', stationKinds)
    .where('enabled', '=', true)
    .orderBy('name')
    .limit(2000)
    .execute()

export const listSchoolOptions = async (db: Db, actor: Actor) => {
  const [districts, stations] = await Promise.all([listDistricts(db, actor), listStations(db)])
  const toOption = ({ id, name }: { id: number; name: string }) => ({ id, name })
  return { districts: districts.map(toOption), stations: stations.map(toOption) }
}
