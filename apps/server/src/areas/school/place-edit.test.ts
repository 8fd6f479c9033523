import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDevice, makeInstallation, makeModel, makeUser } from '../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../test/admin-fixture.ts'
import { unscoped } from '#db/scope'
import { placeRoutes } from './place.ts'

let fixture: AdminFixture
let head: { token: string }
let schoolId: number
beforeAll(async () => {
  fixture = await openAdminFixture((db) => placeRoutes({ db }))
  schoolId = fixture.eastSchool.id
  const permissions = ['query', 'create', 'update', 'delete'].map((verb) => `school:place:${verb}`)
  await fixture.makeRole('head', { permissions })
  await makeUser(fixture.db, { username: 'head', password, deptId: fixture.eastSchool.deptId, roles: ['head'] })
  head = await fixture.signedIn('head')
})
afterAll(() => fixture.close())

type Listed = {
  id: number
  name: string
  parentId: number | null
  floorNo: number | null
  version: number
  coordinateSystem: string
  deviceCount: number
}
const list = async () =>
  (await fixture.get(`/school/place/list?schoolId=${schoolId}`, head)).data as unknown as Listed[]
const find = async (name: string) => {
  const found = (await list()).find((item) => item.name === name)
  if (!found) throw new Error(`there is no place ${name}`)
  return found
}
const create = async (given: object, as = head) =>
  fixture.post('/school/place/create', { schoolId, kind: 'BUILDING', name: '教学楼', ...given }, as)
const move = async (name: string, parent: string | null, beforeId: number | null = null) => {
  const { id, version } = await find(name)
  const parentId = parent === null ? 0 : (await find(parent)).id
  return fixture.post('/school/place/move', { id, version, parentId, beforeId }, head)
}

describe('places of a school', () => {
  it('are created one by one and by floors and rooms, skipping existing ones', async () => {
    expect((await create({})).code).toBe(200)
    expect(await create({})).toMatchObject({ code: codes.placeName.code, msg: '同一上级下已有名为「教学楼」的位置' })
    const { id: parentId } = await find('教学楼')
    const plan = {
      schoolId,
      parentId,
      floorFrom: 1,
      floorTo: 3,
      floorName: '{n}层',
      roomFrom: 1,
      roomTo: 4,
      roomName: '{floor}{room}室',
    }
    expect((await fixture.post('/school/place/create-many', plan, head)).data).toEqual({ created: 15, skipped: 0 })
    expect((await fixture.post('/school/place/create-many', { ...plan, roomTo: 5 }, head)).data).toEqual({
      created: 3,
      skipped: 15,
    })
    const floor = await find('2层')
    expect(await find('204室')).toMatchObject({ parentId: floor.id, floorNo: 2, deviceCount: 0 })
    expect((await fixture.post('/school/place/create-many', { ...plan, roomTo: 999 }, head)).code).toBe(
      codes.placesTooMany.code,
    )
  })

  it('move with the places below, in order, and never into themselves', async () => {
    await create({ name: '体育馆' })
    expect((await move('教学楼', '2层')).code).toBe(codes.placeCycle.code)
    expect((await move('教学楼', '教学楼')).code).toBe(codes.placeCycle.code)
    expect((await move('3层', '体育馆')).code).toBe(200)
    expect(await find('3层')).toMatchObject({ parentId: (await find('体育馆')).id })
    expect((await move('体育馆', null, (await find('教学楼')).id)).code).toBe(200)
    const top = (await list()).filter(({ parentId }) => parentId === null).map(({ name }) => name)
    expect(top).toEqual(['体育馆', '教学楼'])
  })

  it('never form a cycle when two users move concurrently', async () => {
    await create({ name: '甲楼' })
    await create({ name: '乙楼' })
    const answers = await Promise.all([move('甲楼', '乙楼'), move('乙楼', '甲楼')])
    expect(answers.map(({ code }) => code).sort((a, b) => Number(a) - Number(b))).toEqual([200, codes.placeCycle.code])
  })

  it('are changed one by one with their version, or several at once, with audit', async () => {
    const { id, version } = await find('101室')
    const other = await find('102室')
    expect((await fixture.put('/school/place/update', { id, version, name: '财务室' }, head)).code).toBe(200)
    expect((await fixture.put('/school/place/update', { id, version, name: '仓库' }, head)).code).toBe(409)
    const ids = [id, other.id]
    expect(
      (await fixture.put('/school/place/update-many', { ids, keyPart: true, sensitivity: 'PRIVATE' }, head)).code,
    ).toBe(200)
    expect(await find('财务室')).toMatchObject({ keyPart: true, sensitivity: 'PRIVATE' })
    expect((await fixture.audits('place', id)).map(({ action }) => action)).toEqual([
      'school:place:create',
      'school:place:update',
      'school:place:update',
    ])
  })

  it('keep the source of a position until the position is changed without one', async () => {
    await create({ name: '操场' })
    const sourceAfter = async (position: object) => {
      const { id, version } = await find('操场')
      expect((await fixture.put('/school/place/update', { id, version, ...position }, head)).code).toBe(200)
      return (await find('操场')).coordinateSystem
    }
    expect(await sourceAfter({ lng: 116.4, lat: 39.9, coordinateSystem: 'BD09' })).toBe('BD09')
    expect(await sourceAfter({ code: 'C-1' })).toBe('BD09')
    expect(await sourceAfter({ lng: 116.5 })).toBe('CGCS2000')
  })

  it('cannot be deleted while they contain places or devices', async () => {
    const remove = async (id: number) => fixture.remove(`/school/place/delete?id=${id}`, head)
    const floor = await find('1层')
    expect(await remove(floor.id)).toMatchObject({
      code: codes.placeChildren.code,
      data: { params: { names: '财务室, 102室, 103室…' } },
    })
    const { id } = await find('103室')
    const { id: modelId } = await makeModel(fixture.db)
    const { device } = await makeDevice(fixture.db, { modelId, key: Buffer.alloc(32) })
    const place = await unscoped(fixture.db, 'test')
      .selectFrom('place')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await makeInstallation(fixture.db, device, place)
    expect(await remove(id)).toMatchObject({
      code: codes.placeDevices.code,
      msg: `还有 1 台设备安装在这里（${device.sn}），请先换位或拆除`,
    })
    expect(await find('103室')).toMatchObject({ deviceCount: 1 })
    expect((await remove((await find('104室')).id)).code).toBe(200)
    await unscoped(fixture.db, 'test')
      .updateTable('schoolDevice')
      .set({ validTo: new Date() })
      .where('placeId', '=', id)
      .execute()
    expect(await remove(id)).toMatchObject({
      code: codes.placePastDevices.code,
      data: { params: { names: device.sn } },
    })
  })

  it('of another school cannot be reached', async () => {
    expect((await create({ schoolId: fixture.westSchool.id })).code).toBe(404)
    const far = await fixture.post('/school/place/create', {
      schoolId: fixture.westSchool.id,
      kind: 'BUILDING',
      name: '西楼',
    })
    expect((await create({ parentId: far.data })).code).toBe(codes.placeParent.code)
    expect((await fixture.remove(`/school/place/delete?id=${far.data}`, head)).code).toBe(404)
  })
})
