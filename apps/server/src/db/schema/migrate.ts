import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { repoRoot, type Log, StartupError } from '../../config.ts'
import { grantRoles } from './grants.ts'
import { installQueue } from './queue.ts'

export const migrationsFolder = join(repoRoot, 'apps/server/migrations')

type Migration = { no: number; name: string; sql: string; checksum: string }
type Applied = { no: number; name: string; checksum: string }
type Options = { log: Log; folder?: string }

// "tocsin" in ASCII. Advisory lock keys are per database, so this must only differ from our own other locks.
const lockKey = 0x746f6373

const record = `
  create table if not exists migration (
    no integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`

const readMigration = (folder: string, file: string): Migration => {
  const no = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]
  if (!no) throw new StartupError(`The migration ${file} is not named NNNN_name.sql.`)
  const sql = readFileSync(join(folder, file), 'utf8')
  // The file runs inside the runner's transaction; ending it would break "whole or not at all".
  if (/^\s*(begin|commit|rollback|end)(\s+(work|transaction))?\s*;/im.test(sql.replace(/\$\$[\s\S]*?\$\$/g, ''))) {
    throw new StartupError(`The migration ${file} holds a transaction statement of its own.`)
  }
  return { no: Number(no), name: file, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

const readMigrations = (folder: string): Migration[] => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const migrations = files.sort().map((file) => readMigration(folder, file))
  for (const [at, migration] of migrations.entries()) {
    const before = migrations[at - 1]
    if (before?.no === migration.no) {
      throw new StartupError(`The migrations ${before.name} and ${migration.name} have the same number.`)
    }
  }
  return migrations
}

const compare = (applied: Applied[], migrations: Migration[]) => {
  const byNumber = new Map(migrations.map((migration) => [migration.no, migration]))
  for (const row of applied) {
    const file = byNumber.get(row.no)
    if (!file) throw new StartupError(`The database is newer than this release: it holds migration ${row.name}.`)
    if (file.checksum !== row.checksum || file.name !== row.name) {
      throw new StartupError(`The migration ${row.name} was changed after it had been applied to this database.`)
    }
  }
  const last = applied.at(-1)
  const late = migrations.find(({ no }) => last && no < last.no && !applied.some((row) => row.no === no))
  if (last && late) {
    throw new StartupError(`The migration ${late.name} is new, but ${last.name} has been applied before it.`)
  }
}

// PostgreSQL counts characters from the start of the file; people count lines.
const place = (error: unknown, sql: string): string => {
  const position = error instanceof pg.DatabaseError ? Number(error.position ?? 0) : 0
  const line = position > 0 ? ` at line ${sql.slice(0, position).split('\n').length}` : ''
  return `${line}: ${error instanceof Error ? error.message : String(error)}`
}

const apply = async (client: pg.ClientBase, migration: Migration) => {
  const { no, name, checksum, sql } = migration
  await client.query('begin')
  try {
    // The row is inserted first: if the lock ever failed, a second runner would wait here on the key and then fail.
    await client.query('insert into migration (no, name, checksum) values ($1, $2, $3)', [no, name, checksum])
    await client.query(sql)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`migration ${name} failed${place(error, sql)}`, { cause: error })
  }
}

const run = async (client: pg.ClientBase, migrations: Migration[], log: Log): Promise<string[]> => {
  await client.query(record)
  const { rows } = await client.query<Applied>('select no, name, checksum from migration order by no')
  compare(rows, migrations)
  const missing = migrations.filter(({ no }) => !rows.some((row) => row.no === no))
  for (const migration of missing) {
    log.info(`migration ${migration.name}`)
    await apply(client, migration)
  }
  await installQueue(client)
  await grantRoles(client, log)
  return missing.map(({ name }) => name)
}

/**
 * Migrates the database to this release and returns the names of the files applied now. Two servers may call it at
 * once. A file is applied whole or not at all, so a start after a kill continues where the last one ended. `pool`
 * connects as the owner.
 */
export const migrate = async (pool: pg.Pool, { log, folder = migrationsFolder }: Options): Promise<string[]> => {
  const migrations = readMigrations(folder)
  const client = await pool.connect()
  // A lost connection also fails the query in flight; without a listener the event would end the process.
  const ignore = () => {}
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    return await run(client, migrations, log)
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    if (!broken) await client.query('select pg_advisory_unlock($1)', [lockKey])
    client.off('error', ignore)
    // After a failure the connection is closed, which releases the lock.
    client.release(broken)
  }
}
