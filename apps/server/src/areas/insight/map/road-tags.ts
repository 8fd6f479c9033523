/** What a segment allows, as bits. */
export const ways = { driveForward: 1, driveBackward: 2, walk: 4, highway: 8 } as const

const KMH_PER_MPH = 1.609344
const MS_PER_KMH = 1 / 3.6
const DEFAULT_KMH = 30
const MAX_KMH = 130
export const MAX_SPEED_MS = MAX_KMH * MS_PER_KMH
export const WALK_SPEED_MS = 1.3

/** Usual speeds in a town, for roads without a limit. */
const usualKmh: Readonly<Record<string, number>> = {
  motorway: 100,
  trunk: 70,
  primary: 50,
  secondary: 45,
  tertiary: 40,
  residential: 30,
  living_street: 15,
  service: 15,
  track: 15,
}
const onFootOnly = new Set(['footway', 'path', 'steps', 'pedestrian', 'corridor', 'cycleway', 'bridleway'])
const fastOnly = new Set(['motorway', 'trunk'])

export type RoadTags = { allowed: number; speedMs: number; name: string }

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim().toLowerCase()
    : ''

const readSpeed = (text: string, kind: string): number => {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(mph)?/.exec(text) ?? []
  const limit = Number(digits) * (unit === 'mph' ? KMH_PER_MPH : 1)
  const kmh = limit > 0 ? limit : (usualKmh[kind] ?? DEFAULT_KMH)
  return Math.min(kmh, MAX_KMH) * MS_PER_KMH
}

const readDirections = (oneway: string, isOnewayByKind: boolean): number => {
  if (oneway === '-1' || oneway === 'reverse') return ways.driveBackward
  const isOneway = ['yes', 'true', '1'].includes(oneway) || (isOnewayByKind && oneway !== 'no')
  return isOneway ? ways.driveForward : ways.driveForward | ways.driveBackward
}

/** The properties of OSM that routes need; a road without any is open to all in both directions. */
export const readRoadTags = (properties: Readonly<Record<string, unknown>>): RoadTags => {
  const kind = textOf(properties['highway']).replace(/_link$/, '')
  const isOnewayByKind = kind === 'motorway' || textOf(properties['junction']) === 'roundabout'
  const drive = onFootOnly.has(kind) ? 0 : readDirections(textOf(properties['oneway']), isOnewayByKind)
  const walk = fastOnly.has(kind) || textOf(properties['foot']) === 'no' ? 0 : ways.walk
  const name = properties['name']
  return {
    allowed: drive | walk | (kind === 'motorway' ? ways.highway : 0),
    speedMs: readSpeed(textOf(properties['maxspeed']) || textOf(properties['speed']), kind),
    name: typeof name === 'string' ? name.slice(0, 100) : '',
  }
}
