import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#config'
import { isOutage } from '#http/errors'
import { metrics } from '#metrics'

/** More waits than this node may keep, or the same failed again and again: the device sends it once more. */
export class NotTaken extends Error {}

export type Hold = {
  /**
   * Does the work until it succeeds, or rejects with NotTaken. The same key at the same time is the same work.
   * `onTrouble` is called once, when the first attempt failed.
   */
  take: <T>(key: string, work: () => Promise<T>, onTrouble?: () => void) => Promise<T>
  held: () => number
  stop: () => void
}

const FIRST_MS = 100
const LONGEST_MS = 5000
/** For failures that are no outage: a fault of ours or of the message. */
const ATTEMPTS = 3

/** The device keeps it and sends it again; somebody must hear that the node takes no more. */
const full = (log: Log, most: number): NotTaken => {
  metrics.notTaken.inc()
  log.warn(`${most} messages of devices wait for the database: further ones are not taken, the devices keep them`)
  return new NotTaken('too many messages wait for the database')
}

/** Keeps alarms and events through trouble of the database: no receipt before the commit, no socket dropped (X05). */
export const makeHold = ({ most = 2000, log }: { most?: number; log: Log }): Hold => {
  const works = new Map<string, Promise<unknown>>()
  const stopping = new AbortController()

  const persist = async <T>(work: () => Promise<T>, onTrouble: () => void): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (tries === 1) onTrouble()
        if (!isOutage(error) && tries >= ATTEMPTS) {
          log.error(`a message could not be taken in: ${error instanceof Error ? error.stack : String(error)}`)
          throw new NotTaken('the message could not be taken in')
        }
        const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 10))
        await pause(wait * (0.5 + Math.random() / 2), undefined, { signal: stopping.signal }).catch(() => {
          throw new NotTaken('the server stops')
        })
      }
    }
  }
  const begin = <T>(key: string, work: () => Promise<T>, onTrouble: () => void): Promise<T> => {
    const done = persist(work, onTrouble).finally(() => {
      works.delete(key)
      metrics.held.set(works.size)
    })
    works.set(key, done)
    metrics.held.set(works.size)
    return done
  }
  return {
    take: <T>(key: string, work: () => Promise<T>, onTrouble = () => {}) => {
      // One key is one message, so its work answers alike.
      const running = works.get(key) as Promise<T> | undefined
      if (running) {
        onTrouble()
        return running
      }
      if (works.size >= most) return Promise.reject(full(log, most))
      return begin(key, work, onTrouble)
    },
    held: () => works.size,
    stop: () => stopping.abort(),
  }
}
