import { sql } from 'kysely'
import type { Log } from '#config'
import type { Db } from '#db/db'
import { findDue, settle } from './derive.ts'
import type { Presence } from './presence.ts'

/** Of all nodes one looks at a time; the halves of the key are this product's and this lock's. */
const LOCK = [0x746f6373, 2] as const
const SWEEP_MS = 5000
const BEAT_MS = 3000
const SWEEP_MOST = 500
const RECONCILE_EVERY = 12
const LANES = 2

export type Watch = {
  /** Devices that spoke and are not ONLINE: judged now. */
  look: (deviceIds: readonly number[]) => void
  /** Judges every device that is due. @returns how many changed. */
  sweep: (most?: number) => Promise<number>
  stop: () => Promise<void>
}

export type WatchOptions = { db: Db; log: Log; presence: Presence; everyMs?: number }

/** One after another in two lanes, each its own transaction: one that fails keeps no other from being judged. */
const settleAll = async ({ db, log, presence }: WatchOptions, deviceIds: readonly number[]): Promise<number> => {
  const queue = deviceIds.values()
  let changed = 0
  const lane = async () => {
    for (const deviceId of queue)
      try {
        // A process that was stopped must not judge before it has said that it heard nothing.
        await presence.heed()
        if (await settle(db, deviceId)) changed += 1
      } catch (error) {
        log.warn(`the connectivity of device ${deviceId} could not be judged: ${String(error)}`)
      }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return changed
}

const findUnderLock = (db: Db, most: number): Promise<number[]> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK[0]}, ${LOCK[1]}) as mine`.execute(trx)
    return rows[0]?.mine ? findDue(trx, most) : []
  })

/** Derives connectivity: a quick sweep of what is due every 5 s, all without a limit every 60 s (domain 2.7). */
export const startWatch = (options: WatchOptions): Watch => {
  const { db, log, presence, everyMs = SWEEP_MS } = options
  const waiting = new Set<number>()
  let running: Promise<unknown> | undefined
  let looking: Promise<void> | undefined
  let saying: Promise<void> | undefined
  let turns = 0

  const sweep = async (most = Number.MAX_SAFE_INTEGER): Promise<number> => {
    await presence.heed()
    return settleAll(options, await findUnderLock(db, most))
  }
  const look = async () => {
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting.clear()
      await settleAll(options, ids)
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
    presence.beat().catch((error: unknown) => log.warn(`this node could not say that it lives: ${String(error)}`))
  void say()
  const pulse = setInterval(() => {
    saying ??= say().finally(() => (saying = undefined))
  }, BEAT_MS)
  const timer = setInterval(() => {
    running ??= turn().finally(() => (running = undefined))
  }, everyMs)
  return {
    look: (deviceIds) => {
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
