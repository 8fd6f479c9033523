import { create } from 'zustand'

/** The server's clock minus this computer's, in milliseconds; times are shown in the server's time. */
export const useServerClock = create<{ offset: number }>()(() => ({ offset: 0 }))

/** A header has whole seconds and some latency: a smaller difference means nothing. */
const SLACK_MS = 5000

/** Learns from the `Date` header of an answer that arrived at this moment of the own clock. */
export const setServerClock = (date: string | null, at = Date.now()): void => {
  const offset = Date.parse(date ?? '') - at
  if (Math.abs(offset - useServerClock.getState().offset) > SLACK_MS) useServerClock.setState({ offset })
}

/** The server's time in epoch milliseconds. */
export const serverNow = (): number => Date.now() + useServerClock.getState().offset
