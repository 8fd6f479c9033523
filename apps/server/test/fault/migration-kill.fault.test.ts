import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrationsFolder } from '../../src/db/schema/migrate.ts'
import { cloneDatabase, type TestDatabase } from '../database.ts'
import { createSchema, type MigrationFixture, openMigrations } from '../migration-fixture.ts'

let database: TestDatabase
let migrations: MigrationFixture

beforeAll(async () => {
  database = await cloneDatabase()
  await createSchema(database)
  migrations = openMigrations(database)
})

afterAll(async () => {
  await migrations.close()
  await database.drop()
})

describe('migrate', () => {
  it("resumes after a kill at each statement of the product's own files, with the same result", async () => {
    const { pool, write, run } = migrations
    for (const name of readdirSync(migrationsFolder).sort()) {
      const whole = readFileSync(join(migrationsFolder, name), 'utf8')
      // Finds the ends of statements: lines with a semicolon outside function bodies.
      const ends = [...whole.matchAll(/;\n/g)]
        .map(({ index }) => index + 1)
        .filter((end) => whole.slice(0, end).split('$$').length % 2 === 1)
      for (const end of ends) {
        write(name, `${whole.slice(0, end)}\nselect pg_terminate_backend(pg_backend_pid());${whole.slice(end)}`)
        await expect(run()).rejects.toThrow(`migration ${name} failed`)
      }
      write(name, whole)
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
})
