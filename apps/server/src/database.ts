import pg from 'pg'
import type { Config, Log } from './config.ts'
import { checkout } from './config.ts'
import { settleDataDir } from './db/embedded/data-dir.ts'
import { startEmbedded } from './db/embedded/start.ts'
import { checkMasterKey, masterKey } from './db/master-key.ts'
import { migrate } from './db/schema/migrate.ts'

/** The database as the parts of the server get it. */
export type Database = {
  /** Connects as the role without DDL. */
  app: pg.ClientConfig
  /** Where files and secrets of this installation lie. */
  dataDir: string
  /** 32 bytes; everything secret is derived from it. */
  masterKey: Buffer
  /** Stops the PostgreSQL that is ours; nothing where it is somebody else's. */
  stop: () => Promise<void>
}

type Opened = { owner: pg.ClientConfig; app: pg.ClientConfig; dataDir: string; stop: () => Promise<void> }

const openEmbedded = async (config: Config, log: Log): Promise<Opened> => {
  const { dataDir, dataDirGiven } = config
  const embedded = await startEmbedded({ dataDir, dataDirGiven, checkout, log })
  return { owner: embedded.owner, app: embedded.app, dataDir: embedded.dataDir, stop: embedded.stop }
}

const openGiven = async (config: Config, connectionString: string): Promise<Opened> => {
  const { dataDir: wanted, dataDirGiven: given } = config
  const dataDir = settleDataDir({ dataDir: wanted, given, checkout, account: undefined })
  return { owner: { connectionString }, app: { connectionString }, dataDir, stop: async () => undefined }
}

/** Starts or reaches PostgreSQL, migrates it, and holds the master key against it. Refusals are StartRefusal. */
export const openDatabase = async (config: Config, log: Log): Promise<Database> => {
  const opened = await (config.databaseUrl ? openGiven(config, config.databaseUrl) : openEmbedded(config, log))
  const pool = new pg.Pool({ ...opened.owner, max: 2 })
  try {
    await migrate(pool, { log })
    const key = masterKey(config.masterKey, opened.dataDir)
    await checkMasterKey(pool, key)
    return { app: opened.app, dataDir: opened.dataDir, masterKey: key, stop: opened.stop }
  } catch (error) {
    await opened.stop()
    throw error
  } finally {
    await pool.end()
  }
}
