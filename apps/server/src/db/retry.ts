import { setTimeout as wait } from 'node:timers/promises'

const ATTEMPTS = 5
/** Deadlock, serialization failure, a plan that a migration outdated: the database took it back whole. */
const transient = new Set(['40001', '40P01', '0A000'])

export const isTransient = (error: unknown): boolean =>
  transient.has(String(((error ?? {}) as { code?: unknown }).code))

/** Does a transaction again, with jitter, where the database took it back: whoever asked for it did nothing wrong (X09). */
export const retryTransaction = async <T>(
  work: () => Promise<T>,
  worthIt: (error: unknown) => boolean = isTransient,
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries >= ATTEMPTS || !worthIt(error)) throw error
      await wait(Math.random() * 20 * 2 ** tries)
    }
  }
}
