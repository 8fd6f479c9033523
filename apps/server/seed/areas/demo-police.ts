import { type Insertable, sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { AllTables } from '#db/tables'
import { deptByCode } from '../fixtures.ts'

// Police in the demo: a station with targets, units in every state, and incidents from received to archived.

const all = (db: Db) => unscoped(db, 'the seed acts for nobody in particular')
const minutesAgo = (minutes: number) => sql<Date>`now() - make_interval(secs => ${Math.round(minutes * 60)})`

const units = [
  { name: '东湖一号车', type: 'CAR', onDuty: true, lng: 114.3955, lat: 30.5501 },
  { name: '东湖二号车', type: 'CAR', onDuty: true, lng: 114.4088, lat: 30.5489 },
  { name: '湖滨步巡组', type: 'FOOT', onDuty: true, lng: 114.3931, lat: 30.5517 },
  { name: '学府路岗亭', type: 'POST', onDuty: false, lng: 114.4101, lat: 30.5461 },
] as const

const buildUnits = async (trx: Db, deptId: number): Promise<number[]> => {
  const rows = await all(trx)
    .insertInto('policeUnit')
    .values(
      units.map((unit) => ({
        ...unit,
        deptId,
        onDutySince: unit.onDuty ? minutesAgo(180) : null,
        positionAt: minutesAgo(2),
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

type Given = Pick<Insertable<AllTables['policeSituation']>, 'state' | 'source' | 'category' | 'grade' | 'summary'> & {
  age: number
  /** How many milestones the incident has, counted from the claim. */
  reached: number
  disposition?: 'MEDIATED' | 'RESOLVED_ON_SCENE' | 'HELPED' | 'NOTHING_FOUND'
  unit?: number
}

const DAY = 1440
const incidents: readonly Given[] = [
  {
    state: 'RECEIVED',
    source: 'PHONE_110',
    category: 'HELP',
    grade: 2,
    summary: '校门口有老人摔倒',
    age: 2,
    reached: 1,
  },
  {
    state: 'DISPATCHED',
    source: 'PHONE_110',
    category: 'TRAFFIC',
    grade: 3,
    summary: '校门口车辆剐蹭，道路受阻',
    age: 6,
    reached: 2,
    unit: 0,
  },
  {
    state: 'IN_PROGRESS',
    source: 'MANUAL',
    category: 'SECURITY',
    grade: 2,
    summary: '围墙外有人翻越',
    age: 25,
    reached: 5,
    unit: 1,
  },
  {
    state: 'FED_BACK',
    source: 'PATROL',
    category: 'CROWD',
    grade: 3,
    summary: '放学时人员聚集，需疏导',
    age: 90,
    reached: 6,
  },
  {
    state: 'CLOSED',
    source: 'PHONE_110',
    category: 'SECURITY',
    grade: 3,
    summary: '家长之间发生争执',
    age: 300,
    reached: 7,
    disposition: 'MEDIATED',
  },
  {
    state: 'CLOSED',
    source: 'MANUAL',
    category: 'HELP',
    grade: 4,
    summary: '学生走失，已找到',
    age: 600,
    reached: 7,
    disposition: 'HELPED',
  },
  {
    state: 'ARCHIVED',
    source: 'PHONE_110',
    category: 'SECURITY',
    grade: 2,
    summary: '校外人员滋扰',
    age: 2 * DAY,
    reached: 7,
    disposition: 'RESOLVED_ON_SCENE',
  },
  {
    state: 'ARCHIVED',
    source: 'PATROL',
    category: 'OTHER',
    grade: 4,
    summary: '夜间校门未锁',
    age: 3 * DAY,
    reached: 7,
    disposition: 'NOTHING_FOUND',
  },
  { state: 'CANCELLED', source: 'PHONE_110', category: 'OTHER', grade: 4, summary: '误拨', age: DAY, reached: 1 },
  {
    state: 'RECEIVED',
    source: 'MANUAL',
    category: 'BULLYING',
    grade: 3,
    summary: '学生反映被索要财物',
    age: 15,
    reached: 1,
  },
]

const columns = ['claimedAt', 'dispatchedAt', 'signedAt', 'departedAt', 'arrivedAt', 'fedBackAt', 'closedAt'] as const

const milestonesOf = ({ age, reached }: Given) =>
  Object.fromEntries(columns.slice(0, reached).map((name, at) => [name, minutesAgo(age - (at * age) / 20)]))

type Site = { deptId: number; ownerId: number | null; schoolId: number; unitIds: readonly number[] }

const logged = (situationId: number, { age, reached }: Given, verb: string, milestone: number) => ({
  situationId,
  verb,
  at: minutesAgo(age - (milestone * age) / 20),
  isReached: reached > milestone,
})

/** The timeline as far as the incident came: reports have their kind and their text. */
const buildLog = async (trx: Db, id: number, given: Given): Promise<void> => {
  const { summary, age, disposition } = given
  const rows = [
    { ...logged(id, given, 'create', 0), at: minutesAgo(age), toState: 'RECEIVED' as const, text: summary },
    { ...logged(id, given, 'claim', 0) },
    { ...logged(id, given, 'dispatch', 1), fromState: 'RECEIVED' as const, toState: 'DISPATCHED' as const },
    { ...logged(id, given, 'feedback', 5), reportKind: 'FIRST' as const, text: '民警已到场，现场秩序正常。' },
    { ...logged(id, given, 'feedback', 6), reportKind: 'FINAL' as const, text: '处置完毕，已告知学校。' },
    { ...logged(id, given, 'close', 6), toState: 'CLOSED' as const, text: disposition ? '现场处置完毕。' : null },
  ]
  for (const { isReached, ...row } of rows)
    if (isReached) await trx.insertInto('policeSituationLog').values(row).execute()
}

const buildIncident = async (trx: Db, given: Given, site: Site, n: number): Promise<void> => {
  const { state, source, category, grade, summary, age, disposition = null, unit } = given
  const school = await all(trx)
    .selectFrom('school')
    .select(['name', 'address', 'lng', 'lat'])
    .where('id', '=', site.schoolId)
    .executeTakeFirstOrThrow()
  const { id } = await all(trx)
    .insertInto('policeSituation')
    .values({
      state,
      source,
      category,
      grade,
      summary,
      disposition,
      no: sql<string>`'JQ' || to_char(now(), 'YYYYMMDD') || '-' || lpad(nextval('police_situation_no_seq')::text, 4, '0')`,
      schoolId: site.schoolId,
      schoolName: school.name,
      place: school.address,
      lng: school.lng,
      lat: school.lat,
      stationDeptId: site.deptId,
      ownerId: site.ownerId,
      reporterName: n % 2 === 0 ? '热心群众' : null,
      receivedAt: minutesAgo(age),
      ...milestonesOf(given),
      archivedAt: state === 'ARCHIVED' ? minutesAgo(age - DAY) : null,
      result: disposition && '现场处置完毕，已告知学校。',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await buildLog(trx, id, given)
  const unitId = unit === undefined ? undefined : site.unitIds[unit]
  if (unitId === undefined) return
  const isThere = state === 'IN_PROGRESS'
  await all(trx)
    .insertInto('assignment')
    .values({
      situationId: id,
      unitId,
      schoolId: site.schoolId,
      deptId: site.deptId,
      responderName: units[unit ?? 0]?.name ?? '',
      state: isThere ? 'ON_SCENE' : 'ASSIGNED',
      assignedAt: minutesAgo(age - 1),
      ...(isThere && {
        receivedAt: minutesAgo(age - 2),
        departedAt: minutesAgo(age - 3),
        arrivedAt: minutesAgo(age - 8),
      }),
    })
    .execute()
}

/** A station with targets, its units, and incidents of the last days. */
export const buildPolice = async (trx: Db, schoolIds: readonly number[]): Promise<void> => {
  const deptId = await deptByCode(trx, 'DEMO-STATION')
  await all(trx).updateTable('policeStation').set({ dutyPhone: '027-5550300' }).where('deptId', '=', deptId).execute()
  const unitIds = await buildUnits(trx, deptId)
  const people = await all(trx).selectFrom('users').select('id').where('deptId', '=', deptId).orderBy('id').execute()
  const [unitId] = unitIds
  const officer = people.at(-1)
  if (unitId !== undefined && officer)
    await trx.insertInto('policeUnitMember').values({ unitId, userId: officer.id }).execute()
  const ownerId = people[0]?.id ?? null
  for (const [n, given] of incidents.entries()) {
    const schoolId = schoolIds[n % schoolIds.length]
    if (schoolId !== undefined) await buildIncident(trx, given, { deptId, ownerId, schoolId, unitIds }, n)
  }
}
