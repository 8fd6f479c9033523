import type { RoadQuery, RoadState } from '@tocsin/contract/insight/map-route'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type MapService, STAND_IN_KEY, startMapService } from '../../../../../tools/map-library/stand-in.ts'
import { createLibraryLoader, type ScriptHost } from './library.ts'
import { createLocalPlaces } from './local/places.ts'
import { createLocalRoutes } from './local/routes.ts'
import type { LibraryMap, MapLibrary } from './national/interface.ts'
import { createNationalPlaces } from './national/places.ts'
import { createNationalRoutes } from './national/routes.ts'
import { createDelay, type PlaceSearch } from './places.ts'
import type { RouteSearch } from './routes.ts'
import type { LngLat } from './types.ts'

let service: MapService
let library: MapLibrary
let libraryMap: LibraryMap
let fetched: string | undefined

/** Loads a script as a browser does, without a document. */
const scripts: ScriptHost = {
  insert: async (url) => {
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(String(answer.status))
    fetched = await answer.text()
  },
  isReachable: (url) =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  readLibrary: () => {
    const define = new Function(`${fetched}\nreturn globalThis.T`) as () => unknown
    return define()
  },
}

beforeAll(async () => {
  service = await startMapService()
  const loaded = await createLibraryLoader(scripts)(`${service.origin}/api?v=4.0&tk=${STAND_IN_KEY}`)
  if (loaded.state !== 'READY') throw new Error(loaded.state)
  library = loaded.library
  libraryMap = new library.Map({} as HTMLElement)
})
afterAll(() => service.close())

describe('the loader', () => {
  const load = (url: string | null, host = scripts, milliseconds = 5000) => createLibraryLoader(host, milliseconds)(url)

  it('says why there is no library', async () => {
    expect(await load(null)).toEqual({ state: 'NO_KEY' })
    expect(await load(`${service.origin}/api?v=4.0&tk=wrong`)).toEqual({ state: 'REFUSED' })
    expect(await load('http://127.0.0.1:1/api')).toEqual({ state: 'UNREACHABLE' })
    const silent = { ...scripts, insert: () => new Promise<void>(() => undefined) }
    expect(await load(`${service.origin}/api`, silent, 10)).toEqual({ state: 'UNREACHABLE' })
    const empty = { ...scripts, insert: () => Promise.resolve(), readLibrary: () => undefined }
    expect(await load(`${service.origin}/api`, empty)).toEqual({ state: 'REFUSED' })
  })

  it('loads once, and again after a failure', async () => {
    const insert = vi.fn(scripts.insert).mockRejectedValueOnce(new Error('offline'))
    const again = createLibraryLoader({ ...scripts, insert })
    const url = `${service.origin}/api?v=4.0&tk=${STAND_IN_KEY}`
    expect((await again(url)).state).toBe('REFUSED')
    expect((await again(url)).state).toBe('READY')
    expect((await again(url)).state).toBe('READY')
    expect(insert).toHaveBeenCalledTimes(2)
  })
})

const rows = Array.from({ length: 23 }, (_, index) => ({
  kind: 'SCHOOL' as const,
  id: index + 1,
  schoolId: index + 1,
  title: `东湖小学 ${index + 1}`,
  subtitle: `湖滨路 ${index + 1} 号`,
  lng: 116.4,
  lat: index === 22 ? null : 39.9,
}))

const searches: [string, () => { places: PlaceSearch; routes: RouteSearch }][] = [
  [
    'the national service',
    () => ({
      places: createNationalPlaces(library, libraryMap),
      routes: createNationalRoutes(library, libraryMap),
    }),
  ],
  [
    'the local map',
    () => ({
      places: createLocalPlaces((keyword) => Promise.resolve(keyword === '无' ? [] : rows)),
      routes: createLocalRoutes(() => Promise.resolve({ state: 'NO_FILE', plan: null })),
    }),
  ],
]

const start: LngLat = [116.4, 39.9]
const end: LngLat = [116.43, 39.93]

describe.each(searches)('on %s', (_, open) => {
  it('suggests places with name, address and position', async () => {
    const [first] = await open().places.suggest('东湖')
    expect(first).toMatchObject({ name: expect.stringContaining('东湖小学'), address: expect.stringMatching(/./) })
    expect(first?.lonlat).toHaveLength(2)
    expect(first?.gbCode).toMatch(/^(156\d{6})?$/)
  })

  it('has pages of ten places', async () => {
    const { places } = open()
    const first = await places.find('东湖', 1)
    expect([first.places.length, first.count, first.page]).toEqual([10, 23, 1])
    expect(first.places[0]).toMatchObject({ name: '东湖小学 1', address: '湖滨路 1 号', lonlat: [116.4, 39.9] })
    const last = await places.find('东湖', 3)
    expect(last.places.map(({ name }) => name)).toEqual(['东湖小学 21', '东湖小学 22', '东湖小学 23'])
    const other = open().places
    expect((await other.find('东湖', 2)).places[0]?.name).toBe('东湖小学 11')
  })

  it('finds nothing without an error', async () => {
    expect(await open().places.find('无', 1)).toMatchObject({ places: [], count: 0 })
  })

  it('has a route from the start to the end, with its length', async () => {
    const { plans, problem } = await open().routes.find({ type: 0, policy: 0, start, end })
    expect(problem).toBeUndefined()
    expect([plans[0]?.path[0], plans[0]?.path.at(-1)]).toEqual([start, end])
    expect(plans[0]?.distanceM).toBeGreaterThan(1000)
  })
})

