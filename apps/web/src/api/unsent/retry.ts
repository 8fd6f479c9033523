import { ApiError, isSessionKilled, isTransient, isUnexpectedError } from '../error.ts'

const FIRST_MS = 3_000
const LONGEST_MS = 120_000

/** Doubles from 3 s to 2 minutes; the random half keeps the phones of a school apart when the server returns. */
export const retryDelay = (failures: number, chance: () => number = Math.random): number => {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1))
  return longest * (0.5 + chance() / 2)
}

const isSessionLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 401 || error.status === 401 || isSessionKilled(error))

/**
 * True when the server has decided against the call, so that sending it again cannot succeed. A failure of the network,
 * of the server or of the session decides nothing.
 */
export const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && !isTransient(error) && !isUnexpectedError(error) && !isSessionLost(error)
