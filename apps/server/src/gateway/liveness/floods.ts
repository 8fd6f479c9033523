import { randomUUID } from 'node:crypto'
import type { Log } from '#config'
import { signalFromServer } from '#areas/alarm/ingest'
import type { Db } from '#db/db'

/** Devices that say more than they may: what was dropped of each is shown as trouble of the device. */
export type Floods = {
  dropped: (deviceId: number) => void
  /** Raises what was dropped until now. */
  check: () => Promise<void>
  stop: () => Promise<void>
}

const EVERY_MS = 30_000

export const makeFloods = ({ db, log }: { db: Db; log: Log }): Floods => {
  const dropped = new Map<number, number>()
  const raise = async (deviceId: number, count: number) => {
    try {
      await signalFromServer(db, {
        deviceId,
        code: 'MESSAGES_DROPPED',
        eventId: `DROPPED-${randomUUID().slice(0, 23)}`,
        detail: { count },
      })
    } catch (error) {
      dropped.set(deviceId, (dropped.get(deviceId) ?? 0) + count)
      log.warn(`what a device said too much of could not be noted: ${String(error)}`)
    }
  }
  let running = Promise.resolve()
  const check = () => {
    running = running.then(async () => {
      const found = [...dropped]
      dropped.clear()
      for (const [deviceId, count] of found) await raise(deviceId, count)
    })
    return running
  }
  const timer = setInterval(() => void check(), EVERY_MS)
  return {
    dropped: (deviceId) => void dropped.set(deviceId, (dropped.get(deviceId) ?? 0) + 1),
    check,
    stop: async () => {
      clearInterval(timer)
      await check()
    },
  }
}
