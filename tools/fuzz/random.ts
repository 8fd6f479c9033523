export type Random = {
  /** An integer from 0 to `below`, exclusive. */
  next: (below: number) => number
  /** True once in `times`. */
  one: (times: number) => boolean
  pick: <T>(list: readonly [T, ...T[]] | readonly T[]) => T
}

/** A generator seeded by a text alone, so that one case can be repeated by itself (FNV-1a into mulberry32). */
export const randomFrom = (seed: string): Random => {
  let state = 0x811c9dc5
  for (const byte of new TextEncoder().encode(seed)) state = Math.imul(state ^ byte, 0x01000193)
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
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
