import { whyNotSchoolTransition, schoolRule, type SchoolVerb, schoolVerbs } from '@tocsin/contract/school/school-status'
import { codes } from '@tocsin/contract/codes'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  deptByCode,
  makeDept,
  makeDevice,
  makeInstallation,
  makeModel,
  makePlace,
  makeUser,
} from '../../../seed/fixtures.ts'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../test/admin-fixture.ts'
import { unscoped } from '#db/scope'
import { employeeRoutes } from './employee/routes.ts'
import { placeRoutes } from './place.ts'
import { schoolRoutes } from './school.ts'
import { possessions } from './school-edit.ts'
import { sampleSize } from '../../../test/sample-size.ts'

let world: AdminFixture
let station: number
let head: { token: string }
let count = 0

const contacts = [{ role: 'GUARD_ROOM', name: '保安室', phone: '13912345678', verifiedOn: '2026-11-01' }]

beforeAll(async () => {
  world = await openAdminFixture((db) => [...schoolRoutes({ db }), ...employeeRoutes({ db }), ...placeRoutes({ db })])
  const police = await deptByCode(world.db, 'POLICE')
  station = (await makeDept(world.db, { kind: 'POLICE_STATION', name: '东湖派出所', parentId: police })).id
  const permissions = ['school:school:query', 'school:school:update', 'school:school:create', 'school:school:status']
  await world.makeRole('head', { permissions })
  await makeUser(world.db, { username: 'head', password, deptId: world.eastSchool.deptId, roles: ['head'] })
  head = await world.signedIn('head')
})
afterAll(() => world.close())

const draft = (given: object = {}) => {
  count += 1
  return {
    code: `NEW${count}`,
    name: `新学校${count}`,
    stage: 'PRIMARY',
    areaType: 'URBAN',
    eduDeptId: world.east.id,
    ...given,
  }
}
const create = async (given: object = {}) => Number((await world.post('/school/school/create', draft(given))).data)
const stored = (id: number) =>
  unscoped(world.db, 'test').selectFrom('school').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const edit = async (id: number, given: object, as?: { token: string }) =>
  world.put('/school/school/update', { id, version: (await stored(id)).version, ...given }, as)
const act = async (verb: string, id: number, given: object = {}) =>
  world.post(`/school/school/${verb}`, { id, version: (await stored(id)).version, ...given })

describe('creating a school', () => {
  it('creates its department below the education department, audits both and notifies screens', async () => {
    await world.told()
    const id = await create({ policeDeptId: station, emergencyContacts: contacts })
    const school = await stored(id)
    expect(school).toMatchObject({ status: 'PREPARING', policeDeptId: station, emergencyContacts: contacts })
    const dept = await world.db.selectFrom('dept').selectAll().where('id', '=', school.deptId).executeTakeFirstOrThrow()
    expect(dept).toMatchObject({ kind: 'SCHOOL', name: school.name, parentId: world.east.id })
    expect(await world.audits('school', id)).toMatchObject([{ action: 'school:school:create', before: null }])
    expect((await world.told()).map(({ type }) => type)).toContain('school.changed')
    expect((await world.get(`/school/school/get?id=${id}`)).data).toMatchObject({
      eduDeptName: '东区教育局',
      policeDeptName: '东湖派出所',
      deviceCount: 0,
      stepsDone: ['STATION', 'CONTACTS'],
    })
  })

  it('names the field when the code is taken, the station is invalid, or the fence is wrong', async () => {
    const { code } = await stored(world.eastSchool.id)
    const post = async (given: object) => world.post('/school/school/create', draft(given))
    expect(await post({ code })).toMatchObject({ code: codes.duplicate.code, msg: '学校代码已存在' })
    expect((await post({ policeDeptId: world.east.id })).data).toMatchObject({ errors: [{ field: 'policeDeptId' }] })
    expect((await post({ lng: 114 })).data).toMatchObject({ errors: [{ field: 'lat' }] })
    const fence = (...corners: number[][]) => ({ geofence: { type: 'Polygon', coordinates: [corners] } })
    expect((await post(fence([0, 0], [1, 0], [1, 1], [0, 1]))).data).toMatchObject({ errors: [{ field: 'geofence' }] })
    expect(await post(fence([0, 0], [1, 1], [1, 0], [0, 1], [0, 0]))).toMatchObject({
      code: codes.fenceCrosses.code,
      msg: '围栏的边线在第 1 个顶点之后与另一条边相交',
    })
    expect((await post(fence([0, 0], [1, 0], [1, 1], [0, 1], [0, 0]))).code).toBe(200)
  })

  it('is rejected below an invisible department', async () => {
    expect((await world.post('/school/school/create', draft(), head)).code).toBe(codes.deptParentMissing.code)
  })
})

