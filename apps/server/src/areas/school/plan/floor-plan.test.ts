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

let world: AdminFixture
let head: { token: string }
let headId: number
let stranger: { token: string }
const folder = mkdtempSync(join(tmpdir(), 'plans-'))
beforeAll(async () => {
  world = await openAdminFixture((db) => [...placeRoutes({ db }), ...floorPlanRoutes({ db })])
  configureFileStore({ store: folderStore(join(folder, 'files')), linkKey: randomBytes(32), sheets: folder })
  const permissions = ['query', 'create', 'update', 'delete'].map((verb) => `school:place:${verb}`)
  await world.makeRole('head', { permissions })
  const { eastSchool, westSchool } = world
  const made = await makeUser(world.db, { username: 'head', password, deptId: eastSchool.deptId, roles: ['head'] })
  headId = made.id
  await makeUser(world.db, { username: 'stranger', password, deptId: westSchool.deptId, roles: ['head'] })
  head = await world.signedIn('head')
  stranger = await world.signedIn('stranger')
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const upload = async (owner = headId, type = 'image/png') => {
  const path = join(folder, 'picture.png')
  writeFileSync(path, await makePicture(400, 300))
  const content = await storeContent(world.db, path)
  const given = { name: '一层.png', type, size: 100, owner, purpose: 'DRAFT', image: type === 'image/png' } as const
  return (await insertFile(world.db, content, given)).id
}
const place = async (given: object) => {
  const body = { schoolId: world.eastSchool.id, ...given }
  return Number((await world.post('/school/place/create', body, head)).data)
}
const create = (placeId: number, fileId: number, as = head) =>
  world.post('/school/floor-plan/create', { placeId, fileId }, as)
const list = async (as = head) =>
  (await world.get(`/school/floor-plan/list?schoolId=${world.eastSchool.id}`, as)).data as unknown as FloorPlanRow[]
const view = async (placeId: number, as = head) =>
  (await world.get(`/school/floor-plan/view?placeId=${placeId}`, as)).data as unknown as FloorView | null
const publish = (id: number, version: number) => world.post('/school/floor-plan/publish', { id, version }, head)

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
    const { id: modelId } = await makeModel(world.db)
    const { device } = await makeDevice(world.db, { modelId, key: Buffer.alloc(32), sn: 'BTN-7' })
    await makeInstallation(world.db, device, { id: room, schoolId: world.eastSchool.id })
    const polygon = [
      [0.1, 0.1],
      [0.4, 0.1],
      [0.4, 0.4],
    ]
    const edit = (corners: number[][], version: number) =>
      world.put('/school/place/update', { id: room, version, polygon: corners }, head)
    expect((await edit([...polygon, [0.2, 0], [0.1, 0.4]], 1)).code).toBe(codes.outlineCrosses.code)
    expect((await edit(polygon, 1)).code).toBe(200)
    const planRoute = [
      [0, 0.5],
      [0.25, 0.4],
    ]
    const draw = (route: unknown, version: number) =>
      world.put('/school/place/update', { id: room, version, planRoute: route }, head)
    expect((await draw([[0, 0.5]], 2)).code).toBe(400)
    expect((await draw(planRoute, 2)).code).toBe(200)
    const { id: cameraModel } = await makeModel(world.db, { kind: 'CAMERA' })
    const camera = await makeDevice(world.db, { modelId: cameraModel, key: Buffer.alloc(32), sn: 'CAM-1' })
    await makeInstallation(world.db, camera.device, { id: floor, schoolId: world.eastSchool.id })
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
    const edit = (body: object) => world.put('/school/floor-plan/update', { id, version, ...body }, head)
    expect((await edit({ metresPerPixel: 0.05, north: 90 })).code).toBe(200)
    expect((await edit({ north: 10 })).code).toBe(codes.stale.code)
    expect((await list())[0]).toMatchObject({ metresPerPixel: 0.05, north: 90, controlPoints: null })
    const controlPoints = [
      { x: 0, y: 0, lng: 102.7, lat: 25.1 },
      { x: 1, y: 0, lng: 102.701, lat: 25.1 },
      { x: 0, y: 1, lng: 102.7, lat: 25.099 },
    ]
    const lay = (points: object[] | null) =>
      world.put('/school/floor-plan/update', { id, version: version + 1, controlPoints: points }, head)
    expect((await lay(controlPoints.slice(0, 2))).code).toBe(400)
    const inLine = controlPoints.map((point, at) => ({ ...point, x: at / 2, y: at / 2 }))
    expect((await lay(inLine)).code).toBe(codes.controlPointsInLine.code)
    expect((await lay(controlPoints)).code).toBe(200)
    expect((await list())[0]).toMatchObject({ controlPoints })
    const remove = (plan: number) => world.remove(`/school/floor-plan/delete?id=${plan}`, head)
    expect((await remove(id)).code).toBe(codes.floorPlanPublished.code)
    expect((await remove(first?.id ?? 0)).code).toBe(200)
    const log = await unscoped(world.db, 'test')
      .selectFrom('auditLog')
      .select('action')
      .where('subject', '=', 'floor_plan')
      .execute()
    expect(log.length).toBeGreaterThanOrEqual(7)
  })

  it('are invisible to users of another school', async () => {
    expect(await list(stranger)).toEqual([])
    expect(await view(room, stranger)).toBeNull()
    expect((await create(floor, await upload(), stranger)).code).toBe(400)
  })
})
