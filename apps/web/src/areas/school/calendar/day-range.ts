export type DayRange = { from: string; to: string }
export const orderDays = (a: string, b: string): DayRange => (a <= b ? { from: a, to: b } : { from: b, to: a })

/** A press of the pointer; `isFirst`: it set the first day of the range. */
export type Press = { day: string; isFirst: boolean }

/**
 * Whether the release of the pointer on a day ends the range: the end of a drag does, and so does any second click, also on
 * the first day itself. A press that began outside of the days selects nothing.
 */
export const endsRange = (press: Press | undefined, day: string): boolean =>
  press !== undefined && (!press.isFirst || press.day !== day)
