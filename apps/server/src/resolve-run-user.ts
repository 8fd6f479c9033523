import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot, readConfig, StartupError } from './config.ts'
import { type Account, databaseSystemUser, canAccess } from './db/embedded/account.ts'
import { findBinaries } from './db/embedded/binaries.ts'
import { resolveDataDir } from './db/embedded/data-dir.ts'

// Run by tools/start.mjs as root, before the server: chooses the server's user and data folder, and prints them as
// JSON. A server that an attacker reached should not be root.

const needed = ['apps/server/src/main.ts', 'node_modules/pg/package.json', 'apps/web/dist/index.html']

const canServe = (account: Account): boolean =>
  canAccess(account, process.execPath, 'x') &&
  needed.map((path) => join(repoRoot, path)).every((path) => !existsSync(path) || canAccess(account, path, 'r'))

// Gives files that an earlier start left to root to the system user. -h changes links themselves and never follows
// them.
const handOver = (dataDir: string, { uid, gid }: Account) => {
  const key = statSync(join(dataDir, 'master.key'), { throwIfNoEntry: false })
  if (key && key.uid !== uid) spawnSync('chown', ['-R', '-h', `${uid}:${gid}`, dataDir])
}

const place = () => {
  const config = readConfig(process.env, { demo: process.argv.includes('--demo') })
  const account = databaseSystemUser()
  const dataDir = resolveDataDir({ dataDir: config.dataDir, given: config.dataDirGiven, checkout: repoRoot, account })
  if (!account) return { dataDir }
  // Now, as root, the links that npm may have left out can still be created.
  if (!config.databaseUrl) findBinaries(account, dataDir)
  if (!canServe(account)) {
    process.stderr.write(
      `\n  WARNING: the server runs as root, because the user "${account.name}" cannot read ${repoRoot}.\n` +
        '  Whoever breaks into it owns this machine. Move it where everybody can read it, like /opt/tocsin.\n\n',
    )
    return { dataDir }
  }
  handOver(dataDir, account)
  return { dataDir, uid: account.uid, gid: account.gid }
}

try {
  process.stdout.write(JSON.stringify(place()))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
