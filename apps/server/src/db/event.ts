import type { EventType } from '@tocsin/contract/live'
import type { Db } from '#db/db'

/** A change and its audience. If all three addresses are null, everybody receives it. */
export type NewEvent = {
  type: EventType
  ref?: number | null
  schoolId?: number | null
  deptId?: number | null
  userId?: number | null
}

/** Inserts events in the caller's transaction, so that they exist exactly when the change does. */
export const emitEvents = async (trx: Db, ...events: NewEvent[]): Promise<void> => {
  if (events.length === 0) return
  await trx
    .insertInto('event')
    .values(
      events.map(({ type, ref = null, schoolId = null, deptId = null, userId = null }) => ({
        type,
        ref,
        schoolId,
        deptId,
        userId,
        seq: null,
      })),
    )
    .execute()
}

const listeners = new Set<() => void>()

/**
 * Registers a callback for events committed by this node; the sequencer uses it. It is only a hint: the sequencer polls
 * as well.
 */
export const wakeSequencer = (): void => {
  for (const listener of listeners) listener()
}

/** @returns a function that unsubscribes. */
export const onSequencerWake = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
