/** New rights must apply within 5 s, including the time to read them. */
const SPREAD_MS = 2_000

type Parts = {
  /** Resources without delay: refetched at every call. */
  now: () => void
  /** The rest, once for everything requested until then. */
  rest: () => void
  /** Starts the timer that calls `elapsed`. */
  begin: (ms: number) => void
  chance?: () => number
}

/** Events that reach every console at once are answered at a random moment of the next two seconds. */
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
