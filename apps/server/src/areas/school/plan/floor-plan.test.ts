import { codes } from '@tocsin/contract/codes'
import type { FloorPlanRow, FloorView } from '@tocsin/contract/school/plan/floor-plan'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDevice, makeInstallation, makeModel, makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../test/admin-fixture.ts'
import { makePicture } from '../../../../test/file-server.ts'
import { configureFileStore } from '#areas/files/file-store'
import { insertFile, storeContent } from '#areas/files/store-file'
import { unscoped } from '#db/scope'
import { folderStore } from '#store/folder'
import { placeRoutes } from '../place.ts'
import { floorPlanRoutes } from './floor-plan.ts'

let fixture: AdminFixture
let head: { token: string }
let headId: number
let fitter: { token: string }
let stranger: { token: string }
const folder = mkdtempSync(join(tmpdir(), 'plans-'))
beforeAll(async () => {
  fixture = await openAdminFixture((db) => [...placeRoutes({ db }), ...floorPlanRoutes({ db })])
  configureFileStore({ store: folderStore(join(folder, 'files')), linkKey: randomBytes(32), sheets: folder })
  const permissions = ['query', 'create', 'update', 'delete'].map((verb) => `school:place:${verb}`)
  await fixture.makeRole('head', { permissions })
  const { eastSchool, westSchool } = fixture
  const made = await makeUser(fixture.db, { username: 'head', password, deptId: eastSchool.deptId, roles: ['head'] })
  headId = made.id
  await makeUser(fixture.db, { username: 'stranger', password, deptId: westSchool.deptId, roles: ['head'] })
  await fixture.makeRole('fitter', { permissions: [...permissions, 'device:school-device:install'] })
  await makeUser(fixture.db, { username: 'fitter', password, deptId: eastSchool.deptId, roles: ['fitter'] })
  head = await fixture.signedIn('head')
  fitter = await fixture.signedIn('fitter')
  stranger = await fixture.signedIn('stranger')
})
afterAll(async () => {
  await fixture.close()
  rmSync(folder, { recursive: true, force: true })
})

const upload = async (owner = headId, type = 'image/png') => {
  const path = join(folder, 'picture.png')
  writeFileSync(path, await makePicture(400, 300))
  const content = await storeContent(fixture.db, path)
  const given = { name: '一层.png', type, size: 100, owner, purpose: 'DRAFT', image: type === 'image/png' } as const
  return (await insertFile(fixture.db, content, given)).id
}
const place = async (given: object) => {
  const body = { schoolId: fixture.eastSchool.id, ...given }
  return Number((await fixture.post('/school/place/create', body, head)).data)
}
const create = (placeId: number, fileId: number, as = head) =>
  fixture.post('/school/floor-plan/create', { placeId, fileId }, as)
const list = async (as = head) =>
  (await fixture.get(`/school/floor-plan/list?schoolId=${fixture.eastSchool.id}`, as)).data as unknown as FloorPlanRow[]
const view = async (placeId: number, as = head) =>
  (await fixture.get(`/school/floor-plan/view?placeId=${placeId}`, as)).data as unknown as FloorView | null
const publish = (id: number, version: number) => fixture.post('/school/floor-plan/publish', { id, version }, head)

