/** Rights must hold within 5 s, reading them included. */
const SPREAD_MS = 2_000

/**
 * What every console hears at once none of them answers at once: each begins at some moment of the next two seconds. What
 * is called for until then is done by the same beginning.
 * @param begin sets the one timer, after which `elapsed` is called.
 */
export const spread = (begin: (ms: number) => void, act: () => void, chance: () => number = Math.random) => {
  let waiting = false
  return {
    call: (): void => {
      if (waiting) return
      waiting = true
      begin(chance() * SPREAD_MS)
    },
    elapsed: (): void => {
      waiting = false
      act()
    },
  }
}
