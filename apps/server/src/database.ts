import pg from 'pg'
import type { Config, Log } from './config.ts'
import { repoRoot, StartupError } from './config.ts'
import { resolveDataDir } from './db/embedded/data-dir.ts'
import { startEmbeddedPostgres } from './db/embedded/start.ts'
import { registerMasterKey, loadMasterKey } from './db/master-key.ts'
import { appendOnly } from './db/schema/grants.ts'
import { migrate } from './db/schema/migrate.ts'

/** The database as the parts of the server receive it. */
export type Database = {
  /** Connects as `tocsin_app`, which has no DDL rights. */
  app: pg.ClientConfig
  /** Where files and secrets of this installation are stored. */
  dataDir: string
  /** 32 bytes; every secret is derived from it. */
  masterKey: Buffer
  /** Stops the embedded PostgreSQL; does nothing for an external one. */
  stop: () => Promise<void>
}

type Opened = { owner: pg.ClientConfig; app: pg.ClientConfig; dataDir: string; stop: () => Promise<void> }

const openEmbedded = async (config: Config, log: Log): Promise<Opened> => {
  const { dataDir, dataDirGiven } = config
  const embedded = await startEmbeddedPostgres({ dataDir, dataDirGiven, checkout: repoRoot, log })
  return { owner: embedded.owner, app: embedded.app, dataDir: embedded.dataDir, stop: embedded.stop }
}

const openGiven = async (config: Config, connectionString: string): Promise<Opened> => {
  const { dataDir: wanted, dataDirGiven: given } = config
  const dataDir = resolveDataDir({ dataDir: wanted, given, checkout: repoRoot, account: undefined })
  return { owner: { connectionString }, app: { connectionString }, dataDir, stop: async () => undefined }
}

/** The embedded database has a role without these rights; an operator's role has whatever was granted. */
const warnOfRights = async (connection: pg.ClientConfig, log: Log): Promise<void> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select name from unnest($1::text[], $2::text[]) as only_added (name, granted)
       where has_table_privilege(name, 'delete, truncate')
         or has_table_privilege(name, 'update') and granted not like '%update%' order by 1`,
      [Object.keys(appendOnly), Object.values(appendOnly)],
    )
    if (rows.length === 0) return
    const names = rows.map(({ name }) => name).join(', ')
    log.warn(
      `the role of DATABASE_URL may rewrite ${names}: that is not forbidden here, and only npm run verify-log can show it`,
    )
  } finally {
    await client.end()
  }
}

type Durability = { commit: string; fsync: string; pages: string }

/**
 * A receipt promises that the alarm is on disk (invariant 7), so a database that confirms a commit earlier is rejected.
 */
const demandDurable = async (pool: pg.Pool, log: Log): Promise<void> => {
  const { rows } = await pool.query<Durability>(
    `select current_setting('synchronous_commit') as commit, current_setting('fsync') as fsync,
       current_setting('full_page_writes') as pages`,
  )
  const { commit, fsync, pages } = rows[0] ?? { commit: 'off', fsync: 'off', pages: 'off' }
  if (commit === 'off')
    throw new StartupError(
      'synchronous_commit is off in the database: it would lose alarms that were acknowledged. Set it to on.',
    )
  if (fsync === 'off' || pages === 'off')
    log.warn(
      'fsync or full_page_writes is off in PostgreSQL: a power failure loses alarms that were acknowledged, or everything',
    )
}

/** Starts or connects to PostgreSQL, migrates it, and checks the master key. Throws StartupError. */
export const openDatabase = async (config: Config, log: Log): Promise<Database> => {
  const opened = await (config.databaseUrl ? openGiven(config, config.databaseUrl) : openEmbedded(config, log))
  const pool = new pg.Pool({ ...opened.owner, max: 2 })
  try {
    await demandDurable(pool, log)
    await migrate(pool, { log })
    const key = loadMasterKey(config.masterKey, opened.dataDir)
    await registerMasterKey(pool, key)
    await warnOfRights(opened.app, log)
    return { app: opened.app, dataDir: opened.dataDir, masterKey: key, stop: opened.stop }
  } catch (error) {
    await opened.stop()
    throw error
  } finally {
    await pool.end()
  }
}
