import type { Readable } from 'node:stream'

/** Content as it lies in a store; `at` is when it was put there. */
export type StoredObject = { id: number; at: Date }

/**
 * Where the content of files lies, by the id of their rows. An id is never used twice, so what was put never changes.
 * Every method throws StoreUnavailableError when the place cannot be reached.
 */
export type Store = {
  /** Keeps a copy of the file at `path`, whole or not at all, and durable when it answers. */
  put: (id: number, path: string) => Promise<void>
  /** Undefined when there is none. */
  get: (id: number) => Promise<Readable | undefined>
  has: (id: number) => Promise<boolean>
  /** Removing what is not there is no error. */
  remove: (id: number) => Promise<void>
  /** Everything there is, in batches. */
  list: () => AsyncIterable<StoredObject[]>
}

/** The disk is full or gone, the object storage does not answer or refuses. */
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
