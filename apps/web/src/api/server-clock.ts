import { create } from 'zustand'

/** The server's clock minus this computer's, in milliseconds; what happened is told in the server's time. */
export const useServerClock = create<{ offset: number }>()(() => ({ offset: 0 }))

/** A header tells whole seconds and was on its way for a while: a smaller difference says nothing. */
const SLACK_MS = 5000

/** Learns from the `Date` header of an answer that came at this moment of the own clock. */
export const setServerClock = (date: string | null, at = Date.now()): void => {
  const offset = Date.parse(date ?? '') - at
  if (Math.abs(offset - useServerClock.getState().offset) > SLACK_MS) useServerClock.setState({ offset })
}

/** The server's time in epoch milliseconds. */
export const serverNow = (): number => Date.now() + useServerClock.getState().offset
