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
        await reread(resource)
      } while (again.has(resource))
    } finally {
      running.delete(resource)
      again.delete(resource)
    }
  }
}
