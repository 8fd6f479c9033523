import type { SituationRow } from '@tocsin/contract/police/situation'
import { loudest, type Tone, toneFor } from '#areas/alarm/desk/sound/decide-sound.ts'

export type RingingIncident = Pick<SituationRow, 'id' | 'state' | 'ownerId' | 'grade' | 'mode' | 'receivedAt'>

export const toneOfIncident = ({ grade, mode }: Pick<RingingIncident, 'grade' | 'mode'>): Tone =>
  toneFor({ level: grade, mode, late: false })

/** Incidents that nobody has claimed: real ones first, then the most urgent and the oldest. */
export const listWaiting = <R extends RingingIncident>(list: readonly R[]): R[] =>
  list
    .filter(({ state, ownerId }) => state === 'RECEIVED' && ownerId === null)
    .toSorted(
      (a, b) =>
        Number(a.mode !== 'LIVE') - Number(b.mode !== 'LIVE') ||
        a.grade - b.grade ||
        Number(a.receivedAt) - Number(b.receivedAt),
    )

/** One sound for all of them; null when every incident has been claimed. */
export const toneOfIncidents = (waiting: readonly RingingIncident[]): Tone | null =>
  loudest(waiting.map(toneOfIncident))
