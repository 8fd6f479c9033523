import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../config.ts'
import { type Account, toSpawnUser } from './account.ts'
import type { Binaries } from './binaries.ts'

/** Everything an embedded PostgreSQL has on disk. `durable: false` is for tests only. */
export type Cluster = {
  folder: string
  logFile: string
  binaries: Binaries
  account: Account | undefined
  durable: boolean
}

/** Clears the environment, so that locale, PGDATA and PGOPTIONS of the caller do not reach PostgreSQL. */
export const cleanEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

const initialise = ({ folder, binaries, account, durable }: Cluster) => {
  // initdb writes to a temporary name, so that a run that was killed half-way is never taken for a database.
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  const options = ['--data-checksums', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const made = spawnSync(
    binaries.initdb,
    [...options, '-E', 'UTF8', '-U', 'postgres', '--auth=trust', '-D', fresh, ...(durable ? [] : ['--no-sync'])],
    { cwd: '/', env: cleanEnvironment, encoding: 'utf8', ...toSpawnUser(account) },
  )
  if (made.status !== 0) {
    throw new StartupError(`initdb failed: ${made.error?.message ?? made.stderr.trim()}`)
  }
  renameSync(fresh, folder)
}

// Trust authentication, because the socket folder is 0700: a user who can open the socket can also read the data files
// and the master key, so a password stored beside them would protect nothing. TCP is impossible: there is no listen
// address and no rule.
const access = 'local all all trust\n'

const settings = (durable: boolean) => `
listen_addresses = ''
port = 5432
max_connections = 200
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] %d '
client_connection_check_interval = '1s'
jit = off
fsync = ${durable ? 'on' : 'off'}
full_page_writes = ${durable ? 'on' : 'off'}
synchronous_commit = on
`

const write = (cluster: Cluster, name: string, text: string) => {
  const path = join(cluster.folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  if (cluster.account) chownSync(path, cluster.account.uid, cluster.account.gid)
}

/** Creates the cluster if it does not exist, and applies our settings at every start. */
export const prepareCluster = (cluster: Cluster) => {
  if (!existsSync(cluster.folder)) initialise(cluster)
  const found = readFileSync(join(cluster.folder, 'PG_VERSION'), 'utf8').trim()
  if (found !== cluster.binaries.major) {
    throw new StartupError(
      `The database in ${cluster.folder} was written by PostgreSQL ${found}; this release brings ${cluster.binaries.major}.`,
    )
  }
  const main = readFileSync(join(cluster.folder, 'postgresql.conf'), 'utf8')
  const include = "include = 'tocsin.conf'"
  write(cluster, 'tocsin.conf', settings(cluster.durable))
  if (!main.includes(include)) write(cluster, 'postgresql.conf', `${main}\n${include}\n`)
  write(cluster, 'pg_hba.conf', access)
}
