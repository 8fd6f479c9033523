/** Runs the work in its turn: after what its key was given before. */
export type FairQueue = <T>(key: string | number, work: () => Promise<T>) => Promise<T>

/**
 * Works in lanes: one of a key at a time, and `concurrency` in all. What waits goes in the order in which it came, but a key
 * that has had its turn stands behind all others: one that is crowded keeps nobody waiting.
 */
export const createFairQueue = (concurrency: number): FairQueue => {
  /** Of each key that has a work, those behind it. */
  const behind = new Map<string | number, (() => void)[]>()
  const ready: (() => void)[] = []
  let running = 0
  const go = (): void => {
    while (running < concurrency) {
      const start = ready.shift()
      if (!start) return
      running += 1
      start()
    }
  }
  const ended = (key: string | number): void => {
    running -= 1
    const next = behind.get(key)?.shift()
    if (next) ready.push(next)
    else behind.delete(key)
    go()
  }
  return (key, work) =>
    new Promise((resolve, reject) => {
      const start = () =>
        void work()
          .then(resolve, reject)
          .finally(() => ended(key))
      const line = behind.get(key)
      if (line) line.push(start)
      else {
        behind.set(key, [])
        ready.push(start)
        go()
      }
    })
}
