import { type Match, hasPlaceInKey } from './evaluate-rules.ts'
import type { LockedRecord } from './pending-writes.ts'
import type { RecordKey, SignalContext } from './unit-of-work.ts'

/** The key of the record of a match. Only for a key with a place, an open record at another place matters. */
export const recordKeyOf = (
  { signal, source: { deviceId, schoolId, placeId } }: Pick<SignalContext, 'signal' | 'source'>,
  { rule, class: name, dedupKey }: Match,
): RecordKey => ({
  key: dedupKey,
  mode: signal.mode,
  raises: true,
  ...((rule === null || hasPlaceInKey({ schoolId }, rule)) && { placed: { deviceId, class: name, schoolId, placeId } }),
})

/** Whether the record may take a signal of this device: a record of the device itself only at its own place. */
export const isOfPlace = (
  { source }: Pick<SignalContext, 'source'>,
  { deviceId, schoolId, placeId, dedupKey }: Pick<LockedRecord, 'deviceId' | 'schoolId' | 'placeId' | 'dedupKey'>,
): boolean =>
  deviceId !== source.deviceId ||
  dedupKey.startsWith('school:') ||
  (schoolId === source.schoolId && placeId === source.placeId)
