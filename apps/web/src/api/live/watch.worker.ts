/**
 * Timers that a hidden tab does not slow down. `{name, ms}` sets one again, `ms: null` clears it; its name is posted
 * back. `slept` is posted when this computer woke up.
 */
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

const LOOK_MS = 2000
/** The time of a beat: after a longer sleep events were missed, and most timers stood still. */
const SLEPT_MS = 10_000
let looked = Date.now()
setInterval(() => {
  const now = Date.now()
  if (now - looked > SLEPT_MS) self.postMessage('slept')
  looked = now
}, LOOK_MS)
