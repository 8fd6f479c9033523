import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { quietLog } from '../../../test/quiet-log.ts'
import { appendOnly, grantRoles, hiddenTables } from './grants.ts'

let database: TestDatabase
let app: pg.Pool
let read: pg.Pool

const setting = `
  create table seal_parted (at timestamptz not null) partition by range (at);
  drop table if exists seal;
  alter table seal_parted rename to seal;
  create table seal_2026 partition of seal default;
  create table made_here (id serial primary key, password_hash text)`

beforeAll(async () => {
  database = await cloneDatabase()
  const owner = new pg.Client(database.owner)
  await owner.connect()
  await owner.query(setting)
  await grantRoles(owner, quietLog)
  await owner.end()
  app = new pg.Pool(database.app)
  read = new pg.Pool(database.read)
})

afterAll(async () => {
  await Promise.all([app.end(), read.end()])
  await database.drop()
})

const existing = async (names: string[]) => {
  const found = await app.query<{ name: string }>('select relname as name from pg_class where relname = any($1)', [
    names,
  ])
  return found.rows.map(({ name }) => name)
}

describe('grantRoles', () => {
  it('lets the server change rows but no table definition', async () => {
    await app.query("insert into made_here (password_hash) values ('x')")
    await app.query("update made_here set password_hash = 'y'")
    await app.query('delete from made_here')
    await expect(app.query('truncate made_here')).rejects.toThrow('permission denied')
    await expect(app.query('create table another (id int)')).rejects.toThrow('permission denied')
    await expect(app.query('drop table made_here')).rejects.toThrow('must be owner')
    await expect(app.query('delete from migration')).rejects.toThrow('permission denied')
  })

  it('lets nobody rewrite the append-only tables or their partitions', async () => {
    const names = [...(await existing(Object.keys(appendOnly))), 'seal_2026']
    expect(names).toEqual(expect.arrayContaining(['audit_log', 'login_log', 'seal', 'warn_log']))
    for (const name of names) {
      await expect(app.query(`delete from ${name}`)).rejects.toThrow('permission denied')
      await expect(app.query(`truncate ${name}`)).rejects.toThrow('permission denied')
    }
    await expect(app.query('update seal_2026 set at = now()')).rejects.toThrow('permission denied')
    await app.query('insert into seal (at) values (now())')
  })

  it('lets reports call school_lacks, which reads more than they may', async () => {
    expect((await read.query('select * from school_lacks()')).fields.map(({ name }) => name)).toEqual([
      'device_id',
      'lack',
    ])
  })

  it('hides secrets from reports', async () => {
    await read.query('select id from made_here')
    await expect(read.query('select password_hash from made_here')).rejects.toThrow('permission denied')
    await expect(read.query('insert into made_here default values')).rejects.toThrow('permission denied')
    for (const name of await existing(hiddenTables)) {
      await expect(read.query(`select from ${name}`)).rejects.toThrow('permission denied')
    }
  })
})
