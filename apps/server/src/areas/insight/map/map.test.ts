import { codes } from '@tocsin/contract/codes'
import { createServer, type Server } from 'node:http'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { TileType } from 'pmtiles'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeInstallation, makePlace } from '../../../../seed/fixtures.ts'
import { makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { getMapOverview, listMapDevices, listMapRecords } from './map-reads.ts'
import { makePmtiles } from '../../../../test/pmtiles.ts'
import { describeLibrary, listMapHosts } from './library.ts'
import { searchMap } from './map-search.ts'
import { createTileSource } from './tiles.ts'

const everything = new Set([
  'school:school:query',
  'police:station:query',
  'police:unit:query',
  'warn:record:query',
  'device:school-device:query',
])

describe('the map', () => {
  let fixture: AlarmFixture
  const viewer = (permissions = everything) => ({ ...fixture.zhang, permissions })
  beforeAll(async () => {
    fixture = await openAlarmFixture()
    const { first, second, all } = fixture
    await all.updateTable('school').set({ lng: 102.7, lat: 25.1 }).where('id', '=', first.id).execute()
    const room = await makePlace(fixture.db, { schoolId: first.id, kind: 'ROOM', name: '301' })
    await all.updateTable('place').set({ lng: 102.71, lat: 25.11 }).where('id', '=', room.id).execute()
    const device = await all
      .selectFrom('device')
      .selectAll()
      .where('id', '=', fixture.buttonId)
      .executeTakeFirstOrThrow()
    await makeInstallation(fixture.db, device, room)
    const at = { schoolId: first.id, deptId: first.deptId, schoolName: 'First' }
    await makeRecord(fixture.db, { ...at, level: 2 })
    await makeRecord(fixture.db, { ...at, level: 1, room: '301' })
    await makeRecord(fixture.db, { ...at, level: 4, state: 'CLOSED' })
    await makeRecord(fixture.db, { schoolId: second.id, deptId: second.deptId, schoolName: 'Second', level: 1 })
  })
  afterAll(() => fixture.end())

  it('has the open records of the schools in sight, the worst first, at the school when they have no position', async () => {
    const records = await listMapRecords(fixture.db, viewer())
    expect(records.map(({ level, schoolName }) => [level, schoolName])).toEqual([
      [1, 'First'],
      [2, 'First'],
    ])
    expect(records[0]).toMatchObject({ lng: 102.7, lat: 25.1, isClaimed: false })
    expect(await listMapRecords(fixture.db, { ...fixture.root, permissions: everything })).toHaveLength(3)
  })

  it('leaves out the layers that the user may not read', async () => {
    const { schools } = await getMapOverview(fixture.db, viewer())
    expect(schools.map(({ id }) => id)).toEqual([fixture.first.id])
    expect(await getMapOverview(fixture.db, viewer(new Set(['insight:map:query'])))).toEqual({
      schools: [],
      stations: [],
      units: [],
    })
    expect(await listMapRecords(fixture.db, viewer(new Set(['insight:map:query'])))).toEqual([])
    expect((await listMapDevices(fixture.db, viewer(new Set(['insight:map:query'])))).ids).toEqual([])
  })

  it('has the units on duty with a position, and not those off duty', async () => {
    const { deptId } = await fixture.all.selectFrom('policeStation').select('deptId').executeTakeFirstOrThrow()
    const unit = { deptId, type: 'CAR' as const, lng: 102.7, lat: 25.1 }
    await fixture.all
      .insertInto('policeUnit')
      .values([
        { ...unit, name: 'Car 1', onDuty: true },
        { ...unit, name: 'Car 2', onDuty: false },
        { ...unit, name: 'Car 3', onDuty: true, lng: null, lat: null },
      ])
      .execute()
    const { units } = await getMapOverview(fixture.db, { ...fixture.root, permissions: everything })
    expect(units.map(({ name, state }) => [name, state])).toEqual([['Car 1', 'FREE']])
  })

  it('has the devices that are installed in sight, where their place is', async () => {
    const { ids, lngs, lats, connectivities } = await listMapDevices(fixture.db, viewer())
    expect(ids).toContain(fixture.buttonId)
    expect([lngs.length, lats.length, connectivities.length]).toEqual([ids.length, ids.length, ids.length])
    expect(new Set(lngs)).toEqual(new Set([102.71]))
  })

  it('finds by name, code and first letters, in sight and by permission only', async () => {
    await fixture.all.updateTable('school').set({ name: '东湖第一小学' }).where('id', '=', fixture.first.id).execute()
    const titles = async (keyword: string, actor = viewer(everything)) =>
      (await searchMap(fixture.db, actor, keyword)).map(({ kind, title }) => `${kind} ${title}`)
    expect(await titles('dhdyxx')).toEqual(['SCHOOL 东湖第一小学'])
    expect(await titles('第一')).toEqual(['SCHOOL 东湖第一小学'])
    expect(await titles('BTN-0001')).toEqual(['DEVICE BTN-0001'])
    expect(await titles('301')).toEqual([])
    expect(await titles('301', viewer(new Set([...everything, 'school:place:query'])))).toEqual(['PLACE 301'])
    expect(await titles('Second')).toEqual([])
    expect(await titles('dhdyxx', viewer(new Set(['insight:map:query'])))).toEqual([])
  })
})

describe('the base map', () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex')
  const items: string[] = []
  let service: Server
  let url: string
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tocsin-tiles-'))
    mkdirSync(join(folder, '3/6'), { recursive: true })
    writeFileSync(join(folder, '3/6/2.png'), 'local')
    service = createServer((request, answer) => {
      items.push(request.url ?? '')
      const isKnown = request.url?.includes('tk=right') === true
      answer.writeHead(isKnown ? 200 : 403, { 'content-type': isKnown ? 'image/png' : 'text/html' })
      answer.end(isKnown ? png : 'refused')
    })
    await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready))
    url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  })
  afterAll(() => {
    service.close()
    rmSync(folder, { recursive: true })
  })
  const tile = { layer: 'vec', z: 3, x: 6, y: 2 } as const

  it('comes from the national service when there is a key, which stays on the server', async () => {
    const source = createTileSource({ key: 'right', url })
    expect(await source.describe()).toMatchObject({ source: 'TIANDITU', state: 'READY' })
    const answer = await source.tile({ ...tile, layer: 'cva' })
    expect(answer.type).toBe('image/png')
    expect(await buffer(answer.stream)).toEqual(png)
    expect(items.at(-1)).toContain('/cva_w/wmts?SERVICE=WMTS')
    expect(items.at(-1)).toMatch(/LAYER=cva.*TILEMATRIX=3&TILEROW=2&TILECOL=6&tk=right/)
  })

  it('says that the service refuses the key, and falls back to the folder', async () => {
    expect(await createTileSource({ key: 'wrong', url }).describe()).toMatchObject({ state: 'REFUSED' })
    const source = createTileSource({ key: 'wrong', url, local: folder })
    expect(await source.describe()).toEqual({ source: 'FOLDER', state: 'REFUSED', layers: ['vec'], archive: null })
    expect(String(await buffer((await source.tile(tile)).stream))).toBe('local')
    await expect(source.tile({ ...tile, layer: 'cva' })).rejects.toMatchObject({ code: codes.mapTileMissing.code })
  })

  it('says that the service cannot be reached', async () => {
    const source = createTileSource({ key: 'right', url: 'http://127.0.0.1:1' })
    expect(await source.describe()).toMatchObject({ source: 'TIANDITU', state: 'UNREACHABLE' })
  })

  it('serves the folder without asking a service that cannot be reached, and notices that it is back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    let status = 503
    let asked = 0
    const flaky = createServer((_request, answer) => {
      asked += 1
      answer.writeHead(status, { 'content-type': 'image/png' })
      answer.end(png)
    })
    await new Promise<void>((ready) => flaky.listen(0, '127.0.0.1', ready))
    const source = createTileSource({
      key: 'right',
      url: `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`,
      local: folder,
    })
    const read = async () => buffer((await source.tile(tile)).stream)
    expect(await source.describe()).toMatchObject({ source: 'FOLDER', state: 'UNREACHABLE' })
    expect([String(await read()), String(await read()), asked]).toEqual(['local', 'local', 1])
    status = 200
    vi.setSystemTime(Date.now() + 5_000)
    expect(String(await read())).toBe('local')
    await expect.poll(read).toEqual(png)
    flaky.close()
    vi.useRealTimers()
  })

  it('keeps its state when the service has no tile at one place, which says nothing about the key', async () => {
    let status = 200
    const sparse = createServer((_request, answer) => {
      answer.writeHead(status, { 'content-type': status === 200 ? 'image/png' : 'text/html' })
      answer.end(png)
    })
    await new Promise<void>((ready) => sparse.listen(0, '127.0.0.1', ready))
    const source = createTileSource({ key: 'right', url: `http://127.0.0.1:${(sparse.address() as AddressInfo).port}` })
    expect(await source.describe()).toMatchObject({ state: 'READY' })
    status = 404
    await expect(source.tile(tile)).rejects.toMatchObject({ code: codes.mapTileMissing.code })
    expect(await source.describe()).toMatchObject({ state: 'READY' })
    sparse.close()
  })

  it('comes from the folder without a key and without a request, and is absent without both', async () => {
    const before = items.length
    const local = createTileSource({ url, local: folder })
    expect(await local.describe()).toEqual({ source: 'FOLDER', state: 'READY', layers: ['vec'], archive: null })
    await expect(local.tile({ ...tile, y: 3 })).rejects.toThrow()
    expect(items).toHaveLength(before)
    expect(await createTileSource({}).describe()).toEqual({
      source: 'NONE',
      state: 'NO_KEY',
      layers: [],
      archive: null,
    })
  })
})

