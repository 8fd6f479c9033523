import { codes } from '@tocsin/contract/codes'
import type { PeopleQuery } from '@tocsin/contract/access/user'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/database.ts'
import { makeDept, makeUser } from '../../../../seed/fixtures.ts'
import { type Db, openDb, openPool } from '#db/db'
import { containsKeyword, likePattern } from '#db/keyword-search'
import { unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { filterUsers, rows, userOptions, userPage } from './read.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await cloneDatabase()
  db = openDb(openPool({ ...database.owner, max: 2 }, 20))
  await makeDept(db)
  await sql`
    insert into users (username, nickname, dept_id)
    select 'crowd' || n, '用户' || n, d.id from generate_series(1, 20000) n, (select min(id) as id from dept) d
    union all select 'Zhang.San', '张三丰', min(id) from dept
    union all select 'percent', '100% 百分_百', min(id) from dept`.execute(db)
  await sql`analyze users`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const all: Actor = {
  userId: 0,
  sessionId: 0,
  deptId: 0,
  username: '',
  nickname: '',
  depts: 'all',
  schools: 'all',
  permissions: new Set(),
}
const found = async (username: string) => (await userPage(db, { username }, all)).list.map((row) => row.username)

test('finds a user by any part of both names, ignores case and treats wildcards as characters', async () => {
  for (const keyword of ['张三', '三丰', '丰', 'zhang', 'G.S', 'ng.s'])
    expect(await found(keyword)).toEqual(['Zhang.San'])
  for (const keyword of ['100%', '0%', '%', '_百', '百分_百']) expect(await found(keyword)).toEqual(['percent'])
  expect(await found('nobody')).toEqual([])
  expect(await userPage(db, { username: '用户' }, all)).toMatchObject({ total: 20_000 })
})

test('finds by bigrams the same rows as a comparison of every row', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'ß', 'İ', 'é', '张', '三', '😀', '%', '_', '\\', ' ') })
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1 }), word, async (texts, keyword) => {
      const { rows: odd } = await sql`
        select text from unnest(${texts}::text[]) as text
        where ${containsKeyword({ pairs: sql`bigrams(text)`, text: sql`text`, keyword })} is distinct from (text ilike ${likePattern(keyword)})`.execute(
        db,
      )
      expect(odd).toEqual([])
    }),
  )
})

type Plan = { 'QUERY PLAN': [{ Plan: object }] }
test('uses the index for a rare name', async () => {
  const query = filterUsers(rows(unscoped(db, 'a plan shows no rows')), all, { username: '张三' })
  const [plan] = await query.orderBy('users.id', 'desc').limit(10).explain<Plan>('json')
  expect(JSON.stringify(plan)).toContain('"users_search"')
})

test('rejects a page beyond the counted rows', async () => {
  await expect(userPage(db, { pageNo: 10_001 }, all)).rejects.toMatchObject({ code: codes.tooFar.code })
})

test('finds further users by name or department, and returns the names of selected users', async () => {
  const names = async (query: PeopleQuery) => (await userOptions(db, query, all)).map(({ nickname }) => nickname)
  expect(await names({})).not.toContain('用户9999')
  expect(await names({ pageSize: 50 })).toHaveLength(50)
  expect(await names({ keywords: '用户9999', pageSize: 50 })).toEqual(['用户9999'])
  expect(await names({ keywords: 'crowd9999' })).toEqual(['用户9999'])
  const crowd = unscoped(db, 'test').updateTable('users').where('username', '=', 'crowd9999')
  const { id } = await crowd.set({ enabled: false }).returning('id').executeTakeFirstOrThrow()
  expect(await names({ keywords: '用户9999' })).toEqual([])
  expect(await names({ ids: [id] })).toEqual(['用户9999'])
  const { id: deptId, name } = await makeDept(db, { name: '远处科室' })
  await makeUser(db, { nickname: '远处', deptId })
  expect(await names({ keywords: name })).toEqual(['远处'])
  const far = { ...all, depts: [deptId], schools: [] }
  expect(await userOptions(db, { ids: [id] }, far)).toEqual([])
})