describe('changing a school', () => {
  it('renames its department, keeps masked numbers, and rejects a stale version', async () => {
    const id = await create({ emergencyContacts: contacts })
    const masked = [
      { ...contacts[0], role: 'OTHER', phone: '139****5678' },
      { ...contacts[0], name: '校长', phone: '027-5550101' },
    ]
    expect((await edit(id, { name: `改名${count}`, emergencyContacts: masked })).code).toBe(200)
    const school = await stored(id)
    expect(school.emergencyContacts.map(({ phone }) => phone)).toEqual(['13912345678', '027-5550101'])
    expect((await edit(id, { lng: 116.4, lat: 39.9, coordinateSystem: 'BD09' })).code).toBe(200)
    expect((await edit(id, { lng: 116.4, lat: 39.9, studentCount: 7 })).code).toBe(200)
    expect(await stored(id)).toMatchObject({ coordinateSystem: 'BD09' })
    expect((await edit(id, { lng: 116.5 })).code).toBe(200)
    expect(await stored(id)).toMatchObject({ lng: 116.5, coordinateSystem: 'CGCS2000' })
    const dept = await world.db
      .selectFrom('dept')
      .select('name')
      .where('id', '=', school.deptId)
      .executeTakeFirstOrThrow()
    expect(dept.name).toBe(`改名${count}`)
    const wrong = [{ ...contacts[0], phone: '138****0000' }]
    expect((await edit(id, { emergencyContacts: wrong })).data).toMatchObject({
      errors: [{ field: 'emergencyContacts' }],
    })
    const stale = await world.put('/school/school/update', { id, version: 1, address: 'x' })
    expect(stale).toMatchObject({ code: 409, data: { current: { id } } })
  })

  it('is limited to users who see the school', async () => {
    expect((await edit(world.eastSchool.id, { address: '环山路1号' }, head)).code).toBe(200)
    expect((await edit(world.westSchool.id, { address: '环山路1号' }, head)).code).toBe(404)
  })

  it('lets one of two concurrent edits win', async () => {
    const id = await create()
    const { version } = await stored(id)
    const both = await Promise.all([edit(id, { version, address: '一' }), edit(id, { version, address: '二' })])
    expect(both.map(({ code }) => code).sort()).toEqual([200, 409])
  })
})

