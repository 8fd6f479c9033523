import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../config.ts'
import { databaseSystemUser } from './account.ts'
import { findBinaries } from './binaries.ts'
import { type Cluster, prepareCluster } from './cluster.ts'
import { lockDataDir, resolveDataDir } from './data-dir.ts'
import {
  dropSocketFolder,
  findOrphanPostmaster,
  startPostmaster,
  makeSocketFolder,
  type Postmaster,
  isPostmasterOf,
  runsProgram,
  stopPostmaster,
} from './postmaster.ts'
import { type Connection, probe } from './probe.ts'
import { roleConnections, createRoles } from './roles.ts'
import { UNRESPONSIVE_MS, type SupervisedDatabase, superviseDatabase } from './watchdog.ts'

export type EmbeddedPostgresOptions = {
  /** An absolute path. */
  dataDir: string
  /** Whether the operator configured it. Only a default may move to /var/lib/tocsin. */
  dataDirGiven: boolean
  checkout: string
  log: Log
  /** False only in tests: no fsync. */
  durable?: boolean
  /** Lower only in tests. */
  silenceMs?: number
}

export type EmbeddedPostgres = {
  /** The real location of the data: the default may have moved. */
  dataDir: string
  owner: Connection
  app: Connection
  read: Connection
  superuser: Connection
  pid: () => number
  /** Called when PostgreSQL answers again after it ended by itself. All earlier connections are dead. */
  onRestart: (listener: () => void) => void
  /** Stops PostgreSQL and releases the data directory. The server does this last. */
  stop: () => Promise<void>
}

const adopt = async (cluster: Cluster, log: Log): Promise<Postmaster | undefined> => {
  for (;;) {
    const orphan = findOrphanPostmaster(cluster.folder)
    if (!orphan) return undefined
    const answer = await probe(orphan.socketFolder)
    if (answer === 'ready' && runsProgram(orphan.pid, cluster.binaries.postgres)) {
      log.info(`PostgreSQL ${orphan.pid} of an earlier server is alive and was adopted`)
      return orphan
    }
    // It is recovering or shutting down.
    if (answer === 'busy') await pause(100)
    // Its socket was removed, so nobody can reach it again, or an update replaced its program.
    else await stopPostmaster(orphan.pid, cluster.folder)
  }
}

const bringUp = async (cluster: Cluster, log: Log): Promise<Postmaster> => {
  const orphan = await adopt(cluster, log)
  if (orphan) return orphan
  prepareCluster(cluster)
  return startPostmaster(cluster, makeSocketFolder(cluster))
}

const supervised = (watched: SupervisedDatabase, end: () => Promise<void>) => ({
  ...roleConnections(watched.postmaster.socketFolder),
  pid: () => watched.postmaster.pid,
  onRestart: (listener: () => void) => void watched.restarted.add(listener),
  stop: end,
})

/**
 * Starts or adopts the PostgreSQL of a data directory and keeps it running until `stop`.
 * @throws StartupError when another server has locked the directory.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { checkout, log, durable = true, silenceMs = UNRESPONSIVE_MS } = options
  const account = databaseSystemUser()
  const dataDir = resolveDataDir({ dataDir: options.dataDir, given: options.dataDirGiven, checkout, account })
  const held = await lockDataDir(dataDir)
  try {
    const binaries = findBinaries(account, dataDir)
    const logFile = join(dataDir, 'postgresql.log')
    const cluster: Cluster = { folder: join(dataDir, 'pg'), logFile, binaries, account, durable }
    const postmaster = await bringUp(cluster, log)
    await createRoles(postmaster.socketFolder).catch(async (error: unknown) => {
      await stopPostmaster(postmaster.pid, cluster.folder)
      throw error
    })
    const ending = new AbortController()
    const watched: SupervisedDatabase = {
      cluster,
      log,
      postmaster,
      restarted: new Set(),
      signal: ending.signal,
      silenceMs,
    }
    const watching = superviseDatabase(watched)
    const end = async () => {
      ending.abort()
      await watching
      const { pid, socketFolder } = watched.postmaster
      if (isPostmasterOf(pid, cluster.folder)) await stopPostmaster(pid, cluster.folder)
      dropSocketFolder(socketFolder)
      await held.release()
    }
    return { dataDir, ...supervised(watched, end) }
  } catch (error) {
    await held.release()
    throw error
  }
}
