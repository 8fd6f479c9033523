/** Whether alarms can be committed; shared by the intake, the readiness check and the heartbeats of screens. */
export type StorageStatus = {
  /** An alarm could not be committed. Only errors that say that the database accepts no writes count. */
  failed: (error: unknown) => void
  /** An alarm was committed. */
  stored: () => void
  /** Epoch milliseconds of the first failure since the last commit. */
  failingSince: () => number | undefined
  onChange: (listener: () => void) => void
}

/**
 * SQLSTATE 53 (disk full, out of memory, too many connections), 25006 (read-only), 57P02 and 57P03 (crashed, starting),
 * 58 (I/O error), and a server that refuses connections. A cancelled statement or a lock timeout says nothing about
 * writes in general.
 */
const isWriteFailure = (error: unknown): boolean =>
  /^(53[0-9A-Z]{3}|25006|57P0[23]|58[0-9A-Z]{3}|ECONNREFUSED)$/.test(String(Object(error).code))

export const createStorageStatus = (): StorageStatus => {
  let since: number | undefined
  const listeners: (() => void)[] = []
  const set = (value: number | undefined) => {
    since = value
    for (const notify of listeners) notify()
  }
  return {
    failed: (error) => {
      if (since === undefined && isWriteFailure(error)) set(Date.now())
    },
    stored: () => {
      if (since !== undefined) set(undefined)
    },
    failingSince: () => since,
    onChange: (listener) => void listeners.push(listener),
  }
}
