import { setTimeout as wait } from 'node:timers/promises'

const ATTEMPTS = 5
/** Deadlock, serialization failure, or a plan that a migration outdated: the database rolled the transaction back. */
const transient = new Set(['40001', '40P01', '0A000'])

/** Another transaction has committed what this one conflicts with, and would see when it runs again. */
export class SerializationError extends Error {
  readonly code = '40001'
}

export const isTransient = (error: unknown): boolean =>
  transient.has(String(((error ?? {}) as { code?: unknown }).code))

/** Retries a transaction with jitter when the database rolled it back for no fault of the caller (X09). */
export const retryTransaction = async <T>(
  work: () => Promise<T>,
  worthIt: (error: unknown) => boolean = isTransient,
  attempts = ATTEMPTS,
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries >= attempts || !worthIt(error)) throw error
      await wait(Math.random() * 20 * 2 ** tries)
    }
  }
}