describe('the national service alone', () => {
  it('has codes of areas, cities where there are too many places, and areas', async () => {
    const places = createNationalPlaces(library, libraryMap)
    expect((await places.suggest('东湖')).map(({ gbCode, lonlat }) => [gbCode, lonlat])).toEqual([
      ['156110108', [116.3, 39.95]],
      ['156420106', null],
    ])
    expect((await places.find('学校', 1)).cities).toEqual([{ name: '北京市', count: 812, adminCode: '156110000' }])
    expect((await places.find('学校', 1, '156110000')).places).toHaveLength(10)
    expect(decodeURIComponent(service.requests.at(-1) ?? '')).toContain('"specify":"156110000"')
    expect((await places.find('海淀区', 1)).places).toEqual([
      { name: '海淀区', address: '', phone: '', lonlat: [116.3, 39.96] },
    ])
  })

  it('sends the policies and types of routes as documented', async () => {
    const routes = createNationalRoutes(library, libraryMap)
    const lastRequest = () => decodeURIComponent(service.requests.at(-1) ?? '')
    for (const policy of [0, 1, 2] as const) {
      await routes.find({ type: 0, policy, start, end })
      expect(lastRequest()).toMatch(new RegExp(`^/drive.*"style":"${policy}"`))
    }
    for (const policy of [1, 2, 4, 8] as const) {
      await routes.find({ type: 1, policy, start, end })
      expect(lastRequest()).toMatch(new RegExp(`^/transit.*"linetype":"${policy}"`))
    }
    await routes.find({ type: 2, start, end })
    expect(lastRequest()).toMatch(/^\/drive.*"style":"3"/)
  })

  it('reads plans with time and steps, and says why there is none', async () => {
    const routes = createNationalRoutes(library, libraryMap)
    const drive = await routes.find({ type: 0, policy: 1, start, end })
    expect(drive.plans[0]).toMatchObject({ distanceM: 2500, durationS: 420, steps: ['策略 1，出发', '到达'] })
    const bus = await routes.find({ type: 1, policy: 1, start, end })
    expect(bus.plans[0]).toMatchObject({ name: '8 路', distanceM: 2400, durationS: 900 })
    expect(bus.plans[0]?.steps).toEqual(['东湖站', '8 路 · 东湖站 → 西山站'])
    expect(await routes.find({ type: 1, policy: 1, start, end: start })).toEqual({ plans: [], problem: 'TOO_NEAR' })
  })
})

describe('the local map alone', () => {
  it('has routes on the roads of the server, and says why there is none', async () => {
    const items: RoadQuery[] = []
    const path: [number, number][] = [
      [116.4, 39.9],
      [116.43, 39.93],
    ]
    const steps = [
      { name: '湖滨路', distanceM: 1200 },
      { name: '', distanceM: 80 },
    ]
    let state: RoadState = 'FOUND'
    const routes = createLocalRoutes((query) => {
      items.push(query)
      return Promise.resolve({
        state,
        plan: state === 'FOUND' ? { distanceM: 1280, durationS: 90, path, steps } : null,
      })
    })
    const drive = { type: 0, policy: 2, start, end } as const
    expect((await routes.find(drive)).plans).toEqual([
      { name: '', distanceM: 1280, durationS: 90, path, steps: ['湖滨路 · 1.2 km', '80 m'] },
    ])
    await routes.find({ type: 2, start, end })
    expect(items.map(({ means, policy }) => [means, policy])).toEqual([
      ['DRIVE', 2],
      ['WALK', undefined],
    ])
    expect(await routes.find({ type: 1, policy: 1, start, end })).toEqual({ plans: [], problem: 'NO_TRANSIT' })
    for (state of ['NO_ROAD_AT_START', 'NO_ROAD_AT_END', 'NO_ROUTE'] as const)
      expect(await routes.find(drive)).toEqual({ plans: [], problem: state })
    state = 'UNREADABLE'
    const straight = await routes.find(drive)
    expect([straight.problem, straight.plans[0]?.durationS]).toEqual(['ROADS_UNREADABLE', undefined])
  })
})

it('searches 100 ms after the last key', () => {
  vi.useFakeTimers()
  const search = vi.fn()
  const delay = createDelay()
  delay.run(() => search('东'))
  vi.advanceTimersByTime(99)
  delay.run(() => search('东湖'))
  vi.advanceTimersByTime(99)
  expect(search).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(search.mock.calls).toEqual([['东湖']])
  vi.useRealTimers()
})
