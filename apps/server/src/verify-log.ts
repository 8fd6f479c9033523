import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type ChainBreak, verifyLog } from './areas/alarm/verify-chain.ts'
import { retentionKey } from './areas/audit/log/retention-proof.ts'
import { type BrokenSeal, verifySeals } from './areas/audit/log/verify-seals.ts'
import { repoRoot, type Config, type Log, readConfig, StartupError } from './config.ts'
import { type Db, openDb, openPool } from './db/db.ts'
import { databaseSystemUser } from './db/embedded/account.ts'
import { resolveDataDir } from './db/embedded/data-dir.ts'
import { findOrphanPostmaster } from './db/embedded/postmaster.ts'
import { roleConnections } from './db/embedded/roles.ts'
import { startEmbeddedPostgres } from './db/embedded/start.ts'
import { requireMasterKey, assertSameMasterKey } from './db/master-key.ts'

// npm run verify-log: checks that every log is as it was written, also while the server runs.

type Reached = { app: pg.ClientConfig; dataDir: string; leave: () => Promise<void> }

const quiet: Log = { info: () => undefined, warn: () => undefined, error: (text) => process.stderr.write(`${text}\n`) }

/** The running PostgreSQL of the data directory, or one that is started for this and stopped again. */
const reachEmbedded = async ({ dataDir: wanted, dataDirGiven }: Config): Promise<Reached> => {
  const dataDir = resolveDataDir({
    dataDir: wanted,
    given: dataDirGiven,
    checkout: repoRoot,
    account: databaseSystemUser(),
  })
  const running = findOrphanPostmaster(join(dataDir, 'pg'))
  if (running) return { app: roleConnections(running.socketFolder).app, dataDir, leave: async () => undefined }
  if (!existsSync(join(dataDir, 'pg'))) {
    throw new StartupError(`There is no database in ${dataDir}: TOCSIN_DATA names the folder whose logs shall be read.`)
  }
  const embedded = await startEmbeddedPostgres({ dataDir, dataDirGiven, checkout: repoRoot, log: quiet })
  return { app: embedded.app, dataDir: embedded.dataDir, leave: embedded.stop }
}

const reach = async (config: Config): Promise<Reached> =>
  config.databaseUrl
    ? { app: { connectionString: config.databaseUrl }, dataDir: config.dataDir, leave: async () => undefined }
    : reachEmbedded(config)

const reasons: Record<ChainBreak['reason'], string> = {
  MISSING: 'an entry is missing',
  PREVIOUS: 'it does not follow from the entry before',
  CONTENT: 'its content was changed',
  HEAD: 'the record does not end where its log ends',
  STATE: 'the state of the record was changed without an entry',
}

const sealReasons: Record<BrokenSeal['reason'], string> = {
  SEAL_MISSING: 'the seal is missing',
  PREVIOUS: 'it does not follow from the seal before',
  SEAL: 'the seal was changed',
  ROW_MISSING: 'the row is missing',
  ROW: 'the row was changed',
  UNSEALED: 'the row is in no seal and does not wait for one',
  TIME: 'it is dated later than now, or before the seal or a row that came first: a clock was wrong, or it is made up',
}

const verifyAudit = async (db: Db, key: Buffer): Promise<number> => {
  const { seals, rows, head, aged, broken } = await verifySeals(db, retentionKey(key))
  if (broken) {
    const where = [broken.seal && `seal ${broken.seal}`, broken.row && `row ${broken.row}`].filter(Boolean).join(', ')
    process.stdout.write(`Broken: audit, ${where}: ${sealReasons[broken.reason]}.\n`)
    return 1
  }
  const since = aged ? `, older ones went by age, the last sealed at ${aged.toISOString()}` : ''
  process.stdout.write(`The audit is whole: ${rows} rows in ${seals} seals${since}${head && `, head ${head}`}.\n`)
  return 0
}

const HOUR_SEC = 3600

const verify = async (): Promise<number> => {
  const config = readConfig(process.env)
  const { app, dataDir, leave } = await reach(config)
  const pool = openPool({ ...app, max: 1 }, HOUR_SEC)
  try {
    const db = openDb(pool)
    const { records, broken } = await verifyLog(db)
    if (broken) {
      process.stdout.write(`Broken: record ${broken.record}, entry ${broken.no}: ${reasons[broken.reason]}.\n`)
      return 1
    }
    process.stdout.write(`The logs of ${records} records are whole.\n`)
    const key = requireMasterKey(config.masterKey, dataDir)
    await assertSameMasterKey(pool, key)
    return await verifyAudit(db, key)
  } finally {
    await pool.end()
    await leave()
  }
}

try {
  process.exitCode = await verify()
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
