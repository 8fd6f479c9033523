import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { createSchema, type MigrationFixture, openMigrations } from '../../../test/migration-fixture.ts'
import { migrationsFolder } from './migrate.ts'

// A kill at each statement of the product's files is in apps/server/test/fault/migration-kill.fault.test.ts.
const databases: TestDatabase[] = []
const clone = async (template: string) => {
  const made = await cloneDatabase(template)
  databases.push(made)
  return made
}

afterAll(async () => {
  for (const database of databases) await database.drop()
})

describe('migrate', () => {
  let database: TestDatabase
  let migrations: MigrationFixture

  // Without the product's tables: grants of all of them would take longer than the files of a test.
  beforeAll(async () => {
    database = await clone('template0')
  })

  beforeEach(async () => {
    await createSchema(database)
    migrations = openMigrations(database)
  })

  afterEach(() => migrations.close())

  const tables = async () => {
    const found = await migrations.pool.query<{ relname: string }>(
      "select relname from pg_class where relnamespace = 'only_here'::regnamespace and relkind = 'r' order by 1",
    )
    return found.rows.map(({ relname }) => relname)
  }

  it('applies each file once, in order', async () => {
    migrations.write('0001_first.sql', 'create table first (id int); insert into first values (1);')
    migrations.write('0002_second.sql', 'create table second as select * from first;')
    expect(await migrations.run()).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await migrations.run()).toEqual([])
    expect(await tables()).toEqual(['first', 'migration', 'second'])
  })

  it('keeps nothing of a file that fails, and continues with it when it is fixed', async () => {
    migrations.write('0001_first.sql', 'create table first (id int);')
    migrations.write('0002_second.sql', 'create table second (id int); select 1 / 0; create table third (id int);')
    await expect(migrations.run()).rejects.toThrow('migration 0002_second.sql failed')
    expect(await tables()).toEqual(['first', 'migration'])
    migrations.write('0002_second.sql', 'create table second (id int);')
    expect(await migrations.run()).toEqual(['0002_second.sql'])
  })

  it('resumes after its connection was killed inside a statement', async () => {
    migrations.write('0001_first.sql', 'create table first (id int); select pg_terminate_backend(pg_backend_pid());')
    await expect(migrations.run()).rejects.toThrow('migration 0001_first.sql failed')
    migrations.write('0001_first.sql', 'create table first (id int);')
    expect(await migrations.run()).toEqual(['0001_first.sql'])
  })

  it('applies each file once when two servers start at the same time', async () => {
    for (const no of [1, 2, 3, 4])
      migrations.write(`000${no}_step.sql`, `create table step_${no} (id int); select pg_sleep(0.05);`)
    const applied = await Promise.all([migrations.run(), migrations.run(), migrations.run()])
    expect(applied.flat().sort()).toEqual(['0001_step.sql', '0002_step.sql', '0003_step.sql', '0004_step.sql'])
  })

  it('names whom the calls of stored procedures dial, by their text', async () => {
    migrations.write(
      '0001_steps.sql',
      `create table procedure (steps jsonb not null); create table procedure_version (steps jsonb not null);
       create table rollout (model_id int, kind text, state text);
       create unique index rollout_open_key on rollout (model_id, kind);`,
    )
    await migrations.run()
    const texts = [
      '拨打 120，说清地址',
      '拨打119',
      '报 110',
      '拨打保卫室电话',
      '拨打 12000',
      '通知家长和学校负责人',
      '通知家长',
    ]
    const steps = [...texts.map((text) => ({ action: 'CALL', text })), { action: 'SIREN', text: '120' }]
    for (const table of ['procedure', 'procedure_version'])
      await migrations.pool.query(`insert into ${table} values ($1)`, [JSON.stringify(steps)])
    await migrations.runProduct(['0214_callees_and_rollouts.sql'])
    const named = ['AMBULANCE', 'FIRE_BRIGADE', 'POLICE', 'DUTY_PHONE', 'DUTY_PHONE', 'PRINCIPAL', null, null]
    for (const table of ['procedure', 'procedure_version']) {
      const { rows } = await migrations.pool.query<{ steps: unknown[] }>(`select steps from ${table}`)
      expect(rows[0]?.steps).toEqual(steps.map((step, at) => ({ ...step, callee: named[at] })))
    }
  })

  it('rejects a file that was changed after it had been applied', async () => {
    migrations.write('0001_first.sql', 'create table first (id int);')
    await migrations.run()
    migrations.write('0001_first.sql', 'create table first (id bigint);')
    await expect(migrations.run()).rejects.toThrow('0001_first.sql was changed after it had been applied')
  })

  it('rejects a database newer than the code', async () => {
    migrations.write('0001_first.sql', 'create table first (id int);')
    migrations.write('0002_second.sql', 'create table second (id int);')
    await migrations.run()
    rmSync(join(migrations.folder, '0002_second.sql'))
    await expect(migrations.run()).rejects.toThrow(
      'The database is newer than this release: it holds migration 0002_second.sql.',
    )
  })

  it('rejects a new file that sorts before an applied one', async () => {
    migrations.write('0002_second.sql', 'create table second (id int);')
    await migrations.run()
    migrations.write('0001_first.sql', 'create table first (id int);')
    await expect(migrations.run()).rejects.toThrow(
      '0001_first.sql is new, but 0002_second.sql has been applied before it',
    )
  })

  it.each([
    ['1_short.sql', 'select 1;', 'not named NNNN_name.sql'],
    ['0001_commits.sql', 'create table a (id int);\ncommit;', 'a transaction statement of its own'],
  ])('refuses %s', async (name, sql, sentence) => {
    migrations.write(name, sql)
    await expect(migrations.run()).rejects.toThrow(sentence)
  })

  it('rejects two files with one number', async () => {
    migrations.write('0001_a.sql', 'select 1;')
    migrations.write('0001_b.sql', 'select 1;')
    await expect(migrations.run()).rejects.toThrow('0001_a.sql and 0001_b.sql have the same number')
  })
})

