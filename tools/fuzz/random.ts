import { seededRandom } from '../simulator/random.ts'

export type RandomSource = {
  /** An integer from 0 to `below`, exclusive. */
  next: (below: number) => number
  /** True with a probability of 1 / `times`. */
  one: (times: number) => boolean
  pick: <T>(list: readonly [T, ...T[]] | readonly T[]) => T
}

/** A generator seeded by a text alone, so that one case can be repeated by itself. */
export const randomFrom = (seed: string): RandomSource => {
  // FNV-1a
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(seed)) hash = Math.imul(hash ^ byte, 0x01000193)
  const unit = seededRandom(hash)
  const next = (below: number) => Math.floor(unit() * below)
  return {
    next,
    one: (times) => next(times) === 0,
    pick: (list) => {
      if (list.length === 0) throw new Error('nothing to pick from')
      // The index is within the list, which is not empty.
      return list[next(list.length)] as (typeof list)[number]
    },
  }
}
