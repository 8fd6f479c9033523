import type { Track } from '@tocsin/contract/alarm/track'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

/** Two people for eight hours are 5,760. */
const MAX_POINTS = 20_000

type TrackFilter = { recordId: number } | { situationId: number }

/**
 * Tracks of people who were sent to an alarm and to the incident that came from it, or to one incident alone. The caller
 * has checked that its user sees the alarm or the incident.
 */
export const findTracks = async (db: Db, filter: TrackFilter): Promise<Track[]> => {
  const rows = await unscoped(db, 'tracks of an alarm or incident that was read through the sight of the caller')
    .selectFrom('assignmentPosition as p')
    .innerJoin('assignment as a', 'a.id', 'p.assignmentId')
    .innerJoin('users as u', 'u.id', 'p.byUserId')
    .leftJoin('policeUnit as unit', 'unit.id', 'a.unitId')
    .leftJoin('policeSituation as s', 's.id', 'a.situationId')
    .select(['p.assignmentId', 'p.byUserId as userId', 'u.nickname as name', 'unit.name as unitName', 'a.state'])
    .select(['p.lng', 'p.lat', 'p.accuracyM', 'p.at'])
    .where((eb) =>
      'situationId' in filter
        ? eb('a.situationId', '=', filter.situationId)
        : eb.or([eb('a.recordId', '=', filter.recordId), eb('s.warnRecordId', '=', filter.recordId)]),
    )
    .orderBy('p.at', 'desc')
    .limit(MAX_POINTS)
    .execute()
  const known = new Map<string, Track>()
  for (const { lng, lat, accuracyM, at, ...person } of rows.toReversed()) {
    const key = `${person.assignmentId} ${person.userId}`
    const track: Track = known.get(key) ?? { ...person, points: [] }
    track.points.push({ lng, lat, accuracyM, at })
    known.set(key, track)
  }
  return [...known.values()]
}
