import { randomUUID } from 'node:crypto'
import type { Log } from '#config'
import { signalFromServer } from '#areas/alarm/ingest'
import type { Db } from '#db/db'

/** What happens to a device again and again: counted, and shown as trouble of the device twice a minute at most. */
type Counts = {
  note: (deviceId: number) => void
  /** Raises what was counted until now. */
  check: () => Promise<void>
  stop: () => Promise<void>
}
type Given = {
  db: Db
  log: Log
  code: 'MESSAGES_DROPPED' | 'TAKEN_OVER'
  /** What happened less often is counted on to the next look, and forgotten there. */
  least?: number
}

const EVERY_MS = 30_000
const MOST_ID = 40

const makeCounts = ({ db, log, code, least = 1 }: Given): Counts => {
  const counted = new Map<number, number>()
  /** Too few at the last look. */
  let before = new Map<number, number>()
  const add = (deviceId: number, count: number) => void counted.set(deviceId, (counted.get(deviceId) ?? 0) + count)
  const raise = async (deviceId: number, count: number) => {
    try {
      const eventId = `${code}-${randomUUID()}`.slice(0, MOST_ID)
      await signalFromServer(db, { deviceId, code, eventId, detail: { count } })
    } catch (error) {
      add(deviceId, count)
      log.warn(`${code} of a device could not be noted: ${String(error)}`)
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

/** Devices that say more than they may. */
export type Floods = { dropped: Counts['note'] } & Omit<Counts, 'note'>
export const makeFloods = (given: Omit<Given, 'code'>): Floods => {
  const { note, ...rest } = makeCounts({ ...given, code: 'MESSAGES_DROPPED' })
  return { dropped: note, ...rest }
}

/**
 * Devices whose connections end each other, so that two know one secret (domain 3.1). Once alone it is a device that came
 * back before its old link was given up, as a whole school does whose network was cut.
 */
export type Takeovers = { happened: Counts['note'] } & Omit<Counts, 'note'>
export const makeTakeovers = (given: Omit<Given, 'code'>): Takeovers => {
  const { note, ...rest } = makeCounts({ ...given, code: 'TAKEN_OVER', least: 2 })
  return { happened: note, ...rest }
}
