/**
 * Timers that a hidden tab does not slow down. `{name, ms}` sets one anew, `ms: null` ends it; its name comes back. And
 * `slept` comes when this computer woke up.
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
/** A beat's time: whoever was away for longer cannot know what came meanwhile, and most timers stood still with him. */
const SLEPT_MS = 10_000
let looked = Date.now()
setInterval(() => {
  const now = Date.now()
  if (now - looked > SLEPT_MS) self.postMessage('slept')
  looked = now
}, LOOK_MS)
