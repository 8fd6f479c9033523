import type { Track, TrackPoint } from '@tocsin/contract/alarm/track'

/** First and last moment of all tracks in epoch ms; undefined without a point. */
export const findPlaybackPeriod = (tracks: readonly Track[]): { from: number; to: number } | undefined => {
  const times = tracks.flatMap(({ points }) => points.map(({ at }) => at.getTime()))
  if (times.length === 0) return undefined
  return times.reduce(({ from, to }, at) => ({ from: Math.min(from, at), to: Math.max(to, at) }), {
    from: Infinity,
    to: -Infinity,
  })
}

/** A longer gap is not bridged: nobody knows where he was. */
const MAX_GAP_MS = 60_000

const between = (before: TrackPoint, after: TrackPoint, at: number): TrackPoint => {
  const part = (at - before.at.getTime()) / (after.at.getTime() - before.at.getTime())
  const lng = before.lng + (after.lng - before.lng) * part
  const lat = before.lat + (after.lat - before.lat) * part
  return { ...before, lng, lat, at: new Date(at) }
}

/** The points until a moment; the last one lies on the way to the next, unless that is too far off. */
export const pointsUntil = ({ points }: Pick<Track, 'points'>, at: number): TrackPoint[] => {
  const passed = points.filter((point) => point.at.getTime() <= at)
  const last = passed.at(-1)
  const next = points[passed.length]
  if (!last || !next || last.at.getTime() === at) return passed
  if (next.at.getTime() - last.at.getTime() > MAX_GAP_MS) return passed
  return [...passed, between(last, next, at)]
}
