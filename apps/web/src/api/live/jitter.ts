/** Rights must hold within 5 s, reading them included. */
const SPREAD_MS = 2_000

type Parts = {
  /** What waits for nobody: done at every call. */
  now: () => void
  /** The rest, once for all that was called for until then. */
  rest: () => void
  /** Sets the one timer, after which `elapsed` is called. */
  begin: (ms: number) => void
  chance?: () => number
}

/** What every console hears at once none of them answers at once: each begins at some moment of the next two seconds. */
export const jittered = ({ now, rest, begin, chance = Math.random }: Parts) => {
  let waiting = false
  return {
    call: (): void => {
      now()
      if (waiting) return
      waiting = true
      begin(chance() * SPREAD_MS)
    },
    elapsed: (): void => {
      waiting = false
      rest()
    },
  }
}