describe('the status of a school', () => {
  it('is rejected with the counts of open dependencies', async () => {
    const id = await create()
    expect((await act('activate', id)).code).toBe(codes.schoolNotReady.code)
    await edit(id, { policeDeptId: station, emergencyContacts: contacts })
    expect((await act('activate', id)).code).toBe(200)
    expect((await act('suspend', id, { reason: '暑假改造' })).code).toBe(200)
    const place = await makePlace(world.db, { schoolId: id })
    const { id: modelId } = await makeModel(world.db)
    const { device } = await makeDevice(world.db, { modelId, key: Buffer.alloc(32) })
    await makeInstallation(world.db, device, place)
    await makeRecord(world.db, { deptId: (await stored(id)).deptId, schoolId: id })
    expect(await act('close', id, { reason: '撤并' })).toMatchObject({
      code: codes.schoolNotEmpty.code,
      msg: '不能关闭：还有 1 台未拆除的设备、1 起未结警情',
    })
    expect((await world.remove(`/school/school/delete?id=${id}`)).code).toBe(codes.schoolReferred.code)
  })

  it('stays within its table for any sequence of verbs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...schoolVerbs), { maxLength: 8 }),
        fc.boolean(),
        async (verbs, ready) => {
          const id = await create(ready ? { policeDeptId: station, emergencyContacts: contacts } : {})
          const facts = { devices: 0, alarms: 0, hasStation: ready, contacts: ready ? 1 : 0 }
          for (const verb of verbs) {
            const { status } = await stored(id)
            const asks: readonly string[] = schoolRule(verb as SchoolVerb).asks
            const answer = await act(verb, id, asks.includes('reason') ? { reason: '原因' } : {})
            const why = whyNotSchoolTransition(verb, { ...facts, status })
            expect(answer.code).toBe(why?.code ?? 200)
            expect((await stored(id)).status).toBe(why ? status : schoolRule(verb).to)
          }
        },
      ),
      { numRuns: sampleSize(12) },
    )
  })
})

describe('deleting a school', () => {
  it('deletes its department too', async () => {
    const id = await create()
    const { deptId } = await stored(id)
    expect((await world.remove(`/school/school/delete?id=${id}`)).code).toBe(200)
    expect(await world.db.selectFrom('dept').select('id').where('id', '=', deptId).execute()).toEqual([])
  })
})

describe('deleting a school that something refers to', () => {
  it('is rejected while it has a place, a person or a post, which it names', async () => {
    const id = await create()
    const { deptId } = await stored(id)
    const all = unscoped(world.db, 'tests change every row')
    const place = await all
      .insertInto('place')
      .values({ schoolId: id, kind: 'ROOM', name: '101' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const answer = () => world.remove(`/school/school/delete?id=${id}`)
    const remove = async () => (await answer()).code
    expect(await remove()).toBe(codes.schoolReferred.code)
    await all.deleteFrom('place').where('id', '=', place.id).execute()
    await all
      .insertInto('employee')
      .values({ schoolId: id, deptId, employeeNo: 'DEL-1', name: '留守', kind: 'GUARD' })
      .execute()
    expect(await remove()).toBe(codes.schoolReferred.code)
    await all.deleteFrom('employee').where('schoolId', '=', id).execute()
    await all
      .insertInto('securityPost')
      .values({ schoolId: id, name: '南门岗', type: 'GATE', fromMin: 0, toMin: 60, checkCode: 'DEL-1' })
      .execute()
    expect(await answer()).toMatchObject({ msg: '学校还有岗位，不能删除', data: { params: { thing: 'POSTS' } } })
    await all.deleteFrom('securityPost').where('schoolId', '=', id).execute()
    expect(await remove()).toBe(200)
  })

  it('names what keeps it for every foreign key', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint where contype = 'f' and confdeltype in ('a', 'r')
        and confrelid = 'school'::regclass and connamespace = 'public'::regnamespace`.execute(world.db)
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter(({ name }) => !(name in possessions))).toEqual([])
  })
})

describe('the list of schools', () => {
  it('filters by district, station and open alarms, and counts alarms only for users who may see them', async () => {
    const id = await create({ policeDeptId: station })
    await makeRecord(world.db, { deptId: (await stored(id)).deptId, schoolId: id })
    const page = async (query: string, as?: { token: string }) =>
      (await world.get(`/school/school/page?pageSize=100&${query}`, as)).data as unknown as {
        list: { id: number; openAlarmCount: number | null }[]
      }
    expect((await page(`policeDeptId=${station}&openAlarms=true`)).list).toContainEqual(
      expect.objectContaining({ id, openAlarmCount: 1 }),
    )
    expect((await page(`eduDeptId=${world.west.id}`)).list.map((item) => item.id)).toEqual([world.westSchool.id])
    expect((await page('', head)).list).toMatchObject([{ id: world.eastSchool.id, openAlarmCount: null }])
    expect((await world.get('/school/school/form-options', head)).data).toMatchObject({ districts: [] })
  })
})
