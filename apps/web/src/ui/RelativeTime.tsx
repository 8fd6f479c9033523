import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useServerClock } from '#api/server-clock.ts'
import { relativeAge, formatDateTime } from './time.ts'

const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

/** One clock for the whole page, running only while a component uses it. */
export const watchNow = (changed: () => void) => {
  watchers.add(changed)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const watcher of watchers) watcher()
  }, 1000)
  return () => {
    watchers.delete(changed)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** A tick is missing when the value is older: a browser runs the timer of a hidden tab once a minute. */
const LATE_MS = 5000

/** This computer's time as of the last tick, which is at most `LATE_MS` ago. */
export const readNow = (): number => {
  // An event that renders a hidden page reads the current time. With a limit below the time of a slow render, React would
  // render without end.
  if (Date.now() - now >= (timer === undefined ? 1000 : LATE_MS)) now = Date.now()
  return now
}

/** This computer's time in epoch milliseconds, once a second. */
export const useNow = (): number => useSyncExternalStore(watchNow, readNow)

/** "3 min ago", ticking. `at` in the same clock as `useNow`. */
export const useRelativeTime = (at: number): string => {
  const { t } = useTranslation()
  const { unit, n } = relativeAge(at, useNow())
  return t(`list.${unit}`, { n })
}

/** The server's time in epoch milliseconds, once a second. */
export const useServerTime = (): number => useNow() + useServerClock((clock) => clock.offset)

/** The same for a moment of the server's clock, independent of this computer's. */
export const RelativeTime = ({ at }: { at: Date | number | null }) => {
  if (at === null) return <>–</>
  return <AgoText at={Number(at)} />
}

const AgoText = ({ at }: { at: number }) => {
  const text = useRelativeTime(at - useServerClock((clock) => clock.offset))
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {text}
    </time>
  )
}
