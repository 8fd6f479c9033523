import { autoClosableClasses } from '@tocsin/contract/alarm/state-machine'
import type { Match } from './evaluate-rules.ts'
import type { RecordKey, SignalContext } from './unit-of-work.ts'

/** A record of a whole school, or of the health of a device, belongs to no place. */
const hasPlace = ({ rule, class: name }: Match): boolean =>
  rule?.dedupBy !== 'SCHOOL' && !autoClosableClasses.some((closable) => closable === name)

export const recordKeyOf = (
  { signal, source: { deviceId, schoolId, placeId } }: Pick<SignalContext, 'signal' | 'source'>,
  match: Match,
): RecordKey => ({
  key: match.dedupKey,
  mode: signal.mode,
  raises: true,
  ...(hasPlace(match) && { placed: { deviceId, class: match.class, schoolId, placeId } }),
})
