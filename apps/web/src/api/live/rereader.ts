/** A read that takes longer keeps nobody waiting: what was called for meanwhile is read, in its place. */
const LONGEST_MS = 8_000

/** Until it is done, at most so long. */
const within = (ms: number, work: Promise<unknown>): Promise<unknown> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((done) => (timer = setTimeout(done, ms)))
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}

/**
 * Rereads by resource: one read at a time each, and always one that began after the last call. Without this a storm of
 * events would cancel every read by the next and the page would never show anything.
 */
export const rereader = (reread: (resource: string) => Promise<unknown>) => {
  const running = new Set<string>()
  const again = new Set<string>()
  return async (resource: string): Promise<void> => {
    if (running.has(resource)) {
      again.add(resource)
      return
    }
    running.add(resource)
    try {
      do {
        again.delete(resource)
        await within(LONGEST_MS, reread(resource))
      } while (again.has(resource))
    } finally {
      running.delete(resource)
      again.delete(resource)
    }
  }
}
