import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate, migrationsFolder } from '../src/db/schema/migrate.ts'
import type { TestDatabase } from './database.ts'
import { quietLog } from './quiet-log.ts'

export type MigrationFixture = {
  /** Of the owner, as `migrate` wants it. */
  pool: pg.Pool
  folder: string
  write: (name: string, sql: string) => void
  /** Applies the files of the folder that are new. */
  run: () => Promise<string[]>
  /** Copies these of the product's files and applies them. */
  runProduct: (names: string[]) => Promise<string[]>
  close: () => Promise<void>
}

/** Opens a folder for the migration files of a test, and the database that they change. */
export const openMigrations = ({ owner }: TestDatabase): MigrationFixture => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-migrations-'))
  const pool = new pg.Pool(owner)
  const write = (name: string, sql: string) => writeFileSync(join(folder, name), sql)
  const run = () => migrate(pool, { log: quietLog, folder })
  return {
    pool,
    folder,
    write,
    run,
    runProduct: (names) => {
      for (const name of names) write(name, readFileSync(join(migrationsFolder, name), 'utf8'))
      return run()
    },
    close: async () => {
      await pool.end()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Creates a separate schema, so that the files of a test start from nothing, beside what the database holds. */
export const createSchema = async ({ owner }: TestDatabase): Promise<void> => {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    await client.query('drop schema if exists only_here cascade')
    await client.query('create schema only_here authorization tocsin_owner')
    // Connections that are opened later use it.
    await client.query(`alter role tocsin_owner in database ${owner.database} set search_path = only_here`)
  } finally {
    await client.end()
  }
}
