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

/** A PostgreSQL that was found or started: its process and the folder of its socket. */
export type Postmaster = { pid: number; socketFolder: string }

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Whether that process is the postmaster of this cluster, and not another one that got the same number later. */
export const isPostmasterOf = (pid: number, folder: string): boolean =>
  readText(`/proc/${pid}/cmdline`).split('\0').join(' ').includes(`-D ${folder} `)

// Lines of postmaster.pid: pid, data folder, start time, port, socket folder, listen address, shared memory, status.
const lastRecorded = (folder: string): Postmaster | undefined => {
  const lines = readText(join(folder, 'postmaster.pid')).split('\n')
  const [pid, socketFolder] = [Number(lines[0]), lines[4]]
  return pid > 0 && socketFolder ? { pid, socketFolder } : undefined
}

/** The postmaster that an earlier server left alive, if any. */
export const findOrphanPostmaster = (folder: string): Postmaster | undefined => {
  const recorded = lastRecorded(folder)
  return recorded && isPostmasterOf(recorded.pid, folder) ? recorded : undefined
}

const target = (link: string): string => {
  try {
    return readlinkSync(link)
  } catch {
    // It has ended, or belongs to somebody else; PostgreSQL's own processes are always readable to us.
    return ''
  }
}

/** Whether the process runs exactly this program file; one deleted by an update no longer counts. */
export const runsProgram = (pid: number, program: string): boolean =>
  target(`/proc/${pid}/exe`) === realpathSync(program)

const inUse = (folder: string): boolean =>
  readdirSync('/proc').some((name) => /^\d+$/.test(name) && target(`/proc/${name}/cwd`) === folder)

/**
 * Removes the lock files of a postmaster that is gone, once its last backend is gone too. PostgreSQL would refuse to
 * start when the recorded pid is a zombie or, in a fresh container, a process of ours that got the same number.
 */
const clearStale = async (folder: string, socketFolder: string) => {
  const end = performance.now() + 10_000
  while (inUse(folder)) {
    // Let PostgreSQL itself say why it cannot start.
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

/** A 0700 folder with a short random name: the path of a unix socket holds 107 bytes, and /tmp is everybody's. */
export const makeSocketFolder = (cluster: Cluster): string => {
  const before = lastRecorded(cluster.folder)?.socketFolder
  if (before && ownFolder(before, cluster.account)) return before
  const temporary = tmpdir().length < 60 && canAccess(cluster.account, tmpdir(), 'x') ? tmpdir() : '/tmp'
  const folder = mkdtempSync(join(temporary, 'tocsin-'))
  if (cluster.account) chownSync(folder, cluster.account.uid, cluster.account.gid)
  return folder
}

/** Makes it anew where it was swept away with all of /tmp: pools know no other address. */
const keepSocketFolder = (folder: string, account: Account | undefined) => {
  if (ownFolder(folder, account)) return
  mkdirSync(folder, { mode: 0o700 })
  if (account) chownSync(folder, account.uid, account.gid)
}

export const dropSocketFolder = (folder: string) => {
  try {
    rmdirSync(folder)
  } catch {
    // Something else lies in it, or it is gone already: neither concerns us.
  }
}

const spawnPostgres = (cluster: Cluster, socketFolder: string): ChildProcess => {
  const log = openSync(cluster.logFile, 'a', 0o600)
  if (cluster.account) chownSync(cluster.logFile, cluster.account.uid, cluster.account.gid)
  // Detached: a Ctrl-C at the terminal reaches the server alone, which stops PostgreSQL last.
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

/** Starts PostgreSQL and waits, however long crash recovery takes, until it answers; throws when it exits instead. */
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
    // It has ended in the meantime.
  }
}

const goneWithin = async (pid: number, folder: string, seconds: number): Promise<boolean> => {
  const end = performance.now() + seconds * 1000
  while (isPostmasterOf(pid, folder) && performance.now() < end) await pause(20)
  return !isPostmasterOf(pid, folder)
}

/** Fast shutdown; the harder ways are as safe, they only make the next start recover. */
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