describe('floor plans', () => {
  let building: number
  let floor: number
  let room: number
  it('take an own picture for a floor and number the editions', async () => {
    building = await place({ kind: 'BUILDING', name: '教学楼' })
    floor = await place({ kind: 'FLOOR', name: '1层', parentId: building })
    room = await place({ kind: 'ROOM', name: '101室', parentId: floor })
    expect((await create(floor, await upload())).code).toBe(200)
    expect((await create(floor, await upload())).code).toBe(200)
    expect(await list()).toMatchObject([
      { placeId: floor, number: 2, width: 400, height: 300, publishedAt: null },
      { placeId: floor, number: 1 },
    ])
    for (const [at, file] of [
      [building, await upload()],
      [floor, await upload(1)],
      [floor, await upload(headId, 'application/pdf')],
    ] as const)
      expect((await create(at, file)).code).toBe(400)
  })

  it('show the published edition of the floor with its rooms and devices for every place on it', async () => {
    const [second, first] = await list()
    expect(await view(room)).toMatchObject({ floorId: floor, plan: null, rooms: [{ id: room }] })
    expect((await publish(first?.id ?? 0, 1)).code).toBe(200)
    expect((await publish(second?.id ?? 0, 1)).code).toBe(200)
    expect((await publish(first?.id ?? 0, 1)).code).toBe(codes.stale.code)
    const { id: modelId } = await makeModel(fixture.db)
    const { device } = await makeDevice(fixture.db, { modelId, key: Buffer.alloc(32), sn: 'BTN-7' })
    await makeInstallation(fixture.db, device, { id: room, schoolId: fixture.eastSchool.id })
    const polygon = [
      [0.1, 0.1],
      [0.4, 0.1],
      [0.4, 0.4],
    ]
    const edit = (corners: number[][], version: number) =>
      fixture.put('/school/place/update', { id: room, version, polygon: corners }, head)
    expect((await edit([...polygon, [0.2, 0], [0.1, 0.4]], 1)).code).toBe(codes.outlineCrosses.code)
    expect((await edit(polygon, 1)).code).toBe(200)
    const planRoute = [
      [0, 0.5],
      [0.25, 0.4],
    ]
    const draw = (route: unknown, version: number) =>
      fixture.put('/school/place/update', { id: room, version, planRoute: route }, head)
    expect((await draw([[0, 0.5]], 2)).code).toBe(400)
    expect((await draw(planRoute, 2)).code).toBe(200)
    const { id: cameraModel } = await makeModel(fixture.db, { kind: 'CAMERA' })
    const camera = await makeDevice(fixture.db, { modelId: cameraModel, key: Buffer.alloc(32), sn: 'CAM-1' })
    await makeInstallation(fixture.db, camera.device, { id: floor, schoolId: fixture.eastSchool.id })
    const shown = await view(room)
    expect(shown).toMatchObject({ floorName: '1层', plan: { number: 2 }, rooms: [{ name: '101室', polygon }] })
    expect(shown?.rooms[0]?.planRoute).toEqual(planRoute)
    expect(shown?.devices).toMatchObject([
      { sn: 'BTN-7', placeId: room, connectivity: 'NEVER_SEEN', planX: null, isCamera: false },
      { sn: 'CAM-1', placeId: floor, isCamera: true },
    ])
    expect(shown?.plan?.url).toMatch(/infra\/file\/\d+\?e=/)
    expect(await view(building)).toBeNull()
  })

  it('keep scale, north and control points, and the published edition', async () => {
    const [second, first] = await list()
    const { id = 0, version = 0 } = second ?? {}
    const edit = (body: object) => fixture.put('/school/floor-plan/update', { id, version, ...body }, head)
    expect((await edit({ metresPerPixel: 0.05, north: 90 })).code).toBe(200)
    expect((await edit({ north: 10 })).code).toBe(codes.stale.code)
    expect((await list())[0]).toMatchObject({ metresPerPixel: 0.05, north: 90, controlPoints: null })
    const controlPoints = [
      { x: 0, y: 0, lng: 102.7, lat: 25.1 },
      { x: 1, y: 0, lng: 102.701, lat: 25.1 },
      { x: 0, y: 1, lng: 102.7, lat: 25.099 },
    ]
    const lay = (points: object[] | null) =>
      fixture.put('/school/floor-plan/update', { id, version: version + 1, controlPoints: points }, head)
    expect((await lay(controlPoints.slice(0, 2))).code).toBe(400)
    const inLine = controlPoints.map((point, at) => ({ ...point, x: at / 2, y: at / 2 }))
    expect((await lay(inLine)).code).toBe(codes.controlPointsInLine.code)
    expect((await lay(controlPoints)).code).toBe(200)
    expect((await list())[0]).toMatchObject({ controlPoints })
    const remove = (plan: number) => fixture.remove(`/school/floor-plan/delete?id=${plan}`, head)
    expect((await remove(id)).code).toBe(codes.floorPlanPublished.code)
    expect((await remove(first?.id ?? 0)).code).toBe(200)
    const log = await unscoped(fixture.db, 'test')
      .selectFrom('auditLog')
      .select('action')
      .where('subject', '=', 'floor_plan')
      .execute()
    expect(log.length).toBeGreaterThanOrEqual(7)
  })

  it('are deleted with their floor only when that was asked for', async () => {
    const attic = await place({ kind: 'FLOOR', name: '阁楼', parentId: building })
    const plan = Number((await create(attic, await upload())).data)
    expect((await publish(plan, 1)).code).toBe(200)
    const { data } = await fixture.get(`/school/place/list?schoolId=${fixture.eastSchool.id}`, head)
    expect(data).toContainEqual(expect.objectContaining({ id: attic, floorPlanCount: 1 }))
    const remove = (more = '') => fixture.remove(`/school/place/delete?id=${attic}${more}`, head)
    expect(await remove()).toMatchObject({ code: codes.placeFloorPlans.code, data: { params: { count: 1 } } })
    expect(await list()).toContainEqual(expect.objectContaining({ id: plan }))
    expect((await remove('&withFloorPlans=true')).code).toBe(200)
    expect((await fixture.audits('floor_plan', plan)).map(({ action }) => action)).toContain('school:place:delete')
  })

  const square = [
    [0.5, 0.5],
    [0.9, 0.5],
    [0.9, 0.9],
    [0.5, 0.9],
  ]
  const shownNow = async () => {
    const seen = await view(room)
    const { id = 0, version = 0, planX = null, planY = null } = seen?.devices.find(({ sn }) => sn === 'BTN-7') ?? {}
    return { plan: seen?.plan ?? null, room: seen?.rooms[0], pin: { id, version, at: [planX, planY] } }
  }
  const draw = (body: object, as = fitter) =>
    fixture.post('/school/floor-plan/draw', { placeId: floor, places: [], pins: [], ...body }, as)

  it('keep what is drawn on an edition out of sight until it is published, and give it back with that edition', async () => {
    const before = await shownNow()
    expect((await create(floor, await upload())).code).toBe(200)
    const [next] = await list()
    const { id: planId = 0, version = 0 } = next ?? {}
    const places = [{ id: room, version: 0, polygon: square, planRoute: null }]
    const pins = [{ id: before.pin.id, version: 0, at: [0.25, 0.5] }]
    expect((await draw({ id: planId, version, places, pins }, head)).code).toBe(codes.forbidden.code)
    expect((await draw({ id: planId, version, places, pins })).code).toBe(200)
    expect((await draw({ id: planId, version, places })).code).toBe(codes.stale.code)
    const controlPoints = [
      { x: 0, y: 0, lng: 102.7, lat: 25.1 },
      { x: 1, y: 0, lng: 102.704, lat: 25.1 },
      { x: 0, y: 1, lng: 102.7, lat: 25.098 },
    ]
    const laid = { id: planId, version: version + 1, controlPoints }
    expect((await fixture.put('/school/floor-plan/update', laid, head)).code).toBe(200)
    expect(await shownNow()).toEqual(before)

    expect((await publish(planId, version + 2)).code).toBe(200)
    const after = await shownNow()
    expect(after).toMatchObject({
      plan: { id: planId, drawing: null },
      room: { polygon: square, planRoute: null },
      pin: { at: [0.25, 0.5] },
    })
    const device = await unscoped(fixture.db, 'test')
      .selectFrom('schoolDevice')
      .select(['lng', 'lat'])
      .where('id', '=', before.pin.id)
      .executeTakeFirst()
    expect(device).toEqual({ lng: 102.701, lat: 25.099 })

    const old = (await list()).find(({ id }) => id === before.plan?.id)
    expect(old?.drawing?.places).toEqual([
      { id: room, polygon: before.room?.polygon, planRoute: before.room?.planRoute },
    ])
    expect((await publish(old?.id ?? 0, old?.version ?? 0)).code).toBe(200)
    const { polygon, planRoute } = before.room ?? {}
    expect(await shownNow()).toMatchObject({ room: { polygon, planRoute }, pin: { at: [null, null] } })
  })

  it('store a drawing all or none when another user changed one place or the edition meanwhile', async () => {
    const { plan, room: seen, pin } = await shownNow()
    const places = [{ id: room, version: seen?.version, polygon: square }]
    const shown = { id: plan?.id, version: plan?.version, places, pins: [{ ...pin, at: [0.5, 0.5] }] }
    expect(
      (await fixture.put('/school/place/update', { id: room, accessNotes: '后门', version: seen?.version }, head)).code,
    ).toBe(200)
    expect((await draw(shown)).code).toBe(codes.stale.code)
    expect((await shownNow()).pin).toEqual(pin)
    expect((await draw({ ...shown, id: null, version: null })).code).toBe(codes.stale.code)
    expect((await draw({ ...shown, version: 1 })).code).toBe(codes.stale.code)
    expect((await draw({ ...shown, pins: [{ ...pin, id: 999_999 }] })).code).toBe(400)
    const fresh = [{ id: room, version: (seen?.version ?? 0) + 1, polygon: square }]
    const crossing = [square[0], square[2], square[1], square[3]]
    expect((await draw({ ...shown, places: [{ ...fresh[0], polygon: crossing }] })).code).toBe(
      codes.outlineCrosses.code,
    )
    expect((await draw({ ...shown, places: fresh })).code).toBe(200)
    expect(await shownNow()).toMatchObject({ room: { polygon: square }, pin: { at: [0.5, 0.5] } })
  })

  it('are invisible to users of another school', async () => {
    expect((await draw({ id: null, version: null }, stranger)).code).toBe(400)
    expect(await list(stranger)).toEqual([])
    expect(await view(room, stranger)).toBeNull()
    expect((await create(floor, await upload(), stranger)).code).toBe(400)
  })
})
