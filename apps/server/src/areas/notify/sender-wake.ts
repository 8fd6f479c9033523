const listeners = new Set<() => void>()

/** A hint that a message may be due; senders poll as well. */
export const wakeNotifySender = (): void => {
  for (const listener of listeners) listener()
}

/** @returns a function that unsubscribes. */
export const onNotifySenderWake = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
