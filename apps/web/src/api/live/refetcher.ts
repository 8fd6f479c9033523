/** A read that takes longer does not delay others: later requests are read in its place. */
const LONGEST_MS = 8_000

/** Until it is done, at most this long. @returns whether it was done. */
const within = (ms: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<boolean>((late) => (timer = setTimeout(() => late(false), ms)))
  return Promise.race([work.then(() => true), over]).finally(() => clearTimeout(timer))
}

/**
 * Refetches by resource: one read at a time each, and always one that began after the last request. Otherwise a burst
 * of events would cancel every read by the next, and the page would never show anything.
 */
export const createRefetcher = (reread: (resource: string) => Promise<unknown>) => {
  const running = new Set<string>()
  const again = new Set<string>()
  return async (resource: string): Promise<void> => {
    if (running.has(resource)) {
      again.add(resource)
      return
    }
    running.add(resource)
    let patience = LONGEST_MS
    try {
      do {
        again.delete(resource)
        // A slow connection needs longer, or every event would cancel its read and it would never show anything.
        if (!(await within(patience, reread(resource)))) patience *= 2
      } while (again.has(resource))
    } finally {
      running.delete(resource)
      again.delete(resource)
    }
  }
}
