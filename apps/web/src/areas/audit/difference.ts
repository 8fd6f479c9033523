export type State = Record<string, unknown> | null
export type Changed = { key: string; before: unknown; after: unknown }

/** Written by every change; they say nothing about it. */
const bookkeeping = new Set(['version', 'createTime', 'creator', 'updateTime', 'updater'])

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * What a change did to a row, field by field in the order of the row, and how many fields it left alone. Of a row that is
 * new or gone, what is empty is left out.
 */
export const diffStates = (before: State, after: State): { changed: Changed[]; unchanged: number } => {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const told = keys.filter((key) => !bookkeeping.has(key))
  const all = told.map((key) => ({ key, before: before?.[key], after: after?.[key] }))
  if (!before || !after) {
    const filled = all.filter((one) => ![null, undefined, ''].some((nothing) => (one.before ?? one.after) === nothing))
    return { changed: filled, unchanged: 0 }
  }
  // A row after the change may name fewer fields than before: what it does not name stayed.
  const changed = all.filter((one) => one.key in after && !same(one.before, one.after))
  return { changed, unchanged: all.length - changed.length }
}

const MANY = 8

const hasMore = (list: readonly unknown[], other: readonly unknown[]) => list.some((one) => !other.includes(one))

/** Whether two lists are too long to be compared by eye, and differ in what is in them, not in its order alone. */
export const isLong = (list: readonly unknown[], other: unknown): other is readonly unknown[] =>
  Array.isArray(other) && list.length + other.length > MANY && (hasMore(list, other) || hasMore(other, list))
