import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let user: Awaited<ReturnType<typeof makeUser>>
let editor: { token: string }
let ids: Record<'reader' | 'clerk' | 'alarms' | 'closed' | 'downward' | 'super_admin', number>

const right = 'system:permission:assign-user-role'

beforeAll(async () => {
  fixture = await openAdminFixture()
  await fixture.makeRole('editor', {
    dataScope: 'DEPT_AND_CHILD',
    permissions: ['system:user:update', 'system:user:list', 'system:dept:query'],
  })
  await makeUser(fixture.db, { username: 'editor', password, deptId: fixture.east.id, roles: ['editor'] })
  editor = await fixture.signedIn('editor')
  ids = {
    reader: (await fixture.makeRole('reader', { permissions: ['system:user:list'] })).id,
    clerk: (await fixture.makeRole('clerk', { permissions: ['system:dept:query'] })).id,
    alarms: (await fixture.makeRole('alarms', { permissions: ['warn:record:query'] })).id,
    closed: (await fixture.makeRole('closed')).id,
    downward: (await fixture.makeRole('downward', { dataScope: 'DEPT_AND_CHILD' })).id,
    super_admin: await fixture.roleId('super_admin'),
  }
  await fixture.db.updateTable('role').set({ enabled: false }).where('code', '=', 'closed').execute()
})
beforeEach(async () => {
  user = await makeUser(fixture.db, { password, deptId: fixture.eastSchool.deptId, roles: ['clerk'] })
  await fixture.told()
})
afterAll(() => fixture.close())

const edit = (given: object, as?: 'local' | typeof editor) =>
  fixture.put('/system/user/update', { id: user.id, ...given }, as)
const held = async () =>
  (await fixture.get(`/system/permission/list-user-roles?userId=${user.id}`)).data as unknown as number[]
const changes = async () =>
  (await fixture.audits('users', user.id)).filter(({ action }) => ['system:user:update', right].includes(action))

describe('the roles in the form of a user', () => {
  it('are saved with the other fields as one version, apply at the next call, and are audited as an assignment', async () => {
    const item = await fixture.signedIn(user.username)
    expect((await fixture.get('/system/user/page', item)).code).toBe(403)
    const roleIds = [ids.reader, ids.clerk]
    expect((await edit({ nickname: '改名', roleIds, version: 1 }, 'local')).code).toBe(200)
    expect((await fixture.get('/system/user/page', item)).code).toBe(200)
    expect(await held()).toEqual(roleIds.toSorted((a, b) => a - b))
    expect(await fixture.user(user.id)).toMatchObject({ nickname: '改名', version: 2 })
    expect(await changes()).toMatchObject([
      { action: 'system:user:update', after: { nickname: '改名', version: 2 } },
      { action: right, username: 'local', before: { roleIds: [ids.clerk] }, after: { roleIds: await held() } },
    ])
    expect(await fixture.told()).toContainEqual(
      expect.objectContaining({ type: 'permission.changed', ref: user.id, userId: user.id }),
    )
    expect((await edit({ roleIds: [], version: 1 }, 'local')).code).toBe(409)
    expect(await held()).toHaveLength(2)
    expect((await edit({ roleIds: [], version: 2 }, 'local')).code).toBe(200)
    expect(await held()).toEqual([])
    expect((await fixture.get('/system/user/page', item)).code).toBe(403)
  })

  it('stay when omitted or sent back unchanged, without a permission and an audit row', async () => {
    const roleIds = [ids.clerk, ids.clerk]
    for (const given of [{}, { roleIds }]) expect((await edit({ remark: '注', ...given }, editor)).code).toBe(200)
    expect(await held()).toEqual([ids.clerk])
    expect((await changes()).map(({ action }) => action)).toEqual(['system:user:update', 'system:user:update'])
  })

  it('keep a disabled role, which cannot be granted anew', async () => {
    await fixture.db.insertInto('userRole').values({ userId: user.id, roleId: ids.closed }).execute()
    expect((await edit({ roleIds: [ids.closed, ids.reader] }, 'local')).code).toBe(200)
    expect(await held()).toEqual([ids.reader, ids.closed].toSorted((a, b) => a - b))
    expect((await edit({ roleIds: [ids.reader] }, 'local')).code).toBe(200)
    expect((await edit({ roleIds: [ids.reader, ids.closed] }, 'local')).code).toBe(codes.roleDisabled.code)
  })

  it('are not changed, nor the other fields, without the permission to assign them', async () => {
    for (const roleIds of [[], [ids.clerk, ids.reader]])
      expect((await edit({ nickname: '改名', roleIds }, editor)).code).toBe(codes.forbidden.code)
    expect(await held()).toEqual([ids.clerk])
    expect(await fixture.user(user.id)).toMatchObject({ nickname: user.nickname, version: 1 })
    expect(await changes()).toEqual([])
  })

  it('are limited to the rights of the assigner in the new department', async () => {
    const refused = async (given: object, code: number) => {
      expect((await edit({ nickname: '改名', ...given }, 'local')).code).toBe(code)
      expect(await held()).toEqual([ids.clerk])
      expect(await fixture.user(user.id)).toMatchObject({ nickname: user.nickname, version: 1 })
    }
    await refused({ roleIds: [ids.clerk, ids.alarms] }, codes.beyondPermission.code)
    await refused({ roleIds: [ids.clerk, ids.super_admin] }, codes.beyondAdmin.code)
    await refused({ roleIds: [999_999] }, codes.roleMissing.code)
    await refused({ deptId: fixture.west.id, roleIds: [ids.downward] }, codes.deptMissing.code)
    expect((await edit({ roleIds: ['x'] })).data).toMatchObject({ errors: [{ field: 'roleIds.0' }] })
    expect((await edit({ deptId: fixture.east.id, roleIds: [ids.downward] }, 'local')).code).toBe(200)
  })

  it('of a user with more rights cannot be removed', async () => {
    await fixture.db.insertInto('userRole').values({ userId: user.id, roleId: ids.alarms }).execute()
    expect((await edit({ roleIds: [ids.clerk] }, 'local')).code).toBe(codes.moreRights.code)
    expect(await held()).toHaveLength(2)
  })
})
