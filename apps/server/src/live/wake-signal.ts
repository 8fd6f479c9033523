export type WakeSignal = {
  notify: () => void
  /** Waits for a ring, at most `ms`; one that came before counts. Rejects when `signal` aborts. @returns if it rang. */
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

/** Lets one loop sleep until there is work; any number of rings while it works count as one. */
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
      const heard = rung
      rung = false
      return heard
    },
  }
}
