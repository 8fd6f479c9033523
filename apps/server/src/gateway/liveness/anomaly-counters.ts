import { randomUUID } from 'node:crypto'
import type { Log } from '#config'
import { ingestServerSignal } from '#areas/alarm/ingest'
import type { Db } from '#db/db'

/** Counts repeated events of a device, and raises them as trouble of the device at most twice a minute. */
type AnomalyCounter = {
  note: (deviceId: number) => void
  /** Raises the present counts. */
  check: () => Promise<void>
  stop: () => Promise<void>
}
type AnomalyCounterOptions = {
  db: Db
  log: Log
  code: 'MESSAGES_DROPPED' | 'TAKEN_OVER'
  /** A smaller count is carried over to the next check, and dropped there. */
  minCount?: number
}

const EVERY_MS = 30_000
const MOST_ID = 40

const createAnomalyCounter = ({ db, log, code, minCount: least = 1 }: AnomalyCounterOptions): AnomalyCounter => {
  const counted = new Map<number, number>()
  /** Counts that were too small at the last check. */
  let before = new Map<number, number>()
  const add = (deviceId: number, count: number) => void counted.set(deviceId, (counted.get(deviceId) ?? 0) + count)
  const raise = async (deviceId: number, count: number) => {
    try {
      const eventId = `${code}-${randomUUID()}`.slice(0, MOST_ID)
      await ingestServerSignal(db, { deviceId, code, eventId, detail: { count } })
    } catch (error) {
      add(deviceId, count)
      log.warn(`${code} of a device could not be stored: ${String(error)}`)
    }
  }
  let running = Promise.resolve()
  const check = () => {
    running = running.then(async () => {
      const [found, carried] = [[...counted], before]
      counted.clear()
      before = new Map()
      for (const [deviceId, count] of found) {
        const all = count + (carried.get(deviceId) ?? 0)
        if (all < least) before.set(deviceId, count)
        else await raise(deviceId, all)
      }
    })
    return running
  }
  const timer = setInterval(() => void check(), EVERY_MS)
  return {
    note: (deviceId) => add(deviceId, 1),
    check,
    stop: async () => {
      clearInterval(timer)
      await check()
    },
  }
}

/** Counts messages dropped by rate limits. */
export type DroppedMessageCounter = { countDropped: AnomalyCounter['note'] } & Omit<AnomalyCounter, 'note'>
export const createDroppedMessageCounter = (given: Omit<AnomalyCounterOptions, 'code'>): DroppedMessageCounter => {
  const { note, ...rest } = createAnomalyCounter({ ...given, code: 'MESSAGES_DROPPED' })
  return { countDropped: note, ...rest }
}

/**
 * Counts connections that end another one of the same device, which means that two devices know one secret (domain 3.1).
 * A single case is harmless: the device returned before the server noticed that its old link had broken.
 */
export type TakeoverCounter = { countTakeover: AnomalyCounter['note'] } & Omit<AnomalyCounter, 'note'>
export const createTakeoverCounter = (given: Omit<AnomalyCounterOptions, 'code'>): TakeoverCounter => {
  const { note, ...rest } = createAnomalyCounter({ ...given, code: 'TAKEN_OVER', minCount: 2 })
  return { countTakeover: note, ...rest }
}