describe('a map without a key', () => {
  it('sends no request, whatever is asked of it', async () => {
    const fetched = vi.fn<typeof fetch>(() => Promise.reject(new Error('a request')))
    vi.stubGlobal('fetch', fetched)
    for (const sources of [{}, { key: '' }, { local: join(tmpdir(), 'no-tiles') }, { browserKey: '' }]) {
      const source = createTileSource(sources)
      await source.describe()
      for (const layer of ['vec', 'img', 'cva'] as const)
        await expect(source.tile({ layer, z: 3, x: 6, y: 2 })).rejects.toMatchObject({
          code: codes.mapTileMissing.code,
        })
      expect([describeLibrary(sources), listMapHosts(sources)]).toEqual([{ url: null, tiles: null }, []])
    }
    vi.unstubAllGlobals()
    expect(fetched).not.toHaveBeenCalled()
  })
})

describe('a base map from a PMTiles file', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tocsin-pmtiles-')), 'base.pmtiles')
  afterAll(() => rmSync(dirname(path), { recursive: true }))
  const tile = { layer: 'vec', z: 1, x: 1, y: 0 } as const
  const metadata = {
    attribution: '<a href="https://maps.test">© Maps & more</a>',
    vector_layers: [{ id: 'water' }, { id: 'roads' }],
  }

  it('has vectors or pictures, as its header says, and follows another file in its place', async () => {
    const source = createTileSource({ local: path })
    expect(await source.describe()).toMatchObject({ source: 'NONE', state: 'UNREADABLE' })

    writeFileSync(path, makePmtiles({ tileType: TileType.Mvt, tiles: [[1, 1, 0, 'vector']], metadata }))
    const archive = { minZoom: 1, maxZoom: 1, vectorLayers: ['water', 'roads'], attribution: '© Maps &amp; more' }
    expect(await source.describe()).toEqual({ source: 'FILE', state: 'READY', layers: ['vec'], archive })
    const answer = await source.tile(tile)
    expect(answer.type).toBe('application/vnd.mapbox-vector-tile')
    expect(String(await buffer(answer.stream))).toBe('vector')
    for (const missing of [
      { ...tile, x: 0 },
      { ...tile, x: 2 },
      { ...tile, z: 2 },
      { ...tile, layer: 'cva' as const },
    ])
      await expect(source.tile(missing)).rejects.toMatchObject({ code: codes.mapTileMissing.code })

    writeFileSync(path, makePmtiles({ tileType: TileType.Png, tiles: [[1, 1, 0, 'a picture']], metadata: {} }))
    expect(String(await buffer((await source.tile(tile)).stream))).toBe('a picture')
    expect(await source.describe()).toMatchObject({ archive: { vectorLayers: [], attribution: '' } })
    const refused = createTileSource({ key: 'right', url: 'http://127.0.0.1:1', local: path })
    expect(await refused.describe()).toMatchObject({ source: 'FILE', state: 'UNREACHABLE' })
  })

  it('is no base map when it is damaged', async () => {
    writeFileSync(path, 'PMTiles of another kind')
    const source = createTileSource({ local: path })
    expect(await source.describe()).toMatchObject({ source: 'NONE', state: 'UNREADABLE', archive: null })
    await expect(source.tile(tile)).rejects.toMatchObject({ code: codes.mapTileMissing.code })
  })
})

