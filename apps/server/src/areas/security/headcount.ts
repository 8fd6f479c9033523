import {
  type ComplianceQuery,
  type ComplianceRow,
  type HeadcountRule,
  requiredHeadcount,
} from '@tocsin/contract/security/headcount'
import { addDays, localDay, slotOnDay, startOfDay } from '@tocsin/contract/security/hours'
import { parseInstant } from '@tocsin/contract/codecs'
import { type RawBuilder, sql } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { earliestStart } from './shift/earliest-start.ts'

export const loadHeadcountRules = (db: Db): Promise<HeadcountRule[]> =>
  db.selectFrom('headcountRule').selectAll().orderBy('region').orderBy('minStudents').execute()

/** The region codes above each school, the nearest first. */
export const loadRegions = async (db: Db, schoolIds: readonly number[]): Promise<Map<number, string[]>> => {
  const all = unscoped(db, 'the schools are visible; a region is no secret')
  const { rows } = await sql<{ schoolId: number; regionCode: string }>`
    with recursive up as (
      select s.id as school_id, d.parent_id, d.region_code, 0 as depth
      from school s join dept d on d.id = s.dept_id where s.id = any(${schoolIds})
      union all
      select up.school_id, d.parent_id, d.region_code, up.depth + 1 from up join dept d on d.id = up.parent_id)
    select school_id, region_code from up where region_code is not null order by school_id, depth`.execute(all)
  const regions = new Map<number, string[]>()
  for (const { schoolId, regionCode } of rows) regions.set(schoolId, [...(regions.get(schoolId) ?? []), regionCode])
  return regions
}

export type SchoolFacts = Pick<Row<'school'>, 'id' | 'name' | 'studentCount' | 'boarderCount' | 'boarding'>
/** People of the published shifts of a day. Today those at a post now are present; another day, those who were. */
const countDay = (all: UnscopedDb, schoolIds: readonly number[], { day, isToday }: { day: Date; isToday: boolean }) => {
  const isPresent = isToday ? sql`state = 'CHECKED_IN'` : sql`checked_in_at is not null`
  const people = (condition: RawBuilder<unknown>) =>
    sql<number>`(count(distinct employee_id) filter (where ${condition}))::int`
  return all
    .selectFrom('shift')
    .select(['schoolId', people(sql`state <> 'ABSENT'`).as('planned'), people(isPresent).as('present')])
    .where('schoolId', 'in', schoolIds)
    .where('publishedAt', 'is not', null)
    .where('fromAt', '<', addDays(day, 1))
    .where('fromAt', '>', earliestStart(day))
    .where('toAt', '>', day)
    .groupBy('schoolId')
    .execute()
}

/** Required, planned and present guards of schools on one local day. */
export const describeDay = async (db: Db, schools: readonly SchoolFacts[], day: Date): Promise<ComplianceRow[]> => {
  const ids = schools.map(({ id }) => id)
  if (ids.length === 0) return []
  const all = unscoped(db, 'the schools are visible')
  const [rules, regions] = [await loadHeadcountRules(db), await loadRegions(db, ids)]
  const posts = await all
    .selectFrom('securityPost')
    .selectAll()
    .where('schoolId', 'in', ids)
    .where('enabled', '=', true)
    .execute()
  const at = new Date()
  const isToday = startOfDay(at).getTime() === day.getTime()
  const counts = new Map((await countDay(all, ids, { day, isToday })).map((count) => [count.schoolId, count]))
  const postsBy = Map.groupBy(posts, ({ schoolId }) => schoolId)
  return schools.map((school) => {
    const manned = (postsBy.get(school.id) ?? []).filter((post) => slotOnDay(post, day))
    const { id: schoolId, name: schoolName, studentCount, boarderCount } = school
    return {
      schoolId,
      schoolName,
      studentCount,
      boarderCount,
      day: localDay(day),
      at,
      ...requiredHeadcount(rules, school, { day: localDay(day), regions: regions.get(schoolId) ?? [] }),
      posts: manned.reduce((sum, { headcount }) => sum + headcount, 0),
      planned: counts.get(schoolId)?.planned ?? 0,
      present: counts.get(schoolId)?.present ?? 0,
    }
  })
}

const MAX_SHORT_SCHOOLS = 5000

export const complianceDay = ({ day }: Pick<ComplianceQuery, 'day'>): Date =>
  startOfDay((day && parseInstant(day)) || new Date())

const filterSchools = (db: Db, actor: Actor, { schoolId }: Pick<ComplianceQuery, 'schoolId'>) =>
  scoped(db, actor)
    .selectFrom('school')
    .where('status', '=', 'ACTIVE')
    .$if(schoolId !== undefined, (q) => q.where('id', '=', schoolId ?? 0))

export const selectSchools = (db: Db, actor: Actor, query: ComplianceQuery) =>
  filterSchools(db, actor, query)
    .select(['id', 'name', 'studentCount', 'boarderCount', 'boarding'])
    .orderBy('name')
    .orderBy('id')

/** The rows of schools that are short of people, or of those that are not. */
const listByShortage = async (db: Db, actor: Actor, query: ComplianceQuery): Promise<ComplianceRow[]> => {
  const schools = await selectSchools(db, actor, query).limit(MAX_SHORT_SCHOOLS).execute()
  const isShort = ({ required, planned, present }: ComplianceRow) => planned < required || present < required
  return (await describeDay(db, schools, complianceDay(query))).filter((row) => isShort(row) === query.short)
}

export const listSchoolIds = async (db: Db, actor: Actor, query: ComplianceQuery): Promise<number[]> =>
  (await listByShortage(db, actor, query)).map(({ schoolId }) => schoolId)

/** Compliance by school; `short` keeps those whose plan or presence is below the rule. */
export const pageCompliance = async (db: Db, actor: Actor, query: ComplianceQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  if (query.short === undefined) {
    const [schools, total] = await Promise.all([
      selectSchools(db, actor, query).limit(limit).offset(offset).execute(),
      countCapped(db, filterSchools(db, actor, query).select('id')),
    ])
    return { list: await describeDay(db, schools, complianceDay(query)), ...total }
  }
  const list = await listByShortage(db, actor, query)
  return { list: list.slice(offset, offset + limit), total: list.length }
}
