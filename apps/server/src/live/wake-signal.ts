export type WakeSignal = {
  notify: () => void
  /**
   * Waits for a notification, at most `ms`; an earlier one counts. Rejects when `signal` aborts. @returns whether it
   * was notified.
   */
  wait: (ms: number, signal: AbortSignal) => Promise<boolean>
}

const waited = (ms: number, signal: AbortSignal, expect: (wake: () => void) => void) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    expect(end)
  })

/** Lets one loop sleep until there is work. Any number of notifications while it works count as one. */
export const createWakeSignal = (): WakeSignal => {
  let rung = false
  let wake = () => {}
  return {
    notify: () => {
      rung = true
      wake()
    },
    wait: async (ms, signal) => {
      signal.throwIfAborted()
      if (!rung) await waited(ms, signal, (end) => (wake = end))
      signal.throwIfAborted()
      const received = rung
      rung = false
      return received
    },
  }
}
