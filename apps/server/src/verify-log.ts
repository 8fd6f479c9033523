import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type PackBreak, verifyPack } from './areas/alarm/evidence/verify-pack.ts'
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
// With --pack FILE it checks an evidence pack, without a database.

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

const packReasons: Record<Exclude<PackBreak['reason'], ChainBreak['reason'] | 'SEAL' | 'ROW'>, string> = {
  UNREADABLE: 'it cannot be read',
  FILE_MISSING: 'the file is missing',
  FILE_EXTRA: 'the manifest does not list the file',
  FILE: 'the file was changed',
  ROW_EXTRA: 'the row does not belong there',
  ROW_MISSING: 'a row is missing',
}

const describeBreak = (found: PackBreak): string => {
  const text = { ...sealReasons, ...reasons, ...packReasons }[found.reason]
  if ('file' in found) return `${found.file}: ${text}`
  if ('entry' in found) return `timeline, entry ${found.entry}: ${text}`
  return 'row' in found ? `audit, row ${found.row}: ${text}` : `audit, seal ${found.seal}: ${text}`
}

const readPack = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch {
    throw new StartupError(`${file} cannot be read: --pack names the evidence pack to check.`)
  }
}

const verifyPackFile = (file: string): number => {
  const result = verifyPack(readPack(file))
  if ('broken' in result) {
    process.stdout.write(`Broken: ${describeBreak(result.broken)}.\n`)
    return 1
  }
  const { manifest, manifestSha256, seals, unsealed } = result
  const { record, timelineEntries, auditRows, missing, madeAt, madeBy } = manifest
  const lines = [
    `The pack of record ${record.no} agrees with its manifest: ${manifest.files.length} files, ${timelineEntries} entries of the timeline, ${auditRows} rows of the audit, ${unsealed} not sealed yet.`,
    `Made at ${madeAt} by ${madeBy.username}. SHA-256 of the manifest: ${manifestSha256}.`,
    ...seals.map(({ seq, hash }) => `Seal ${seq}: ${hash}`),
    ...missing.map(({ name }) => `Not in the pack, its content was gone: ${name}`),
    'The pack has no signature: compare the hash of the manifest with the operation log of the server.',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
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
  const [option, file] = process.argv.slice(2)
  if (option !== undefined && (option !== '--pack' || !file))
    throw new StartupError('Without options every log is checked; --pack FILE checks an evidence pack.')
  process.exitCode = file ? verifyPackFile(file) : await verify()
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
