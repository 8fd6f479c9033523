import { setImmediate as nextTurn } from 'node:timers/promises'
import { readRoadTags, type RoadTags } from './road-tags.ts'

export type Point = readonly [lng: number, lat: number]

/** Points and segments as columns, since a city has hundreds of thousands. */
export type RoadGraph = {
  lngs: Float64Array
  lats: Float64Array
  from: Uint32Array
  to: Uint32Array
  lengths: Float64Array
  tags: readonly RoadTags[]
  /** Segments of the point p: `touching` from `firsts[p]` up to `firsts[p + 1]`. */
  firsts: Uint32Array
  touching: Uint32Array
}

const MAX_SEGMENTS = 400_000
const FEATURES_PER_TURN = 2000
const METRES_PER_DEGREE = 111_195
/** Digits after the point that tell two points apart: about a centimetre. */
const PRECISION = 7

/** Flat around the middle of both points: exact enough for a city, and the same for all that compares. */
export const measure = ([lng, lat]: Point, [toLng, toLat]: Point): number => {
  const width = Math.cos((((lat + toLat) / 2) * Math.PI) / 180)
  return METRES_PER_DEGREE * Math.hypot((toLng - lng) * width, toLat - lat)
}

export class RoadFileError extends Error {}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) &&
  Number.isFinite(value[0]) &&
  Number.isFinite(value[1]) &&
  Math.abs(value[0] as number) <= 180 &&
  Math.abs(value[1] as number) <= 90

const readLine = (value: unknown, at: number): Point[] => {
  if (!Array.isArray(value) || value.length < 2 || !value.every(isPoint))
    throw new RoadFileError(`feature ${at + 1}: a line needs two or more pairs of longitude and latitude`)
  return value
}

/** The lines of a feature; other geometries, such as crossings, are left out. */
const linesOf = (feature: unknown, at: number): Point[][] => {
  const geometry = isRecord(feature) ? feature['geometry'] : undefined
  if (!isRecord(geometry)) return []
  const { type, coordinates } = geometry
  if (type === 'LineString') return [readLine(coordinates, at)]
  if (type !== 'MultiLineString') return []
  if (!Array.isArray(coordinates)) throw new RoadFileError(`feature ${at + 1}: a MultiLineString without lines`)
  return coordinates.map((line: unknown) => readLine(line, at))
}

const featuresOf = (text: string): unknown[] => {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new RoadFileError('the file is not JSON')
  }
  const features = isRecord(content) && content['type'] === 'FeatureCollection' ? content['features'] : undefined
  if (!Array.isArray(features)) throw new RoadFileError('the file is not a GeoJSON FeatureCollection')
  return features
}

const createBuilder = () => {
  const known = new Map<string, number>()
  const [lngs, lats, from, to, lengths]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []]
  const tags: RoadTags[] = []
  const pointOf = ([lng, lat]: Point): number => {
    const key = `${lng.toFixed(PRECISION)} ${lat.toFixed(PRECISION)}`
    const found = known.get(key)
    if (found !== undefined) return found
    known.set(key, lngs.length)
    lats.push(lat)
    return lngs.push(lng) - 1
  }
  const addLine = (line: readonly Point[], road: RoadTags) => {
    for (const [index, end] of line.entries()) {
      const start = line[index - 1]
      if (start === undefined) continue
      const [first, second] = [pointOf(start), pointOf(end)]
      if (first === second) continue
      if (tags.length === MAX_SEGMENTS) throw new RoadFileError(`more than ${MAX_SEGMENTS} segments`)
      from.push(first)
      to.push(second)
      lengths.push(measure(start, end))
      tags.push(road)
    }
  }
  return { addLine, lngs, lats, from, to, lengths, tags }
}

const indexByPoint = (points: number, ends: readonly (readonly number[])[]) => {
  const firsts = new Uint32Array(points + 1)
  for (const points of ends) for (const point of points) firsts[point + 1] = (firsts[point + 1] ?? 0) + 1
  for (let point = 0; point < points; point += 1) firsts[point + 1] = (firsts[point + 1] ?? 0) + (firsts[point] ?? 0)
  const next = firsts.slice()
  const touching = new Uint32Array(firsts.at(-1) ?? 0)
  for (const points of ends)
    for (const [segment, point] of points.entries()) {
      const at = next[point] ?? 0
      touching[at] = segment
      next[point] = at + 1
    }
  return { firsts, touching }
}

/** Lines that share a point cross there. Throws RoadFileError; other work of the server goes on in between. */
export const buildRoadGraph = async (text: string): Promise<RoadGraph> => {
  const builder = createBuilder()
  for (const [at, feature] of featuresOf(text).entries()) {
    if (at % FEATURES_PER_TURN === 0) await nextTurn()
    const lines = linesOf(feature, at)
    const properties = isRecord(feature) && isRecord(feature['properties']) ? feature['properties'] : {}
    const road = readRoadTags(properties)
    if (road.allowed !== 0) for (const line of lines) builder.addLine(line, road)
  }
  const { lngs, lats, from, to, lengths, tags } = builder
  if (tags.length === 0) throw new RoadFileError('the file has no lines')
  return {
    lngs: Float64Array.from(lngs),
    lats: Float64Array.from(lats),
    from: Uint32Array.from(from),
    to: Uint32Array.from(to),
    lengths: Float64Array.from(lengths),
    tags,
    ...indexByPoint(lngs.length, [from, to]),
  }
}
