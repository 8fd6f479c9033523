import type { RecordSurroundings, Track } from '@tocsin/contract/alarm/track'
import type { MapLine, MapPoint, MapRing } from '#ui/map/map-shapes.ts'
import { pointsUntil } from './track-playback.ts'

type Alarm = { id: number; level: number; open: boolean; label: string }

/** Where the alarm is shown: at its own position, or else at its school. */
export const positionOf = ({ position, school }: RecordSurroundings): { lng: number; lat: number } | undefined => {
  if (position) return position
  if (!school || school.lng === null || school.lat === null) return undefined
  return { lng: school.lng, lat: school.lat }
}

export const buildRecordRings = ({ school, station }: RecordSurroundings): MapRing[] => [
  ...(station?.jurisdiction
    ? [{ key: 'jurisdiction', kind: 'jurisdiction' as const, label: station.name, polygon: station.jurisdiction }]
    : []),
  ...(school?.geofence ? [{ key: 'fence', kind: 'fence' as const, label: school.name, polygon: school.geofence }] : []),
]

/** The tracks until a moment; without one as far as they are known. */
export const cutTracks = (tracks: readonly Track[], at: number | undefined): Track[] =>
  at === undefined ? [...tracks] : tracks.map((track) => ({ ...track, points: pointsUntil(track, at) }))

const keyOf = ({ assignmentId, userId }: Track): string => `person-${assignmentId}-${userId}`

/** People at the end of their tracks. */
export const buildTrackPoints = (tracks: readonly Track[]): MapPoint[] =>
  tracks.flatMap((track) => {
    const last = track.points.at(-1)
    if (!last) return []
    return [{ key: keyOf(track), kind: 'person' as const, lng: last.lng, lat: last.lat, label: track.name }]
  })

/** School, alarm, units, and people at the end of their tracks. */
export const buildRecordPoints = (around: RecordSurroundings, tracks: readonly Track[], alarm: Alarm): MapPoint[] => {
  const { school, position, units } = around
  const at = positionOf(around)
  const kind = alarm.open ? ('alarm' as const) : ('claimed' as const)
  return [
    ...(position && school && school.lng !== null && school.lat !== null
      ? [{ key: 'school', kind: 'school' as const, lng: school.lng, lat: school.lat, label: school.name }]
      : []),
    ...(at ? [{ key: 'alarm', kind, ...at, label: alarm.label, level: alarm.level }] : []),
    ...units.map(({ id, lng, lat, name }) => ({ key: `unit-${id}`, kind: 'unit' as const, lng, lat, label: name })),
    ...buildTrackPoints(tracks),
  ]
}

export const buildRecordLines = (tracks: readonly Track[]): MapLine[] =>
  tracks.map((track) => ({ key: keyOf(track), corners: track.points.map(({ lng, lat }) => [lng, lat] as const) }))
