const TICK_MS = 50

export type ConnectionThrottle = {
  /** Runs the call now or later in its order; false when too many wait already. */
  admit: (run: () => void) => boolean
  stop: () => void
}

/** Limits connections a second and queues the rest in order, so that a reconnect storm does not stall alarms (X23). */
export const createConnectionThrottle = (perSecond: number, waiting: number): ConnectionThrottle => {
  const each = Math.max(1, Math.round((perSecond * TICK_MS) / 1000))
  const queue: (() => void)[] = []
  let budget = each
  let timer: NodeJS.Timeout | undefined

  const tick = () => {
    budget = each
    for (const run of queue.splice(0, each)) {
      budget -= 1
      run()
    }
    if (budget === each) {
      clearInterval(timer)
      timer = undefined
    }
  }
  return {
    admit: (run) => {
      timer ??= setInterval(tick, TICK_MS)
      if (budget > 0) {
        budget -= 1
        run()
        return true
      }
      if (queue.length >= waiting) return false
      queue.push(run)
      return true
    },
    stop: () => {
      clearInterval(timer)
      queue.length = 0
    },
  }
}
