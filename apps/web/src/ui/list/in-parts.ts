import { useEffect, useMemo, useState } from 'react'

/** Fills every screen. */
const FIRST = 40
/** Between two parts the browser shows the one and hears whoever presses something. */
const REST_MS = 30

type Measure<T> = { count: (of: T) => number; head: (of: T, room: number) => T }

/**
 * Many rows are drawn in parts, each twice as large as all before: what fills the screen at once, the rest while it is
 * looked at, so that nobody waits for what he does not see yet. What stands there stays there while it is read again.
 * @param now the same as long as nothing changed, like the two functions
 */
export const useInParts = <T>(now: T, { count, head }: Measure<T>): T => {
  const [room, setRoom] = useState(FIRST)
  const wanted = count(now)
  useEffect(() => {
    // Few again, like a tree that was closed: what opens next begins anew.
    const smaller = room > FIRST && wanted <= room / 2
    const next = wanted > room ? room * 2 : smaller ? room / 2 : room
    if (next === room) return
    const timer = setTimeout(() => setRoom(next), REST_MS)
    return () => clearTimeout(timer)
  }, [wanted, room])
  return useMemo(() => (wanted > room ? head(now, room) : now), [now, wanted, room, head])
}
