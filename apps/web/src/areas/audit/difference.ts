export type State = Record<string, unknown> | null
export type Changed = { key: string; before: unknown; after: unknown }

/** Written by every change, so they carry no information. */
const bookkeeping = new Set(['version', 'createTime', 'creator', 'updateTime', 'updater'])

const same = (first: unknown, other: unknown): boolean => JSON.stringify(first) === JSON.stringify(other)

/**
 * The changed fields of a row in the order of the row, and the number of unchanged ones. Of a new or deleted row empty
 * fields are left out.
 */
export const diffStates = (before: State, after: State): { changed: Changed[]; unchanged: number } => {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const result = keys.filter((key) => !bookkeeping.has(key))
  const all = result.map((key) => ({ key, before: before?.[key], after: after?.[key] }))
  if (!before || !after) {
    const filled = all.filter(
      (item) => ![null, undefined, ''].some((nothing) => (item.before ?? item.after) === nothing),
    )
    return { changed: filled, unchanged: 0 }
  }
  // The later state may name fewer fields: a missing one is unchanged.
  const changed = all.filter((item) => item.key in after && !same(item.before, item.after))
  return { changed, unchanged: all.length - changed.length }
}

const MANY = 8

const hasMore = (list: readonly unknown[], other: readonly unknown[]) => list.some((item) => !other.includes(item))

/** Whether two lists are too long to be compared by eye, and differ in their elements, not only in their order. */
export const isLong = (list: readonly unknown[], other: unknown): other is readonly unknown[] =>
  Array.isArray(other) && list.length + other.length > MANY && (hasMore(list, other) || hasMore(other, list))
