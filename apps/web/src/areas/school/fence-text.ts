import { findCrossingCorner, type Geofence } from '@tocsin/contract/school/geofence'
import { i18n } from '#texts/i18n.ts'

type Point = [number, number]

/** The corners of a fence, one a line, without the closing one. */
export const formatFence = (fence: Geofence | null): string =>
  (fence?.coordinates[0] ?? [])
    .slice(0, -1)
    .map(([lng, lat]) => `${lng},${lat}`)
    .join('\n')

const toLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const toPoint = (line: string): Point | undefined => {
  const parts = /^(-?\d+(?:\.\d+)?)\s*[,，\s]\s*(-?\d+(?:\.\d+)?)$/.exec(line)
  return parts ? [Number(parts[1]), Number(parts[2])] : undefined
}

/** The number of the first invalid line, from 1. */
const findBadLine = (text: string): number | undefined => {
  const at = toLines(text).findIndex((line) => toPoint(line) === undefined)
  return at < 0 ? undefined : at + 1
}

/** Lines as a closed ring; empty text is no fence, and invalid text is returned unchanged. */
export const parseFence = (text: string): Geofence | null | string => {
  const lines = toLines(text)
  const ring = lines.flatMap((line) => {
    const point = toPoint(line)
    return point ? [point] : []
  })
  const [first] = ring
  if (lines.length === 0) return null
  if (!first || ring.length < lines.length || ring.length < 3) return text
  const last = ring.at(-1)
  const isClosed = last !== undefined && ring.length > 3 && last[0] === first[0] && last[1] === first[1]
  return { type: 'Polygon', coordinates: [isClosed ? ring : [...ring, first]] }
}

/** Text that is no ring yet says which line is wrong; a ring whose sides cross says after which corner. */
export const fenceRule = {
  validator: async (_: unknown, value: Geofence | string | null | undefined) => {
    if (typeof value === 'string') {
      const n = findBadLine(value)
      throw new Error(n === undefined ? i18n.t('school.fenceFew') : i18n.t('school.fenceLine', { n }))
    }
    const n = value ? findCrossingCorner(value.coordinates[0] ?? []) : undefined
    if (n !== undefined) throw new Error(i18n.t('school.fenceCrosses', { n }))
  },
}
