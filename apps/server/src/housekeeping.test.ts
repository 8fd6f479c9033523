import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../test/database.ts'
import { invalidateSettings } from './settings/settings-cache.ts'
import { type Db, openDb, openPool } from './db/db.ts'
import { maintainPartitions } from './housekeeping.ts'

let database: TestDatabase
let pool: pg.Pool
let owner: pg.Pool
let db: Db
beforeAll(async () => {
  database = await cloneDatabase()
  pool = openPool({ ...database.app, max: 3 }, 20)
  owner = new pg.Pool({ ...database.owner, max: 1 })
  db = openDb(pool)
})
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()])
  await database.drop()
})

const monthsOf = async (table: string): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass order by 1`,
    [table],
  )
  return rows.map(({ name }) => name.replace(`${table}_`, ''))
}
const month = (ahead: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1))
    .toISOString()
    .slice(0, 7)
    .replace('-', '')
}
const change = (daysAgo: number) =>
  pool.query(
    `insert into device_connectivity (device_id, at, from_state, to_state, reason)
     values (1, now() - make_interval(days => $1), 'ONLINE', 'LATE', 'SILENCE')`,
    [daysAgo],
  )
const kept = async (): Promise<{ days: number; part: string }[]> =>
  (
    await owner.query(
      `select extract(day from now() - at)::int as days, tableoid::regclass::text as part from device_connectivity order by 1`,
    )
  ).rows

it('creates the partitions of coming months, moves rows into them, and drops expired ones', async () => {
  await change(0)
  await change(390)
  await change(410)
  const [before] = await kept()
  expect(before?.part).toBe('device_connectivity_rest')
  await maintainPartitions(db)
  await maintainPartitions(db)
  for (const table of ['device_connectivity', 'device_message', 'login_log'])
    expect(await monthsOf(table)).toEqual([month(0), month(1), month(2), 'rest'])
  expect(await kept()).toEqual([
    { days: 0, part: `device_connectivity_${month(0)}` },
    { days: 390, part: 'device_connectivity_rest' },
  ])
  await change(0)
  expect((await kept()).filter(({ part }) => part === `device_connectivity_${month(0)}`)).toHaveLength(2)
})

it('drops a month as a whole once all of it has expired, and not sooner', async () => {
  for (const ahead of [-14, -15]) {
    const [from, to] = [month(ahead), month(ahead + 1)].map((text) => `${text.slice(0, 4)}-${text.slice(4)}-01 00:00Z`)
    await owner.query(
      `create table device_connectivity_${month(ahead)} partition of device_connectivity for values from ('${from}') to ('${to}')`,
    )
  }
  const days = (Date.now() - Date.parse(`${month(-14).slice(0, 4)}-${month(-14).slice(4)}-01T00:00Z`)) / 86_400_000
  const tend = (keep: number) =>
    pool.query(`select tend_partitions('device_connectivity', 2, make_interval(secs => $1))`, [keep * 86_400])
  await tend(days + 1)
  expect(await monthsOf('device_connectivity')).toEqual(expect.arrayContaining([month(-14), month(-15)]))
  await tend(days - 0.5)
  expect(await monthsOf('device_connectivity')).toContain(month(-14))
  expect(await monthsOf('device_connectivity')).not.toContain(month(-15))
})

it('keeps sign-ins for half a year when a shorter setting was written past the form', async () => {
  await pool.query(
    `insert into config (category, name, key, value, value_type, built_in) values ('log', 'x', 'log.login-days', '1', 'INT', true)`,
  )
  invalidateSettings()
  for (const ahead of [-5, -8]) {
    const [from, to] = [month(ahead), month(ahead + 1)].map((text) => `${text.slice(0, 4)}-${text.slice(4)}-01 00:00Z`)
    await owner.query(
      `create table login_log_${month(ahead)} partition of login_log for values from ('${from}') to ('${to}')`,
    )
  }
  await maintainPartitions(db)
  expect(await monthsOf('login_log')).toContain(month(-5))
  expect(await monthsOf('login_log')).not.toContain(month(-8))
})

it('works on two nodes at the same moment', async () => {
  await owner.query(`drop table device_message_${month(2)}`)
  await Promise.all([maintainPartitions(db), maintainPartitions(db), maintainPartitions(db)])
  expect(await monthsOf('device_message')).toEqual([month(0), month(1), month(2), 'rest'])
})

it('gives the server and the reports no access to any other table', async () => {
  const tend = (by: pg.Pool, table: string, keep: string) =>
    by.query('select tend_partitions($1, 1, $2::interval)', [table, keep])
  await expect(tend(pool, 'warn_log', '1 year')).rejects.toThrow('not tended')
  for (const keep of ['1 day', '179 days', '-34 years 12420 days'])
    await expect(tend(pool, 'login_log', keep)).rejects.toThrow('not tended')
  const read = new pg.Pool({ ...database.read, max: 1 })
  await expect(tend(read, 'device_message', '1 year')).rejects.toThrow('permission denied')
  await read.end()
})

it('keeps numbering sign-ins across partitions', async () => {
  const { rows } = await pool.query<{ id: number; part: string }>(
    `insert into login_log (type, username, result, ip, user_agent, trace_id) values ('LOGIN', 'x', 'OK', '::1', '', '')
     returning id, tableoid::regclass::text as part`,
  )
  expect(rows).toEqual([{ id: expect.any(Number), part: `login_log_${month(0)}` }])
})