describe('the library of the national map service', () => {
  it('is offered with a key for browsers only, and needs no host without one', () => {
    const serverOnly = { key: 'server', url: 'https://maps.test' }
    expect([describeLibrary(serverOnly), listMapHosts(serverOnly)]).toEqual([{ url: null, tiles: null }, []])
    expect(listMapHosts({ browserKey: '' })).toEqual([])
  })

  it('comes from the public servers or the mirror, and never with the key of the server', () => {
    const sources = { key: 'server', browserKey: 'browser' }
    const { url, tiles } = describeLibrary(sources)
    expect(url).toBe('https://api.tianditu.gov.cn/api?v=4.0&tk=browser')
    expect(tiles).toContain('https://t0.tianditu.gov.cn/{layer}_w/wmts?SERVICE=WMTS')
    expect(tiles).toMatch(/LAYER=\{layer\}.*TILEMATRIX=\{z\}&TILEROW=\{y\}&TILECOL=\{x\}&tk=browser$/)
    expect(listMapHosts(sources)).toEqual(['https://*.tianditu.gov.cn'])
    const mirror = { ...sources, url: 'http://10.0.0.5:8080/tdt' }
    expect(describeLibrary(mirror).url).toBe('http://10.0.0.5:8080/tdt/api?v=4.0&tk=browser')
    expect(listMapHosts(mirror)).toEqual(['http://10.0.0.5:8080'])
  })
})
