import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import type { Connection } from '../src/db/embedded/probe.ts'
import { invalidateSettings } from '../src/settings/settings-cache.ts'

export type TestDatabase = {
  /** For `new pg.Pool(…)`: owner may do DDL, app is the server's role, read is for reports. */
  owner: Connection
  app: Connection
  read: Connection
  superuser: Connection
  /** Fails when connections were left open: close every pool before. */
  drop: () => Promise<void>
}

const maintain = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(inject('postgres').superuser)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const open = async (client: pg.Client, database: string): Promise<string[]> => {
  // PostgreSQL's own vacuum is no connection of a test.
  const ours = `select query from pg_stat_activity where datname = $1 and backend_type = 'client backend'`
  const found = await client.query<{ query: string }>(ours, [database])
  return found.rows.map(({ query }) => query)
}

// A closed pool has disconnected, but its backends need a moment to exit; terminating them would throw in the test.
const left = async (client: pg.Client, database: string): Promise<string[]> => {
  const end = performance.now() + 5000
  while ((await open(client, database)).length > 0 && performance.now() < end) await pause(10)
  return open(client, database)
}

const drop = (database: string) =>
  maintain(async (client) => {
    const queries = await left(client, database)
    await client.query(`drop database ${database} with (force)`)
    if (queries.length > 0) throw new Error(`connections were left open, last asked: ${queries.join(' | ')}`)
  })

/**
 * A migrated database for one test file: call it in `beforeAll`, and `drop` in `afterAll`.
 * @param template copied instead of the empty one.
 */
export const cloneDatabase = async (template = inject('postgres').template): Promise<TestDatabase> => {
  // A process caches the settings of one database, and the files of a worker share it.
  invalidateSettings()
  const { superuser } = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  // Copies files, because the default writes each page through the log, which takes twice as long.
  const strategy = `template ${template} strategy file_copy`
  await maintain((client) => client.query(`create database ${database} ${strategy} owner tocsin_owner`))
  const as = (user: string): Connection => ({ ...superuser, user, database })
  return {
    owner: as('tocsin_owner'),
    app: as('tocsin_app'),
    read: as('tocsin_read'),
    superuser: as(superuser.user),
    drop: () => drop(database),
  }
}

/** The same with departments, roles, menus and dictionaries, and with the user `admin` of `SEED_PASSWORD`. */
export const cloneSeededDatabase = (): Promise<TestDatabase> => cloneDatabase(inject('postgres').seededTemplate)
