const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * A refetched answer that reuses every unchanged part of the previous one, so that equal parts do not render again.
 * TanStack Query's own function does not compare dates, so that each row with a date would change.
 */
export const shareUnchanged = (before: unknown, after: unknown): unknown => {
  if (Object.is(before, after)) return before
  if (before instanceof Date && after instanceof Date) return before.getTime() === after.getTime() ? before : after
  if (Array.isArray(before) && Array.isArray(after)) {
    const next = after.map((item, at) => shareUnchanged(before[at], item))
    return before.length === after.length && next.every((item, at) => item === before[at]) ? before : next
  }
  if (!isPlain(before) || !isPlain(after)) return after
  const names = Object.keys(after)
  const next = Object.fromEntries(names.map((name) => [name, shareUnchanged(before[name], after[name])]))
  const same = Object.keys(before).length === names.length && names.every((name) => name in before)
  return same && names.every((name) => next[name] === before[name]) ? before : next
}
