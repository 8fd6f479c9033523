import { copyFileSync, statSync, truncateSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../config.ts'
import type { Cluster } from './cluster.ts'
import { startPostmaster, type Postmaster, isPostmasterOf, stopPostmaster } from './postmaster.ts'
import { probe } from './probe.ts'

const period = 2000
/** A process that is alive but has not answered for this long will not recover by itself. */
export const UNRESPONSIVE_MS = 30_000
const logLimit = 20 * 1024 * 1024
const backoff = [300, 600, 1200, 2400, 5000]

export type SupervisedDatabase = {
  cluster: Cluster
  log: Log
  /** Replaced after each restart. The socket folder stays, so that pools find the new process at the old address. */
  postmaster: Postmaster
  restarted: Set<() => void>
  signal: AbortSignal
  silenceMs: number
}

// PostgreSQL appends to this file by itself, so it is truncated in place.
const keepLogSmall = (file: string) => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < logLimit) return
  copyFileSync(file, `${file}.1`)
  truncateSync(file)
}

/** Waits. Returns false if the watch was ended meanwhile. */
const waited = (ms: number, signal: AbortSignal): Promise<boolean> =>
  pause(ms, true, { signal, ref: false }).catch(() => false)

const restart = async (watched: SupervisedDatabase) => {
  const { cluster, log, signal } = watched
  for (let attempt = 0; ; attempt += 1) {
    if (!(await waited(backoff[attempt] ?? 5000, signal))) return
    try {
      watched.postmaster = await startPostmaster(cluster, watched.postmaster.socketFolder)
      log.warn('PostgreSQL was restarted after it had ended by itself')
      for (const listener of watched.restarted) listener()
      return
    } catch (error) {
      log.error(`PostgreSQL could not be restarted, trying again: ${String(error)}`)
    }
  }
}

/**
 * Checks every two seconds that the process is alive and answers a query, so an adopted process is watched too. A
 * process that is alive but has not answered for `silenceMs` is ended and replaced. Stops with the signal.
 */
export const superviseDatabase = async (watched: SupervisedDatabase) => {
  const { cluster, log, signal, silenceMs } = watched
  let lastSeenAt = performance.now()
  while (await waited(period, signal)) {
    const { pid, socketFolder } = watched.postmaster
    // A socket whose postmaster has ended may block a probe, so the process is checked first.
    const answer = isPostmasterOf(pid, cluster.folder) ? await probe(socketFolder) : 'unresponsive'
    if (signal.aborted) return
    if (answer !== 'unresponsive') lastSeenAt = performance.now()
    else if (isPostmasterOf(pid, cluster.folder)) {
      if (performance.now() - lastSeenAt < silenceMs) continue
      log.error('PostgreSQL is alive but answers nothing: ending it')
      await stopPostmaster(pid, cluster.folder, 5)
    }
    if (!isPostmasterOf(pid, cluster.folder)) {
      log.error('PostgreSQL has ended by itself')
      await restart(watched)
      lastSeenAt = performance.now()
    }
    keepLogSmall(cluster.logFile)
  }
}