describe('migrations of the product', () => {
  let beforeFields: MigrationFixture
  let beforeFoldedNames: MigrationFixture

  const filesBefore = (last: string) =>
    readdirSync(migrationsFolder)
      .sort()
      .filter((name) => name < last)

  // Applies each file once: the later database is a copy of the earlier one that goes on.
  beforeAll(async () => {
    const earlier = await clone('template0')
    const first = openMigrations(earlier)
    await first.runProduct(filesBefore('0045_fields.sql'))
    // A database with connections cannot be copied.
    await first.close()
    const later = await clone(earlier.owner.database)
    beforeFields = openMigrations(earlier)
    beforeFoldedNames = openMigrations(later)
    await beforeFoldedNames.runProduct(filesBefore('0203_folded_names.sql'))
  })

  afterAll(async () => {
    await beforeFields?.close()
    await beforeFoldedNames?.close()
  })

  it('assigns the devices of a school to its only gateway, whoever owns it', async () => {
    const { pool, runProduct } = beforeFields
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
    // The earlier files have been applied; the folder must hold them.
    await runProduct([...filesBefore('0045_fields.sql'), '0045_fields.sql'])
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
    const { pool, runProduct } = beforeFoldedNames
    await pool.query(`
      insert into dict_type (name, name_en, type) values ('A1', 'a', 'first'), ('Ａ1', 'b', 'second');
      insert into warn_rule (name, name_en, match_codes, class, level) values
        ('医疗求助', 'Medical help', '{MEDICAL}', 'MEDICAL', 2), ('呼救', 'Our own', '{VOICE_HELP}', 'VOICE', 3);
      insert into seeded (key, row_id) select 'rule/医疗求助', min(id) from warn_rule;
      insert into seeded (key, row_id) select 'rule/语音求救', max(id) from warn_rule;`)
    await runProduct(['0203_folded_names.sql', '0204_rule_names.sql'])
    const namesOf = async (query: string) => (await pool.query<{ name: string }>(query)).rows.map(({ name }) => name)
    expect(await namesOf('select name from dict_type order by id')).toEqual(['A1', 'Ａ1'])
    expect(await namesOf('select name from warn_rule order by id')).toEqual(['医疗急救', '呼救'])
    expect(await namesOf('select key as name from seeded order by row_id')).toEqual(['rule/医疗急救', 'rule/语音求助'])
    const indexes = await namesOf(`
      select indexname as name from pg_indexes where schemaname = 'public' and indexname like '%\\_fold'`)
    expect([indexes.length, indexes.includes('dict_type_name_key_fold')]).toEqual([11, false])
  })
})
