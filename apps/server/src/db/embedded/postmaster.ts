import { type ChildProcess, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '../../config.ts'
import { type Account, toSpawnUser, canAccess } from './account.ts'
import { type Cluster, cleanEnvironment } from './cluster.ts'
import { probe } from './probe.ts'

/** A running PostgreSQL: its process and its socket folder. */
export type Postmaster = { pid: number; socketFolder: string }

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Tells whether the process is the postmaster of this cluster, not another process that reused its id. */
export const isPostmasterOf = (pid: number, folder: string): boolean =>
  readText(`/proc/${pid}/cmdline`).split('\0').join(' ').includes(`-D ${folder} `)

// Lines of postmaster.pid: pid, data folder, start time, port, socket folder, listen address, shared memory, status.
const lastRecorded = (folder: string): Postmaster | undefined => {
  const lines = readText(join(folder, 'postmaster.pid')).split('\n')
  const [pid, socketFolder] = [Number(lines[0]), lines[4]]
  return pid > 0 && socketFolder ? { pid, socketFolder } : undefined
}

/** Finds a postmaster that an earlier server left running. */
export const findOrphanPostmaster = (folder: string): Postmaster | undefined => {
  const recorded = lastRecorded(folder)
  return recorded && isPostmasterOf(recorded.pid, folder) ? recorded : undefined
}

const target = (link: string): string => {
  try {
    return readlinkSync(link)
  } catch {
    // The process has ended or belongs to another user; we can always read PostgreSQL's own processes.
    return ''
  }
}

/** Tells whether the process runs exactly this program file. A file that an update deleted does not count. */
export const runsProgram = (pid: number, program: string): boolean =>
  target(`/proc/${pid}/exe`) === realpathSync(program)

const inUse = (folder: string): boolean =>
  readdirSync('/proc').some((name) => /^\d+$/.test(name) && target(`/proc/${name}/cwd`) === folder)

/**
 * Removes the lock files of a postmaster that has ended, after its last backend has ended too. PostgreSQL would refuse
 * to start if the recorded id is a zombie or, in a fresh container, one of our own processes.
 */
const clearStale = async (folder: string, socketFolder: string) => {
  const end = performance.now() + 10_000
  while (inUse(folder)) {
    // PostgreSQL itself reports why it cannot start.
    if (performance.now() > end) return
    await pause(20)
  }
  for (const file of [join(folder, 'postmaster.pid'), join(socketFolder, '.s.PGSQL.5432.lock')]) {
    rmSync(file, { force: true })
  }
}

const ownFolder = (path: string, account: Account | undefined): boolean => {
  const found = statSync(path, { throwIfNoEntry: false })
  return !!found?.isDirectory() && (found.mode & 0o777) === 0o700 && found.uid === (account?.uid ?? process.getuid?.())
}

/** Creates a 0700 folder with a short random name: a unix socket path holds 107 bytes, and /tmp is shared. */
export const makeSocketFolder = (cluster: Cluster): string => {
  const before = lastRecorded(cluster.folder)?.socketFolder
  if (before && ownFolder(before, cluster.account)) return before
  const temporary = tmpdir().length < 60 && canAccess(cluster.account, tmpdir(), 'x') ? tmpdir() : '/tmp'
  const folder = mkdtempSync(join(temporary, 'tocsin-'))
  if (cluster.account) chownSync(folder, cluster.account.uid, cluster.account.gid)
  return folder
}

/** Creates the folder again if a cleanup of /tmp removed it: pools know no other address. */
const keepSocketFolder = (folder: string, account: Account | undefined) => {
  if (ownFolder(folder, account)) return
  mkdirSync(folder, { mode: 0o700 })
  if (account) chownSync(folder, account.uid, account.gid)
}

export const dropSocketFolder = (folder: string) => {
  try {
    rmdirSync(folder)
  } catch {
    // The folder holds other files or is gone already; both are fine.
  }
}

const spawnPostgres = (cluster: Cluster, socketFolder: string): ChildProcess => {
  const log = openSync(cluster.logFile, 'a', 0o600)
  if (cluster.account) chownSync(cluster.logFile, cluster.account.uid, cluster.account.gid)
  // Detached: Ctrl-C in the terminal reaches only the server, which stops PostgreSQL last.
  const child = spawn(cluster.binaries.postgres, ['-D', cluster.folder, '-k', socketFolder], {
    cwd: '/',
    env: cleanEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
    ...toSpawnUser(cluster.account),
  })
  child.unref()
  closeSync(log)
  return child
}

const logTail = (file: string) => readText(file).trimEnd().split('\n').slice(-8).join('\n')

/** Starts PostgreSQL and waits until it answers, however long crash recovery takes. Throws if it exits instead. */
export const startPostmaster = async (cluster: Cluster, socketFolder: string): Promise<Postmaster> => {
  await clearStale(cluster.folder, socketFolder)
  keepSocketFolder(socketFolder, cluster.account)
  const child = spawnPostgres(cluster, socketFolder)
  let failure: string | undefined
  child.on('error', (error) => (failure = error.message))
  child.on('exit', () => (failure ??= logTail(cluster.logFile)))
  for (;;) {
    await pause(50)
    if (failure !== undefined) throw new StartupError(`PostgreSQL did not start: ${failure}`)
    if (child.pid && (await probe(socketFolder)) === 'ready') return { pid: child.pid, socketFolder }
  }
}

const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended in the meantime.
  }
}

const goneWithin = async (pid: number, folder: string, seconds: number): Promise<boolean> => {
  const end = performance.now() + seconds * 1000
  while (isPostmasterOf(pid, folder) && performance.now() < end) await pause(20)
  return !isPostmasterOf(pid, folder)
}

/** Fast shutdown. The harder modes are equally safe; they only make the next start recover. */
export const stopPostmaster = async (pid: number, folder: string, patience = 60) => {
  for (const [name, seconds] of [
    ['SIGINT', patience],
    ['SIGQUIT', 10],
    ['SIGKILL', 10],
  ] as const) {
    signal(pid, name)
    if (await goneWithin(pid, folder, seconds)) return
  }
}
