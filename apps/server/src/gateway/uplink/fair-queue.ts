type Lane = string | number

export type FairQueue = {
  /** Starts the work after the earlier works of its lane. The promise must not reject. */
  add: (lane: Lane, work: () => Promise<void>) => void
  /** Age in ms of the oldest unfinished work of the lane; 0 when the lane is empty. */
  oldestMs: (lane: Lane) => number
}

type Entry = { lane: Lane; since: number; work: () => Promise<void> }

/** A waiting lane gets at least every fourth place, so that new lanes cannot hold it up for ever. */
const PLACES = 4

/**
 * Runs one work of a lane at a time, and `concurrency` works in all. A lane that was empty goes first: the first press of
 * one device must not wait for the repeats of another. After its turn a lane stands behind all others.
 */
export const createFairQueue = (concurrency: number): FairQueue => {
  /** The unfinished works of each lane. The first one runs or is next. */
  const lanes = new Map<Lane, Entry[]>()
  const fresh: Entry[] = []
  const waiting: Entry[] = []
  let running = 0
  let started = 0
  const takeNext = (): Entry | undefined => {
    started += 1
    const isTurnOfWaiting = started % PLACES === 0
    return isTurnOfWaiting ? (waiting.shift() ?? fresh.shift()) : (fresh.shift() ?? waiting.shift())
  }
  const finish = (lane: Lane): void => {
    running -= 1
    const entries = lanes.get(lane)
    entries?.shift()
    const next = entries?.[0]
    if (next) waiting.push(next)
    else lanes.delete(lane)
    startNext()
  }
  const startNext = (): void => {
    while (running < concurrency) {
      const next = takeNext()
      if (!next) return
      running += 1
      void next.work().finally(() => finish(next.lane))
    }
  }
  return {
    add: (lane, work) => {
      const entry = { lane, since: performance.now(), work }
      const entries = lanes.get(lane)
      if (entries) return void entries.push(entry)
      lanes.set(lane, [entry])
      fresh.push(entry)
      startNext()
    },
    oldestMs: (lane) => {
      const oldest = lanes.get(lane)?.[0]
      return oldest ? performance.now() - oldest.since : 0
    },
  }
}
