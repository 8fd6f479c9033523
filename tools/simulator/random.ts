/** Returns a uniformly distributed number in [0, 1). */
export type Random = () => number

/** Generator with a seed (mulberry32), so that a run can be repeated exactly. */
export const seededRandom = (seed: number): Random => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Time until the next spontaneous event, in the unit of `mean` (exponential distribution). */
export const waitFor = (random: Random, mean: number): number => -Math.log(1 - random()) * mean
