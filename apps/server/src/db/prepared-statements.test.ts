import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { openPool } from './db.ts'

let database: TestDatabase
let pool: pg.Pool
let owner: pg.Pool

beforeAll(async () => {
  database = await cloneDatabase()
  pool = openPool({ ...database.app, max: 1, keepPlans: true }, 20)
  owner = new pg.Pool({ ...database.owner, max: 1 })
})
afterAll(async () => {
  await pool.end()
  await owner.end()
  await database.drop()
})

const prepared = async (): Promise<string[]> => {
  const { rows } = await pool.query<{ statement: string }>('select statement from pg_prepared_statements')
  return rows.map(({ statement }) => statement)
}

test('prepares each text once and passes each call its own values', async () => {
  const text = 'select $1::int as n'
  for (const n of [1, 2, 3]) expect((await pool.query<{ n: number }>(text, [n])).rows).toEqual([{ n }])
  expect((await prepared()).filter((item) => item === text)).toHaveLength(1)
})

test('leaves statements without values and cursors alone', async () => {
  await pool.query('select 5 as five')
  await pool.query('select 6 as six', [])
  expect(await prepared()).toEqual(expect.not.arrayContaining(['select 5 as five', 'select 6 as six']))
})

test('fails once, and only once, after another node changed the table', async () => {
  const text = 'select * from dept where id = $1'
  await pool.query(text, [0])
  await owner.query('alter table dept add column motto text')
  await expect(pool.query(text, [0])).rejects.toMatchObject({ code: '0A000' })
  expect((await pool.query(text, [0])).fields.map(({ name }) => name)).toContain('motto')
})

test('keeps no more statements per connection than the limit', async () => {
  for (let n = 0; n < 300; n += 1) await pool.query(`select $1::int + ${n} as n`, [1])
  expect((await prepared()).length).toBeLessThanOrEqual(201)
})
