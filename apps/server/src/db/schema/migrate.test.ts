import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { quietLog } from '../../../test/quiet-log.ts'
import { migrate, migrationsFolder } from './migrate.ts'

let database: TestDatabase
let pool: pg.Pool
let folder: string

const given = (name: string, sql: string) => writeFileSync(join(folder, name), sql)
const run = () => migrate(pool, { log: quietLog, folder })
const tables = async () => {
  const found = await pool.query<{ relname: string }>(
    "select relname from pg_class where relnamespace = 'only_here'::regnamespace and relkind = 'r' order by 1",
  )
  return found.rows.map(({ relname }) => relname)
}

beforeEach(async () => {
  database = await cloneDatabase()
  folder = mkdtempSync(join(tmpdir(), 'tocsin-migrations-'))
  pool = new pg.Pool(database.owner)
  // A separate schema, so that these files start from nothing in the migrated clone.
  await pool.query('create schema only_here authorization tocsin_owner')
  await pool.query(
    'alter role tocsin_owner in database '.concat(database.owner.database, ' set search_path = only_here'),
  )
  await pool.end()
  pool = new pg.Pool(database.owner)
})

afterEach(async () => {
  await pool.end()
  await database.drop()
  rmSync(folder, { recursive: true })
})

describe('migrate', () => {
  it('applies the files in order, once', async () => {
    given('0001_first.sql', 'create table first (id int); insert into first values (1);')
    given('0002_second.sql', 'create table second as select * from first;')
    expect(await run()).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await run()).toEqual([])
    expect(await tables()).toEqual(['first', 'migration', 'second'])
  })

  it('keeps nothing of a file that fails, and continues with it when it is fixed', async () => {
    given('0001_first.sql', 'create table first (id int);')
    given('0002_second.sql', 'create table second (id int); select 1 / 0; create table third (id int);')
    await expect(run()).rejects.toThrow('migration 0002_second.sql failed')
    expect(await tables()).toEqual(['first', 'migration'])
    given('0002_second.sql', 'create table second (id int);')
    expect(await run()).toEqual(['0002_second.sql'])
  })

  it('resumes after its connection was killed inside a statement', async () => {
    given('0001_first.sql', 'create table first (id int); select pg_terminate_backend(pg_backend_pid());')
    await expect(run()).rejects.toThrow('migration 0001_first.sql failed')
    given('0001_first.sql', 'create table first (id int);')
    expect(await run()).toEqual(['0001_first.sql'])
  })

  it("resumes after a kill at each statement of the product's own files, with the same result", async () => {
    for (const name of readdirSync(migrationsFolder).sort()) {
      const whole = readFileSync(join(migrationsFolder, name), 'utf8')
      // Finds the ends of statements: lines with a semicolon outside function bodies.
      const ends = [...whole.matchAll(/;\n/g)]
        .map(({ index }) => index + 1)
        .filter((end) => whole.slice(0, end).split('$$').length % 2 === 1)
      for (const end of ends) {
        given(name, `${whole.slice(0, end)}\nselect pg_terminate_backend(pg_backend_pid());${whole.slice(end)}`)
        await expect(run()).rejects.toThrow(`migration ${name} failed`)
      }
      given(name, whole)
      expect(await run()).toEqual([name])
    }
    const described = (schema: string) =>
      pool.query<{ what: string }>(
        `select concat_ws(' ', table_name, column_name, data_type, is_nullable) as what from information_schema.columns
         where table_schema = $1 and table_name !~ '_[0-9]{6}$' order by 1`,
        [schema],
      )
    expect((await described('only_here')).rows).toEqual((await described('public')).rows)
  })

  it('assigns the devices of a school to its only gateway, whoever owns it', async () => {
    const files = readdirSync(migrationsFolder).sort()
    const at = files.indexOf('0045_fields.sql')
    const next = (names: string[]) => {
      for (const name of names) given(name, readFileSync(join(migrationsFolder, name), 'utf8'))
      return run()
    }
    await next(files.slice(0, at))
    await pool.query(`
      insert into dept (kind, name, code) values ('EDU_BUREAU', 'e', 'E'), ('OPERATOR_CO', 'o', 'O');
      insert into device_model (product_key, vendor, name, kind, power)
        values ('panic01', 'v', 'p', 'PANIC_BUTTON', 'BATTERY'), ('gateway01', 'v', 'g', 'GATEWAY', 'MAINS');`)
    const school = async (name: string, gateways: [owner: string, lifecycle: string][]) => {
      await pool.query(`
        with d as (insert into dept (kind, name, code, parent_id)
          select 'SCHOOL', '${name}', '${name}', id from dept where code = 'E' returning id)
        insert into school (dept_id, code, name, stage, area_type) select id, '${name}', '${name}', 'PRIMARY', 'URBAN' from d`)
      const device = (sn: string, owner: string, kind: string, lifecycle: string) =>
        pool.query(
          `insert into device (sn, model_id, dept_id, school_id, lifecycle) select $1, m.id, d.id, s.id, $4
           from device_model m, dept d, school s where m.kind = $2 and d.code = $3 and s.code = $5`,
          [sn, kind, owner, lifecycle, name],
        )
      for (const [no, [owner, lifecycle]] of gateways.entries())
        await device(`${name}-G${no}`, owner, 'GATEWAY', lifecycle)
      await device(`${name}-P`, name, 'PANIC_BUTTON', 'IN_SERVICE')
    }
    await school('ALONE', [['ALONE', 'UNDER_REPAIR']])
    await school('OWNED', [['O', 'IN_SERVICE']])
    await school('SPARE', [
      ['SPARE', 'UNDER_REPAIR'],
      ['E', 'COMMISSIONING'],
      ['O', 'IN_STOCK'],
    ])
    await school('BOTH', [
      ['BOTH', 'IN_SERVICE'],
      ['BOTH', 'IN_SERVICE'],
    ])
    await school('NEITHER', [
      ['NEITHER', 'LOST'],
      ['NEITHER', 'UNDER_REPAIR'],
    ])
    await school('GONE', [['GONE', 'RETIRED']])
    await next(files.slice(at, at + 1))
    const { rows } = await pool.query<{ sn: string; gateway: string }>(
      'select c.sn, g.sn as gateway from device c join device g on g.id = c.gateway_id order by 1',
    )
    expect(rows.map(({ sn, gateway }) => [sn, gateway])).toEqual([
      ['ALONE-P', 'ALONE-G0'],
      ['OWNED-P', 'OWNED-G0'],
      ['SPARE-P', 'SPARE-G1'],
    ])
  })

  it('keeps names that look alike where they exist, and renames only rules of the seed', async () => {
    const files = readdirSync(migrationsFolder).sort()
    const at = files.indexOf('0203_folded_names.sql')
    const next = (names: string[]) => {
      for (const name of names) given(name, readFileSync(join(migrationsFolder, name), 'utf8'))
      return run()
    }
    await next(files.slice(0, at))
    await pool.query(`
      insert into dict_type (name, name_en, type) values ('A1', 'a', 'first'), ('Ａ1', 'b', 'second');
      insert into warn_rule (name, name_en, match_codes, class, level) values
        ('医疗求助', 'Medical help', '{MEDICAL}', 'MEDICAL', 2), ('呼救', 'Our own', '{VOICE_HELP}', 'VOICE', 3);
      insert into seeded (key, row_id) select 'rule/医疗求助', min(id) from warn_rule;
      insert into seeded (key, row_id) select 'rule/语音求救', max(id) from warn_rule;`)
    await next(files.slice(at, files.indexOf('0204_rule_names.sql') + 1))
    const namesOf = async (query: string) => (await pool.query<{ name: string }>(query)).rows.map(({ name }) => name)
    expect(await namesOf('select name from dict_type order by id')).toEqual(['A1', 'Ａ1'])
    expect(await namesOf('select name from warn_rule order by id')).toEqual(['医疗急救', '呼救'])
    expect(await namesOf('select key as name from seeded order by row_id')).toEqual(['rule/医疗急救', 'rule/语音求助'])
    const indexes = await namesOf(`
      select indexname as name from pg_indexes where schemaname = 'only_here' and indexname like '%\\_fold'`)
    expect([indexes.length, indexes.includes('dict_type_name_key_fold')]).toEqual([11, false])
  })

  it('lets two servers run at once, each file applied by one of them', async () => {
    for (const no of [1, 2, 3, 4])
      given(`000${no}_step.sql`, `create table step_${no} (id int); select pg_sleep(0.05);`)
    const applied = await Promise.all([run(), run(), run()])
    expect(applied.flat().sort()).toEqual(['0001_step.sql', '0002_step.sql', '0003_step.sql', '0004_step.sql'])
  })

  it('rejects a file that was changed after it had been applied', async () => {
    given('0001_first.sql', 'create table first (id int);')
    await run()
    given('0001_first.sql', 'create table first (id bigint);')
    await expect(run()).rejects.toThrow('0001_first.sql was changed after it had been applied')
  })

  it('rejects a database newer than the code', async () => {
    given('0001_first.sql', 'create table first (id int);')
    given('0002_second.sql', 'create table second (id int);')
    await run()
    rmSync(join(folder, '0002_second.sql'))
    await expect(run()).rejects.toThrow('The database is newer than this release: it holds migration 0002_second.sql.')
  })

  it('rejects a new file that sorts before an applied one', async () => {
    given('0002_second.sql', 'create table second (id int);')
    await run()
    given('0001_first.sql', 'create table first (id int);')
    await expect(run()).rejects.toThrow('0001_first.sql is new, but 0002_second.sql has been applied before it')
  })

  it.each([
    ['1_short.sql', 'select 1;', 'not named NNNN_name.sql'],
    ['0001_commits.sql', 'create table a (id int);\ncommit;', 'a transaction statement of its own'],
  ])('refuses %s', async (name, sql, sentence) => {
    given(name, sql)
    await expect(run()).rejects.toThrow(sentence)
  })

  it('rejects two files with one number', async () => {
    given('0001_a.sql', 'select 1;')
    given('0001_b.sql', 'select 1;')
    await expect(run()).rejects.toThrow('0001_a.sql and 0001_b.sql have the same number')
  })
})
