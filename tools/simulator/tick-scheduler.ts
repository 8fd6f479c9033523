export type Task = { cancel(): void }

/** Timers of thousands of devices on one interval, grouped by tick. Times are monotonic ms. */
export type TickScheduler = {
  now(): number
  after(ms: number, run: () => void): Task
  every(ms: number, run: () => void): Task
  stop(): void
}

export type ManualTickScheduler = TickScheduler & { advance(ms: number): void }

type Entry = { run: () => void; repeatMs: number | null; tick: number; cancelled: boolean }
type Calendar = Map<number, Set<Entry>>

const calendarOf = (tickMs: number) => {
  const calendar: Calendar = new Map()
  let tick = 0

  const put = (entry: Entry, ms: number): void => {
    // Never the current tick: a task that schedules itself at 0 ms must not block the loop.
    entry.tick = tick + Math.max(1, Math.ceil(ms / tickMs))
    const due = calendar.get(entry.tick) ?? new Set()
    calendar.set(entry.tick, due.add(entry))
  }
  const plan = (ms: number, run: () => void, repeatMs: number | null): Task => {
    const entry: Entry = { run, repeatMs, tick: 0, cancelled: false }
    put(entry, ms)
    return {
      cancel: () => {
        entry.cancelled = true
        const due = calendar.get(entry.tick)
        due?.delete(entry)
        if (due?.size === 0) calendar.delete(entry.tick)
      },
    }
  }
  const runDue = (): void => {
    const due = calendar.get(tick)
    calendar.delete(tick)
    for (const entry of due ?? []) {
      if (entry.cancelled) continue
      entry.run()
      if (entry.repeatMs !== null && !entry.cancelled) put(entry, entry.repeatMs)
    }
  }
  return {
    plan,
    clear: () => calendar.clear(),
    /** The time up to which tasks were run, in ms. */
    at: () => tick * tickMs,
    /** Runs `most` ticks at most. @returns whether it is still behind `ms` */
    turnTo: (ms: number, { most = Infinity, onTick }: { most?: number; onTick?: (atMs: number) => void } = {}) => {
      const target = Math.floor(ms / tickMs)
      const end = Math.min(target, tick + most)
      while (tick < end) {
        tick += 1
        onTick?.(tick * tickMs)
        runDue()
      }
      return tick < target
    },
  }
}

const TICKS_AT_ONCE = 5

/** The real scheduler: driven by one interval, which keeps the process alive until `stop`. */
export const startTickScheduler = (tickMs = 20): TickScheduler => {
  const begin = performance.now()
  const { plan, clear, at, turnTo } = calendarOf(tickMs)
  const now = () => performance.now() - begin
  // A machine that is behind must still receive the answers: they end the repeats that keep it behind.
  let later: NodeJS.Immediate | undefined
  const turn = () => {
    const behind = turnTo(now(), { most: TICKS_AT_ONCE })
    later = behind ? setImmediate(turn) : undefined
  }
  const interval = setInterval(() => later ?? turn(), tickMs)
  return {
    now,
    // From now, not from the position of a calendar that is behind: otherwise the catch-up would skip the delay.
    after: (ms, run) => plan(now() - at() + ms, run, null),
    every: (ms, run) => plan(ms, run, ms),
    stop: () => {
      clearInterval(interval)
      clearImmediate(later)
      clear()
    },
  }
}

/** For tests: time changes only when `advance` is called. */
export const createManualTickScheduler = (tickMs = 10): ManualTickScheduler => {
  const { plan, clear, turnTo } = calendarOf(tickMs)
  let now = 0
  return {
    now: () => now,
    after: (ms, run) => plan(ms, run, null),
    every: (ms, run) => plan(ms, run, ms),
    stop: clear,
    advance: (ms) => {
      const target = now + ms
      turnTo(target, {
        onTick: (atMs) => {
          now = atMs
        },
      })
      now = target
    },
  }
}
