import type { EventType } from '@tocsin/contract/live'
import type { Db } from '#db/db'

/** What changed and who may hear it. All three addresses null: everybody. */
export type NewEvent = {
  type: EventType
  ref?: number | null
  schoolId?: number | null
  deptId?: number | null
  userId?: number | null
}

/** Writes events into the caller's transaction: they exist exactly when the change does. */
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

/** Called when this node has committed events; the sequencer listens. Only a hint: it polls as well. */
export const wakeSequencer = (): void => {
  for (const listener of listeners) listener()
}

/** @returns a function that stops listening. */
export const onSequencerWake = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
