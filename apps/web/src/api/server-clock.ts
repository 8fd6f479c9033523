import { create } from 'zustand'

/**
 * The server's clock minus this computer's, in milliseconds. Every screen shows times by it, so that the desk and the
 * lists agree.
 */
export const useServerClock = create<{ offset: number }>()(() => ({ offset: 0 }))

/** Longer than any response takes: one of the two clocks was changed. */
const CLOCK_SET_MS = 5000

/**
 * The better of two estimates. Each is too small by the travel time of its response, one from a header also by a part of
 * a second. So the largest is the best, until a clock was changed.
 */
export const betterClockOffset = (known: number | undefined, seen: number): number =>
  known === undefined || seen > known || known - seen > CLOCK_SET_MS ? seen : known

let known: number | undefined

/** Updates the estimate from a response: the server's time in it, and its arrival by this computer's clock. */
export const updateServerClock = (serverTime: number, arrivedAt: number): void => {
  if (Number.isNaN(serverTime)) return
  known = betterClockOffset(known, serverTime - arrivedAt)
  if (known !== useServerClock.getState().offset) useServerClock.setState({ offset: known })
}

/** Updates the estimate from the `Date` header of a response, which has whole seconds. */
export const setServerClock = (date: string | null, arrivedAt = Date.now()): void =>
  updateServerClock(Date.parse(date ?? ''), arrivedAt)

/** The server's time in epoch milliseconds. */
export const serverNow = (): number => Date.now() + useServerClock.getState().offset
