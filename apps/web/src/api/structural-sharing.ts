const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * An answer that was read again, with every part of the one before that is as it was: what is the same is not drawn
 * again. Query's own way knows no instants, so that each row that has one would be another.
 */
export const shareUnchanged = (before: unknown, after: unknown): unknown => {
  if (Object.is(before, after)) return before
  if (before instanceof Date && after instanceof Date) return before.getTime() === after.getTime() ? before : after
  if (Array.isArray(before) && Array.isArray(after)) {
    const next = after.map((one, at) => shareUnchanged(before[at], one))
    return before.length === after.length && next.every((one, at) => one === before[at]) ? before : next
  }
  if (!isPlain(before) || !isPlain(after)) return after
  const names = Object.keys(after)
  const next = Object.fromEntries(names.map((name) => [name, shareUnchanged(before[name], after[name])]))
  const same = Object.keys(before).length === names.length && names.every((name) => name in before)
  return same && names.every((name) => next[name] === before[name]) ? before : next
}
