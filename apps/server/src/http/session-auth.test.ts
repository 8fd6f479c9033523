import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deptByCode, makeDept, makeSchool, makeUser } from '../../seed/fixtures.ts'
import { cloneSeededDatabase, type TestDatabase } from '../../test/database.ts'
import { openSession } from '#areas/access/sign-in/session'
import { type Db, openDb, openPool } from '#db/db'
import type { Row } from '#db/tables'
import { authenticateToken } from './session-auth.ts'

let database: TestDatabase
let pool: pg.Pool
let db: Db
/** Two education districts, two stations. North and south are in different districts; south and far share a station. */
const fixture = {} as Record<'eastern' | 'western' | 'one' | 'two', Row<'dept'>> &
  Record<'north' | 'south' | 'far', Row<'school'>>

beforeAll(async () => {
  database = await cloneSeededDatabase()
  pool = openPool({ ...database.app, max: 4 }, 30)
  db = openDb(pool)
  const [edu, police] = [await deptByCode(db, 'EDU'), await deptByCode(db, 'POLICE')]
  fixture.eastern = await makeDept(db, { name: '东区', parentId: edu })
  fixture.western = await makeDept(db, { name: '西区', parentId: edu })
  fixture.one = await makeDept(db, { kind: 'POLICE_STATION', name: '一所', parentId: police })
  fixture.two = await makeDept(db, { kind: 'POLICE_STATION', name: '二所', parentId: police })
  fixture.north = await makeSchool(db, { eduDeptId: fixture.eastern.id, policeDeptId: fixture.one.id })
  fixture.south = await makeSchool(db, { eduDeptId: fixture.western.id, policeDeptId: fixture.two.id })
  fixture.far = await makeSchool(db, { eduDeptId: fixture.western.id, policeDeptId: fixture.two.id })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

type Scope = Row<'role'>['dataScope']
let count = 0
const makeRole = async (dataScope: Scope, depts: number[] = [], enabled = true): Promise<string> => {
  count += 1
  const code = `role_${count}`
  const { id } = await db
    .insertInto('role')
    .values({ code, name: code, dataScope, enabled })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const deptId of depts) await db.insertInto('roleDept').values({ roleId: id, deptId }).execute()
  return code
}

/** Returns what a user in a department with these roles can see, as sorted ids. */
const sight = async (deptId: number, ...roles: string[]) => {
  const { id } = await makeUser(db, { deptId, roles })
  const { accessToken } = await openSession(db, id, { ip: '127.0.0.1', userAgent: 'test', traceId: 't' })
  const bearer = await authenticateToken(db)(accessToken)
  if (bearer.kind !== 'live') throw new Error('not signed in')
  const sorted = (ids: 'all' | readonly number[]) => (ids === 'all' ? ids : ids.toSorted((a, b) => a - b))
  return { depts: sorted(bearer.actor.depts), schools: sorted(bearer.actor.schools) }
}
const ids = (...rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)

describe('visibility', () => {
  it('without a role is the user alone', async () => {
    expect(await sight(fixture.eastern.id)).toEqual({ depts: [], schools: [] })
  })

  it('SELF is the user alone', async () => {
    expect(await sight(fixture.north.deptId, await makeRole('SELF'))).toEqual({ depts: [], schools: [] })
  })

  it('DEPT of a school contains that school', async () => {
    const seen = await sight(fixture.north.deptId, await makeRole('DEPT'))
    expect(seen).toEqual({ depts: [fixture.north.deptId], schools: [fixture.north.id] })
  })

  it('DEPT of a district contains the district without its schools', async () => {
    expect(await sight(fixture.western.id, await makeRole('DEPT'))).toEqual({
      depts: [fixture.western.id],
      schools: [],
    })
  })

  it('DEPT of a station contains the schools it serves, but not their departments', async () => {
    const seen = await sight(fixture.two.id, await makeRole('DEPT'))
    expect(seen).toEqual({ depts: [fixture.two.id], schools: ids(fixture.south, fixture.far) })
  })

  it('DEPT_AND_CHILD of a district contains the district and its schools', async () => {
    const seen = await sight(fixture.western.id, await makeRole('DEPT_AND_CHILD'))
    expect(seen.schools).toEqual(ids(fixture.south, fixture.far))
    expect(seen.depts).toEqual([fixture.western.id, fixture.south.deptId, fixture.far.deptId].sort((a, b) => a - b))
  })

  it('DEPT_AND_CHILD of the education root contains all districts and schools, and no station', async () => {
    const seen = await sight(await deptByCode(db, 'EDU'), await makeRole('DEPT_AND_CHILD'))
    expect(seen.schools).toEqual(ids(fixture.north, fixture.south, fixture.far))
    expect(seen.depts).not.toContain(fixture.one.id)
  })

  it('DEPT_AND_CHILD of the police root contains all schools of its stations', async () => {
    const seen = await sight(await deptByCode(db, 'POLICE'), await makeRole('DEPT_AND_CHILD'))
    expect(seen.schools).toEqual(ids(fixture.north, fixture.south, fixture.far))
    expect(seen.depts).not.toContain(fixture.eastern.id)
  })

  it("CUSTOM is the chosen departments and the user's own, without their children", async () => {
    const seen = await sight(fixture.one.id, await makeRole('CUSTOM', [fixture.western.id, fixture.far.deptId]))
    expect(seen.depts).toEqual([fixture.western.id, fixture.one.id, fixture.far.deptId].sort((a, b) => a - b))
    expect(seen.schools).toEqual(ids(fixture.north, fixture.far))
  })

  it('ALL contains everything', async () => {
    expect(await sight(fixture.one.id, await makeRole('ALL'), await makeRole('SELF'))).toEqual({
      depts: 'all',
      schools: 'all',
    })
  })

  it('is the union over the roles; a disabled role adds nothing', async () => {
    const custom = await makeRole('CUSTOM', [fixture.far.deptId])
    const off = await makeRole('ALL', [], false)
    const seen = await sight(fixture.north.deptId, await makeRole('SELF'), custom, off)
    expect(seen.schools).toEqual(ids(fixture.north, fixture.far))
  })
})
