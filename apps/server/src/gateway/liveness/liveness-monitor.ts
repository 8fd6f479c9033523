import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#config'
import type { Db } from '#db/db'
import { collapseOutages, settleOutages } from './collapse-outages.ts'
import { findOutdatedDevices } from './connectivity-sql.ts'
import type { NodePresence } from './node-presence.ts'
import { updateConnectivityBatch } from './update-connectivity-batch.ts'
import { updateConnectivity } from './update-connectivity.ts'

/** Only one node sweeps at a time. The halves of the key stand for this product and for this lock. */
const LOCK = [0x746f6373, 2] as const
export const SWEEP_MS = 5000
const BEAT_MS = 3000
const SWEEP_MOST = 2000
const RECONCILE_EVERY = 12
const LANES = 2

export type LivenessMonitor = {
  /** Re-evaluates devices that sent a message and are not ONLINE. */
  reevaluate: (deviceIds: readonly number[]) => void
  /** Re-evaluates every device that is due. @returns how many changed. */
  sweep: (most?: number) => Promise<number>
  stop: () => Promise<void>
}

export type LivenessMonitorOptions = {
  db: Db
  log: Log
  presence: NodePresence
  /** Whether alarms wait. Liveness then waits behind them (trust 6.16). */
  busy?: () => boolean
  everyMs?: number
}

const BUSY_MS = 50
const BUSY_MOST = 100
const BATCH = 200

const behindAlarms = async (busy: () => boolean) => {
  for (let waits = 0; busy() && waits < BUSY_MOST; waits += 1) await pause(BUSY_MS)
}

const batches = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, n) => ids.slice(n * BATCH, (n + 1) * BATCH))

/** Updates devices whose change raises signals, each in its own transaction, so that one failure stops no other. */
const updateEach = async (
  db: Db,
  ids: readonly number[],
  attempt: (work: () => Promise<number>) => Promise<number>,
) => {
  const queue = ids.values()
  const lane = async () => {
    let changed = 0
    for (const id of queue) changed += await attempt(async () => ((await updateConnectivity(db, id)) ? 1 : 0))
    return changed
  }
  const changed = await Promise.all(Array.from({ length: LANES }, lane))
  return changed.reduce((sum, item) => sum + item, 0)
}

const updateAll = async (options: LivenessMonitorOptions, deviceIds: readonly number[]): Promise<number> => {
  const { db, log, presence, busy = () => false } = options
  const attempt = async (work: () => Promise<number>) => {
    await behindAlarms(busy)
    try {
      // A process that was suspended must first report that it did not listen.
      await presence.heartbeatIfStale()
      return await work()
    } catch (error) {
      log.warn(`connectivity could not be updated: ${String(error)}`)
      return 0
    }
  }
  let rest: readonly number[] = deviceIds
  let changed = 0
  await attempt(async () => {
    const collapsed = await collapseOutages(db, deviceIds)
    changed += collapsed.changed
    rest = collapsed.rest
    return 0
  })
  for (const batch of batches(rest)) {
    const done = new Set<number>()
    changed += await attempt(async () => {
      for (const id of await updateConnectivityBatch(db, batch)) done.add(id)
      return done.size
    })
    const single = batch.filter((id) => !done.has(id))
    changed += await updateEach(db, single, attempt)
  }
  return changed
}

const findUnderLock = (db: Db, most: number): Promise<number[]> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK[0]}, ${LOCK[1]}) as mine`.execute(trx)
    return rows[0]?.mine ? findOutdatedDevices(trx, most) : []
  })

/** Derives connectivity: devices that are due every 5 s, all devices every 60 s (domain 2.7). */
export const startLivenessMonitor = (options: LivenessMonitorOptions): LivenessMonitor => {
  const { db, log, presence, everyMs = SWEEP_MS } = options
  const waiting = new Set<number>()
  let running: Promise<unknown> | undefined
  let looking: Promise<void> | undefined
  let saying: Promise<void> | undefined
  let turns = 0

  const sweep = async (most = Number.MAX_SAFE_INTEGER): Promise<number> => {
    await presence.heartbeatIfStale()
    const changed = await updateAll(options, await findUnderLock(db, most))
    await settleOutages(db)
    return changed
  }
  const look = async () => {
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting.clear()
      await updateAll(options, ids)
    }
  }
  const turn = async () => {
    turns += 1
    try {
      await sweep(turns % RECONCILE_EVERY === 0 ? undefined : SWEEP_MOST)
    } catch (error) {
      log.warn(`connectivity waits for the database: ${String(error)}`)
    }
  }
  const say = () =>
    presence
      .heartbeat()
      .catch((error: unknown) => log.warn(`the heartbeat of this node could not be stored: ${String(error)}`))
  void say()
  const pulse = setInterval(() => {
    saying ??= say().finally(() => (saying = undefined))
  }, BEAT_MS)
  const timer = setInterval(() => {
    running ??= turn().finally(() => (running = undefined))
  }, everyMs)
  return {
    reevaluate: (deviceIds) => {
      for (const id of deviceIds) waiting.add(id)
      looking ??= look().finally(() => (looking = undefined))
    },
    sweep,
    stop: async () => {
      clearInterval(timer)
      clearInterval(pulse)
      waiting.clear()
      await Promise.all([running, looking, saying])
      await presence.leave()
    },
  }
}
