/** Timers that a hidden tab does not slow down. `{name, ms}` sets one anew, `ms: null` ends it; its name comes back. */
export type Alarm = { name: string; ms: number | null }

const timers = new Map<string, ReturnType<typeof setTimeout>>()

self.addEventListener('message', ({ data }: MessageEvent<Alarm>) => {
  clearTimeout(timers.get(data.name))
  if (data.ms !== null)
    timers.set(
      data.name,
      setTimeout(() => self.postMessage(data.name), data.ms),
    )
})
