/** Runs the work in its turn: after what its lane was given before. */
export type Turns = <T>(lane: string | number, work: () => Promise<T>) => Promise<T>

/**
 * Works in lanes: one of a lane at a time, and `atOnce` in all. What waits goes in the order in which it came, but a lane
 * that has had its turn stands behind all others: one that is crowded keeps nobody waiting.
 */
export const makeTurns = (atOnce: number): Turns => {
  /** Of each lane that has a work, those behind it. */
  const behind = new Map<string | number, (() => void)[]>()
  const ready: (() => void)[] = []
  let running = 0
  const go = (): void => {
    while (running < atOnce) {
      const start = ready.shift()
      if (!start) return
      running += 1
      start()
    }
  }
  const ended = (lane: string | number): void => {
    running -= 1
    const next = behind.get(lane)?.shift()
    if (next) ready.push(next)
    else behind.delete(lane)
    go()
  }
  return (lane, work) =>
    new Promise((resolve, reject) => {
      const start = () =>
        void work()
          .then(resolve, reject)
          .finally(() => ended(lane))
      const line = behind.get(lane)
      if (line) line.push(start)
      else {
        behind.set(lane, [])
        ready.push(start)
        go()
      }
    })
}
