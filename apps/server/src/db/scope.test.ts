import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { makeDept, makePlace, makeSchool, makeUser } from '../../seed/fixtures.ts'
import { cloneSeededDatabase, type TestDatabase } from '../../test/database.ts'
import { type Db, type UnscopedDb, openDb, openPool } from './db.ts'
import { unscoped, type Visibility, scoped } from './scope.ts'
import type { Row } from './tables.ts'

let database: TestDatabase
let pool: pg.Pool
let db: Db
let mine: Row<'school'>
let other: Row<'school'>
let me: Visibility
const nobody: Visibility = { userId: 999_999, depts: [], schools: [] }
const boss: Visibility = { userId: 999_998, depts: 'all', schools: 'all' }

beforeAll(async () => {
  database = await cloneSeededDatabase()
  pool = openPool({ ...database.app, max: 4 }, 30)
  db = openDb(pool)
  mine = await makeSchool(db)
  other = await makeSchool(db)
  const user = await makeUser(db, { deptId: (await makeDept(db)).id })
  me = { userId: user.id, depts: [mine.deptId], schools: [mine.id] }
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  await unscoped(db, 'test').deleteFrom('place').execute()
  for (const school of [mine, other]) await makePlace(db, { schoolId: school.id, name: '大门' })
})

const names = (rows: { id: number }[]) => rows.map(({ id }) => id)
const placesLeft = () =>
  unscoped(db, 'test').selectFrom('place').select(['schoolId', 'sort']).orderBy('schoolId').execute()

it('rejects a scoped handle where raw SQL needs an unscoped one', () => {
  expectTypeOf(unscoped).returns.toExtend<UnscopedDb>()
  expectTypeOf(scoped).returns.not.toExtend<UnscopedDb>()
})

describe('scoped', () => {
  it('selects only visible rows', async () => {
    const rows = (sight: Visibility) => scoped(db, sight).selectFrom('school').select('id').orderBy('id').execute()
    expect(names(await rows(me))).toEqual([mine.id])
    expect(await rows(nobody)).toEqual([])
    expect(names(await rows(boss))).toEqual([mine.id, other.id])
  })

  it('finds an invisible row by its id exactly as little as a missing one', async () => {
    const byId = (id: number) => scoped(db, me).selectFrom('school').selectAll().where('id', '=', id).executeTakeFirst()
    expect(await byId(other.id)).toBeUndefined()
    expect(await byId(999_999)).toBeUndefined()
  })

  it("keeps an or in the caller's condition from widening the visibility", async () => {
    const rows = await scoped(db, me)
      .selectFrom('school')
      .select('id')
      .where((eb) => eb.or([eb('id', '=', mine.id), eb('id', '=', other.id)]))
      .execute()
    expect(names(rows)).toEqual([mine.id])
  })

  it('counts, groups and pages only visible rows', async () => {
    const { n } = await scoped(db, me)
      .selectFrom('school')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(n).toBe(1)
  })

  it('adds the predicate under an alias, in subselects, in common tables and in unions', async () => {
    const db2 = scoped(db, me)
    expect(names(await db2.selectFrom('school as s').select('s.id').execute())).toEqual([mine.id])
    const inside = await db2
      .selectFrom('dept')
      .select('id')
      .where('id', 'in', (eb) => eb.selectFrom('school').select('school.deptId'))
      .execute()
    expect(names(inside)).toEqual([mine.deptId])
    const common = await db2
      .with('all', (qb) => qb.selectFrom('school').select('id'))
      .selectFrom('all')
      .select('id')
      .execute()
    expect(names(common)).toEqual([mine.id])
    const union = await db2
      .selectFrom('school')
      .select('id')
      .union((eb) => eb.selectFrom('school as again').select('again.id'))
      .execute()
    expect(names(union)).toEqual([mine.id])
  })

  it('adds the predicate to both sides of an inner join', async () => {
    const rows = await scoped(db, { ...me, schools: [mine.id] })
      .selectFrom('place')
      .innerJoin('school', 'school.id', 'place.schoolId')
      .select('school.id')
      .execute()
    expect(names(rows)).toEqual([mine.id])
  })

  it('returns null columns for an invisible row of a left join', async () => {
    const rows = await scoped(db, me)
      .selectFrom('dept')
      .leftJoin('school', 'school.deptId', 'dept.id')
      .select(['dept.id', 'school.id as schoolId'])
      .where('dept.id', 'in', [mine.deptId, other.deptId])
      .orderBy('dept.id')
      .execute()
    expect(rows.map(({ schoolId }) => schoolId)).toEqual([mine.id, null])
  })

  it('rejects joins that would keep invisible rows, and a merge', async () => {
    const depts = scoped(db, me).selectFrom('dept')
    const right = () => depts.rightJoin('school', 'school.deptId', 'dept.id').select('dept.id').execute()
    const full = () => depts.fullJoin('school', 'school.deptId', 'dept.id').select('dept.id').execute()
    const merge = () =>
      scoped(db, me).mergeInto('place').using('dept', 'dept.id', 'place.id').whenMatched().thenDelete().execute()
    await expect(async () => right()).rejects.toThrow('cannot be joined by')
    await expect(async () => full()).rejects.toThrow('cannot be joined by')
    await expect(async () => merge()).rejects.toThrow('cannot be merged')
  })

  it('does not update an invisible row that an insert conflicts with', async () => {
    const upsert = (schoolId: number) =>
      scoped(db, me)
        .insertInto('place')
        .values({ schoolId, kind: 'GATE', name: '大门' })
        .onConflict((conflict) => conflict.constraint('place_name_key').doUpdateSet({ sort: 9 }))
        .execute()
    await upsert(mine.id)
    await upsert(other.id)
    expect(await placesLeft()).toEqual([
      { schoolId: mine.id, sort: 9 },
      { schoolId: other.id, sort: 0 },
    ])
  })

  it('updates only visible rows', async () => {
    await scoped(db, me).updateTable('place').set({ sort: 7 }).execute()
    expect(await placesLeft()).toEqual([
      { schoolId: mine.id, sort: 7 },
      { schoolId: other.id, sort: 0 },
    ])
  })

  it('updates from a scoped table only through its visible rows', async () => {
    await scoped(db, { ...me, schools: [mine.id] })
      .updateTable('dept')
      .from('school')
      .set({ sort: 42 })
      .whereRef('school.deptId', '=', 'dept.id')
      .execute()
    const changed = await db.selectFrom('dept').select('id').where('sort', '=', 42).execute()
    expect(names(changed)).toEqual([mine.deptId])
  })

  it('deletes only visible rows, also through another table', async () => {
    await scoped(db, me).deleteFrom('place').execute()
    expect((await placesLeft()).map(({ schoolId }) => schoolId)).toEqual([other.id])
    await scoped(db, me).deleteFrom('place').using('school').whereRef('school.id', '=', 'place.schoolId').execute()
    expect((await placesLeft()).map(({ schoolId }) => schoolId)).toEqual([other.id])
  })

  it('adds the predicate inside a transaction as well', async () => {
    await db.transaction().execute(async (trx) => {
      expect(names(await scoped(trx, me).selectFrom('school').select('id').execute())).toEqual([mine.id])
    })
  })

  it('shows users themselves, whatever departments they can see', async () => {
    const rows = await scoped(db, { ...me, depts: [], schools: [] })
      .selectFrom('users')
      .select('id')
      .execute()
    expect(names(rows)).toEqual([me.userId])
  })

  it('leaves open tables unchanged', async () => {
    const { n } = await scoped(db, nobody)
      .selectFrom('role')
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
    expect(n).toBeGreaterThan(10)
  })
})
