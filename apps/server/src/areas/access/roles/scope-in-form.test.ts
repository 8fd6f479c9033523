import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let role: Awaited<ReturnType<AdminFixture['makeRole']>>
let editor: { token: string }
let count = 0

const right = 'system:permission:assign-role-data-scope'
const [ALL, CUSTOM, DEPT, SELF] = [1, 2, 3, 5]

beforeAll(async () => {
  fixture = await openAdminFixture()
  await fixture.makeRole('editor', { permissions: ['system:role:create', 'system:role:update'] })
  await makeUser(fixture.db, { username: 'editor', password, deptId: fixture.east.id, roles: ['editor'] })
  editor = await fixture.signedIn('editor')
})
beforeEach(async () => {
  count += 1
  role = await fixture.makeRole(`role_${count}`)
  await fixture.told()
})
afterAll(() => fixture.close())

const edit = (given: object, as?: 'local' | typeof editor) =>
  fixture.put('/system/role/update', { id: role.id, ...given }, as)
const stored = async () => (await fixture.get(`/system/role/get?id=${role.id}`)).data
const lacking = { code: codes.beyondPermission.code, data: { params: { permission: right } } }

describe('the data scope in the form of a role', () => {
  it('is saved with the rest as one version, effective at once, and audited as an assignment', async () => {
    await fixture.db
      .insertInto('roleMenu')
      .values({ roleId: role.id, menuId: await fixture.menuId('system:user:list') })
      .execute()
    const { username } = await makeUser(fixture.db, { password, deptId: fixture.eastSchool.deptId, roles: [role.code] })
    const user = await fixture.signedIn(username)
    const seen = async () => (await fixture.get('/system/user/page?username=local', user)).data['total']
    expect(await seen()).toBe(0)
    const given = { name: `片区${count}`, dataScope: CUSTOM, dataScopeDeptIds: [fixture.east.id], version: 1 }
    expect((await edit(given, 'local')).code).toBe(200)
    expect(await seen()).toBe(1)
    expect(await stored()).toMatchObject({ ...given, version: 2 })
    expect(await fixture.audits('role', role.id)).toMatchObject([
      { action: 'system:role:update', before: { name: role.name }, after: { name: given.name, version: 2 } },
      {
        action: right,
        username: 'local',
        before: { dataScope: 'DEPT', dataScopeDeptIds: [] },
        after: { dataScope: 'CUSTOM', dataScopeDeptIds: [fixture.east.id] },
      },
    ])
    expect(await fixture.told()).toContainEqual(
      expect.objectContaining({ type: 'permission.changed', ref: role.id, userId: null }),
    )
    expect(await edit({ dataScope: SELF, version: 1 }, 'local')).toMatchObject({
      code: 409,
      data: { current: { dataScope: CUSTOM, dataScopeDeptIds: [fixture.east.id], version: 2 } },
    })
    expect((await edit({ dataScope: SELF, version: 2 }, 'local')).code).toBe(200)
    expect(await stored()).toMatchObject({ dataScope: SELF, dataScopeDeptIds: [], version: 3 })
  })

  it('needs no permission and writes no audit when it is absent or unchanged', async () => {
    const scope = { dataScope: CUSTOM, dataScopeDeptIds: [fixture.east.id, fixture.eastSchool.deptId] }
    const assign = { roleId: role.id, ...scope }
    expect((await fixture.post('/system/permission/assign-role-data-scope', assign)).code).toBe(200)
    const back = { dataScope: CUSTOM, dataScopeDeptIds: scope.dataScopeDeptIds.toReversed() }
    for (const given of [{}, back, { dataScope: CUSTOM }, { dataScopeDeptIds: back.dataScopeDeptIds }])
      expect((await edit({ sort: 7, ...given }, 'local')).code).toBe(200)
    expect(await stored()).toMatchObject({ ...scope, version: 6 })
    const written = (await fixture.audits('role', role.id)).map(({ action }) => action)
    expect(written).toEqual([right, ...written.slice(1).map(() => 'system:role:update')])
    role = await fixture.makeRole(`same_${count}`)
    // Departments have no meaning where none are chosen.
    for (const given of [{ dataScope: DEPT }, { dataScopeDeptIds: [fixture.east.id] }])
      expect((await edit({ sort: 8, ...given }, editor)).code).toBe(200)
    expect(await stored()).toMatchObject({ dataScope: DEPT, dataScopeDeptIds: [], sort: 8 })
  })

  it('can be changed by its departments only, without the scope itself', async () => {
    const scope = { dataScope: CUSTOM, dataScopeDeptIds: [fixture.east.id] }
    expect((await edit(scope)).code).toBe(200)
    expect(await edit({ dataScopeDeptIds: [] }, editor)).toMatchObject(lacking)
    expect((await edit({ dataScopeDeptIds: [fixture.west.id] })).code).toBe(200)
    expect(await stored()).toMatchObject({ dataScope: CUSTOM, dataScopeDeptIds: [fixture.west.id] })
  })

  it('rejects the whole form without its permission or beyond the own scope', async () => {
    const before = await stored()
    const rest = { name: `别名${count}`, sort: 9 }
    expect(await edit({ ...rest, dataScope: SELF }, editor)).toMatchObject(lacking)
    expect((await edit({ ...rest, dataScope: ALL }, 'local')).code).toBe(codes.beyondScope.code)
    const west = { dataScope: CUSTOM, dataScopeDeptIds: [fixture.west.id] }
    expect((await edit({ ...rest, ...west }, 'local')).code).toBe(codes.deptMissing.code)
    expect((await edit({ ...rest, dataScope: 6 })).data).toMatchObject({ errors: [{ field: 'dataScope' }] })
    expect(await stored()).toEqual(before)
    expect(await fixture.audits('role', role.id)).toEqual([])
  })
})

describe('the data scope of a new role', () => {
  const create = (given: object, as?: 'local' | typeof editor) =>
    fixture.post('/system/role/create', { name: `新${count}`, code: `new_${count}`, sort: 1, ...given }, as)
  const made = () => fixture.db.selectFrom('role').selectAll().where('code', '=', `new_${count}`).execute()

  it('is set with the rest by holders of the permission', async () => {
    const chosen = { dataScope: CUSTOM, dataScopeDeptIds: [fixture.east.id] }
    const { code, data } = await create(chosen, 'local')
    expect(code).toBe(200)
    expect((await fixture.get(`/system/role/get?id=${Number(data)}`)).data).toMatchObject({ ...chosen, version: 1 })
    expect(await fixture.audits('role', Number(data))).toMatchObject([
      { action: 'system:role:create' },
      { action: right, before: { dataScope: 'DEPT' }, after: { dataScope: 'CUSTOM' } },
    ])
  })

  it('is the own department for all others, who cannot create a role with another', async () => {
    expect(await create({ dataScope: SELF }, editor)).toMatchObject(lacking)
    expect((await create({ dataScope: ALL }, 'local')).code).toBe(codes.beyondScope.code)
    expect(await made()).toEqual([])
    expect((await create({ dataScope: DEPT }, editor)).code).toBe(200)
    expect(await made()).toMatchObject([{ dataScope: 'DEPT' }])
  })
})
