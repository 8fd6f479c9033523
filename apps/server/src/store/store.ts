import type { Readable } from 'node:stream'

/** Stored content; `at` is when it was stored. */
export type StoredObject = { id: number; at: Date }

/**
 * Stores the content of files by the id of their rows. An id is never reused, so content never changes. Every method
 * throws StoreUnavailableError when the store cannot be reached.
 */
export type Store = {
  /** Stores a copy of the file at `path`, completely or not at all; durable when it returns. */
  put: (id: number, path: string) => Promise<void>
  /** Undefined when the file does not exist. */
  get: (id: number) => Promise<Readable | undefined>
  has: (id: number) => Promise<boolean>
  /** Deleting unknown content is no error. */
  remove: (id: number) => Promise<void>
  /** Lists everything, in batches. */
  list: () => AsyncIterable<StoredObject[]>
}

/** The disk is full or gone, or the object storage does not answer or rejects the call. */
export class StoreUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`file storage: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

export const mapStoreErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StoreUnavailableError ? error : new StoreUnavailableError(error)
  }
}
