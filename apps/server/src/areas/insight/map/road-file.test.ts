import type { RoadQuery } from '@tocsin/contract/insight/map-route'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createRoadFile } from './road-file.ts'

type Corner = readonly [number, number]

const folder = mkdtempSync(join(tmpdir(), 'roads-'))
afterAll(() => rmSync(folder, { recursive: true }))

const line = (coordinates: readonly Corner[], properties: object = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates },
})
const write = (name: string, features: readonly object[]): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }))
  return path
}

// A square of about 1.1 km by 1.1 km at the equator, so that one degree is equally long in both directions.
const [west, east, south, north] = [0, 0.01, 0, 0.01]
const middle = 0.005
const town = [
  line(
    [
      [west, south],
      [east, south],
    ],
    { highway: 'residential', maxspeed: '20', name: 'South' },
  ),
  line(
    [
      [west, south],
      [west, north],
    ],
    { highway: 'primary', maxspeed: '60', name: 'West' },
  ),
  line(
    [
      [west, north],
      [east, north],
    ],
    { highway: 'motorway', oneway: 'yes', maxspeed: '120', name: 'North' },
  ),
  line(
    [
      [east, north],
      [east, south],
    ],
    { highway: 'primary', maxspeed: '60', name: 'East' },
  ),
  line(
    [
      [west, south],
      [middle, 0.001],
      [east, south],
    ],
    { highway: 'footway', name: 'Path' },
  ),
  line(
    [
      [1, 1],
      [1.001, 1],
    ],
    { name: 'Island' },
  ),
  { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [0, 0] } },
]
const query = (part: Partial<RoadQuery> = {}): RoadQuery => ({
  means: 'DRIVE',
  startLng: west,
  startLat: south,
  endLng: east,
  endLat: south,
  ...part,
})

describe('a road file', () => {
  let find: ReturnType<typeof createRoadFile>
  beforeAll(() => {
    find = createRoadFile(write('town.geojson', town))
  })
  const roads = async (part: Partial<RoadQuery> = {}) => {
    const { state, plan } = await find(query(part))
    return plan ? plan.steps.map(({ name }) => name) : state
  }

  it('has the fastest, the shortest and the way without motorways', async () => {
    expect(await roads({ policy: 0 })).toEqual(['West', 'North', 'East'])
    expect(await roads({ policy: 1 })).toEqual(['South'])
    expect(await roads({ policy: 2 })).toEqual(['South'])
    const { plan } = await find(query({ policy: 1 }))
    expect(plan?.distanceM).toBe(1112)
    expect(plan?.durationS).toBe(Math.round(1111.95 / (20 / 3.6)))
    expect([plan?.path[0], plan?.path.at(-1)]).toEqual([
      [west, south],
      [east, south],
    ])
  })

  it('obeys one-way roads by car, and walks on paths but not on motorways', async () => {
    const back = { startLng: east, startLat: north, endLng: west, endLat: north }
    expect(await roads({ ...back, policy: 0 })).toEqual(['East', 'South', 'West'])
    expect(await roads({ ...back, means: 'WALK' })).toEqual(['East', 'South', 'West'])
    // From the end of a one-way road, where others begin.
    expect(await roads({ startLng: west, startLat: north, endLng: west, policy: 1 })).toEqual(['West'])
    const onPath = { startLng: 0.004, startLat: 0.0009, endLng: 0.006, endLat: 0.0009 }
    expect(await roads({ ...onPath, means: 'WALK' })).toEqual(['Path'])
    expect(await roads({ ...onPath, policy: 1 })).toEqual(['South'])
  })

  it('joins both ends to a road within 500 m, on the part of a segment between them', async () => {
    const { plan } = await find(query({ startLng: 0.002, startLat: -0.001, endLng: 0.006, policy: 1 }))
    expect(plan?.path).toHaveLength(4)
    expect(plan?.path[1]?.[0]).toBeCloseTo(0.002, 6)
    expect(plan?.distanceM).toBe(Math.round(111_195 * 0.005))
    expect(await roads({ startLat: -0.01 })).toBe('NO_ROAD_AT_START')
    expect(await roads({ endLng: 0.02 })).toBe('NO_ROAD_AT_END')
    expect(await roads({ endLng: 1, endLat: 1 })).toBe('NO_ROUTE')
  })
})

it('says that there is no file, and what is wrong with one', async () => {
  expect(await createRoadFile(undefined)(query())).toEqual({ state: 'NO_FILE', plan: null })
  const bad = join(folder, 'bad.geojson')
  writeFileSync(bad, '{')
  const files: [string, RegExp][] = [
    [join(folder, 'missing.geojson'), /ENOENT/],
    [bad, /not JSON/],
    [write('empty.geojson', []), /no lines/],
    [
      write('broken.geojson', [
        line([
          [0, 0],
          [1, 0],
        ]),
        line([[0, 0]]),
      ]),
      /feature 2/,
    ],
  ]
  for (const [path, reason] of files) {
    const warn = vi.fn()
    const find = createRoadFile(path, warn)
    expect(await find(query())).toEqual({ state: 'UNREADABLE', plan: null })
    await find(query())
    expect(warn).toHaveBeenCalledOnce()
    expect(warn.mock.lastCall?.[0]).toMatch(reason)
  }
})
