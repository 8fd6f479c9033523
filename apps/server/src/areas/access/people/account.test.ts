import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeDevice, makeModel, makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../test/admin-fixture.ts'
import { unscoped } from '#db/scope'

let fixture: AdminFixture
let guard: Awaited<ReturnType<typeof makeUser>>

beforeAll(async () => {
  fixture = await openAdminFixture()
})
beforeEach(async () => {
  await fixture.db.deleteFrom('loginGuard').execute()
  guard = await makeUser(fixture.db, { password, deptId: fixture.eastSchool.deptId, roles: [] })
  await fixture.told()
})
afterEach(() => unscoped(fixture.db, 'test').deleteFrom('users').where('id', '=', guard.id).execute())
afterAll(() => fixture.close())

const info = '/system/auth/get-permission-info'
const status = (id: number, value: number, as?: 'local') =>
  fixture.put('/system/user/update-status', { id, status: value }, as)
const makeAdmin = (username: string) =>
  makeUser(fixture.db, { username, password, deptId: fixture.east.id, roles: ['super_admin'] })
const killed = { status: 401, code: 'A0230' }

describe('disabling a user', () => {
  it('ends the sessions at once, notifies the screens, and permits a sign-in when enabled again', async () => {
    const user = await fixture.signedIn(guard.username)
    expect((await fixture.get(info, user)).code).toBe(200)
    expect((await status(guard.id, 1, 'local')).code).toBe(200)
    expect(await fixture.get(info, user)).toMatchObject(killed)
    expect(await fixture.told()).toMatchObject([
      { type: 'session.ended', userId: guard.id },
      // The school may have other recipients of its alarms now.
      { type: 'permission.changed', userId: guard.id },
    ])
    const ended = fixture.db.selectFrom('session').select('endReason').where('userId', '=', guard.id)
    expect(await ended.execute()).toEqual([{ endReason: 'DISABLED' }])
    expect((await fixture.signIn(guard.username, password)).code).toBe(1_002_000_000)
    expect((await fixture.put('/update-status', { id: guard.id, status: 0 }, 'local')).code).toBe(200)
    expect((await fixture.signIn(guard.username, password)).code).toBe(200)
    expect(await fixture.audits('users', guard.id)).toMatchObject([
      { action: 'system:user:update-status', before: { enabled: true }, after: { enabled: false } },
      { before: { enabled: false }, after: { enabled: true } },
    ])
  })

  it('has the same effect by the form, and none when the form sends the current status back', async () => {
    const edit = (given: object, as?: 'local') => fixture.put('/system/user/update', { id: guard.id, ...given }, as)
    const user = await fixture.signedIn(guard.username)
    expect((await edit({ remark: 'a', status: 0, version: 1 }, 'local')).code).toBe(200)
    expect((await fixture.get(info, user)).code).toBe(200)
    expect((await edit({ remark: 'b', status: 1 }, 'local')).code).toBe(200)
    expect(await fixture.get(info, user)).toMatchObject(killed)
    expect(await fixture.audits('users', guard.id)).toMatchObject([
      { action: 'system:user:update', before: { enabled: true, version: 1 }, after: { enabled: true, version: 2 } },
      { action: 'system:user:update', before: { enabled: true, version: 2 }, after: { enabled: false, version: 3 } },
    ])
    const own = { id: fixture.local.id, remark: 'c', status: 1 }
    expect((await fixture.put('/system/user/update', own, 'local')).code).toBe(1_002_003_020)
    const { remark } = await unscoped(fixture.db, 'test')
      .selectFrom('users')
      .select('remark')
      .where('id', '=', fixture.local.id)
      .executeTakeFirstOrThrow()
    expect(remark).not.toBe('c')
    const made = { username: 'off.first', nickname: '先停用', password, deptId: fixture.east.id, status: 1 }
    expect((await fixture.post('/system/user/create', made, 'local')).code).toBe(200)
    expect((await fixture.signIn('off.first', password)).code).toBe(1_002_000_000)
  })

  it('is rejected for oneself, for an invisible user and for a user with more rights', async () => {
    const { id } = await makeUser(fixture.db, { deptId: fixture.westSchool.deptId })
    const chief = await makeUser(fixture.db, { deptId: fixture.east.id, roles: ['auditor'] })
    expect((await status(fixture.local.id, 1, 'local')).code).toBe(1_002_003_020)
    expect((await status(id, 1, 'local')).code).toBe(1_002_003_003)
    expect((await status(chief.id, 1, 'local')).code).toBe(1_002_003_022)
    expect((await status(999_999, 1)).code).toBe(1_002_003_003)
  })

  it('rejects a stale version, and names the field of an invalid value', async () => {
    const body = { id: guard.id, status: 1, version: 7 }
    expect(await fixture.put('/update-status', body)).toMatchObject({ code: 409, data: { current: { status: 0 } } })
    expect((await status(guard.id, 2)).data).toMatchObject({ errors: [{ field: 'status' }] })
    expect((await fixture.put('/update-status', { status: 1 })).data).toMatchObject({ errors: [{ field: 'id' }] })
  })
})

describe('resetting a password', () => {
  const reset = (id: number, as?: 'local', to = 'Brook-field-77') =>
    fixture.put('/system/user/update-password', { id, password: to }, as)

  it('ends the sessions, and requires a change at the first sign-in', async () => {
    const user = await fixture.signedIn(guard.username)
    expect((await reset(guard.id, 'local')).code).toBe(200)
    expect(await fixture.get(info, user)).toMatchObject(killed)
    expect((await fixture.signIn(guard.username, password)).code).toBe(1_002_000_000)
    expect((await fixture.signIn(guard.username, 'Brook-field-77')).data).toMatchObject({ mustChangePassword: true })
    const types = (await fixture.told()).map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['session.ended', 'permission.changed']))
    const audits = await fixture.audits('users', guard.id)
    const [before, after] = [{ mustChangePassword: false }, { mustChangePassword: true }]
    // The audit contains nothing of the password.
    expect(audits).toEqual([{ action: 'system:user:update-password', username: 'local', before, after }])
  })

  it('of a user with more rights needs the security permission', async () => {
    const chief = await makeUser(fixture.db, { password, deptId: fixture.east.id, roles: ['shift_lead'] })
    expect((await reset(chief.id, 'local')).code).toBe(1_002_003_022)
    await fixture.makeRole('security', { permissions: ['system:user:security'] })
    const role = { userId: fixture.local.id, roleId: await fixture.roleId('security') }
    await fixture.db.insertInto('userRole').values(role).execute()
    fixture.forget()
    expect((await reset(chief.id, 'local')).code).toBe(200)
    await fixture.db.deleteFrom('userRole').where('roleId', '=', role.roleId).execute()
    fixture.forget()
  })

  it('is rejected for oneself, an invisible or unknown user, and a weak password', async () => {
    const { id } = await makeUser(fixture.db, { deptId: fixture.west.id })
    expect((await reset(fixture.local.id, 'local')).code).toBe(1_002_003_020)
    expect((await reset(id, 'local')).code).toBe(1_002_003_003)
    expect((await reset(999_999)).code).toBe(1_002_003_003)
    expect((await reset(guard.id, 'local', 'abcdefgh')).code).toBe(1_002_003_010)
    expect((await reset(guard.id, 'local', 'short')).data).toMatchObject({ errors: [{ field: 'password' }] })
  })
})

describe('deleting a user', () => {
  const remove = (id: number, as?: 'local') => fixture.remove(`/system/user/delete?id=${id}`, as)

  it('deletes roles and sessions, and keeps the row in the audit', async () => {
    const user = await fixture.signedIn(guard.username)
    const roleId = await fixture.roleId('guard')
    await fixture.db.insertInto('userRole').values({ userId: guard.id, roleId }).execute()
    expect((await remove(guard.id)).code).toBe(200)
    expect(await fixture.get(info, user)).toMatchObject({ code: 401 })
    expect(await fixture.told()).toMatchObject([
      { type: 'session.ended', userId: guard.id },
      { type: 'permission.changed', userId: guard.id },
    ])
    expect((await fixture.get(`/system/user/get?id=${guard.id}`)).code).toBe(1_002_003_003)
    const [audit] = await fixture.audits('users', guard.id)
    expect(audit).toMatchObject({
      action: 'system:user:delete',
      before: { username: guard.username, roleIds: [roleId] },
      after: null,
    })
    expect(audit?.before).not.toHaveProperty('passwordHash')
  })

  it('is rejected while a row refers to the user', async () => {
    const model = await makeModel(fixture.db)
    const { device } = await makeDevice(fixture.db, { modelId: model.id, key: Buffer.alloc(32) })
    const all = unscoped(fixture.db, 'test')
    const place = await all
      .insertInto('place')
      .values({ schoolId: fixture.eastSchool.id, kind: 'ROOM', name: '101' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await all
      .insertInto('schoolDevice')
      .values({ deviceId: device.id, schoolId: fixture.eastSchool.id, placeId: place.id, installedBy: guard.id })
      .execute()
    expect(await remove(guard.id)).toMatchObject({ code: 1002, msg: '用户正在被使用，不能删除' })
    await all.deleteFrom('schoolDevice').execute()
    await fixture.db.updateTable('dept').set({ leaderUserId: guard.id }).where('id', '=', fixture.east.id).execute()
    expect((await remove(guard.id)).code).toBe(1002)
    await fixture.db.updateTable('dept').set({ leaderUserId: null }).execute()
    expect((await fixture.get(`/system/user/get?id=${guard.id}`)).code).toBe(200)
  })

  it('is rejected for oneself, an invisible or unknown user, without an id, and for a user with more rights', async () => {
    const { id } = await makeUser(fixture.db, { deptId: fixture.west.id })
    const chief = await makeAdmin('chief')
    expect((await remove(fixture.local.id, 'local')).code).toBe(1_002_003_020)
    expect((await remove(id, 'local')).code).toBe(1_002_003_003)
    expect((await remove(999_999)).code).toBe(1_002_003_003)
    expect((await remove(chief.id, 'local')).code).toBe(1_002_003_022)
    expect((await fixture.remove('/system/user/delete')).data).toMatchObject({ errors: [{ field: 'id' }] })
    expect((await remove(chief.id)).code).toBe(200)
  })
})

describe('the last administrator', () => {
  const all = () => unscoped(fixture.db, 'test')
  const left = () =>
    all()
      .selectFrom('userRole')
      .innerJoin('users', 'users.id', 'userRole.userId')
      .innerJoin('role', 'role.id', 'userRole.roleId')
      .select('users.id')
      .where('role.code', '=', 'super_admin')
      .where('users.enabled', '=', true)
      .execute()
  const only = async (...ids: number[]) => {
    const roleId = await fixture.roleId('super_admin')
    await fixture.db.deleteFrom('userRole').where('roleId', '=', roleId).execute()
    await fixture.db
      .insertInto('userRole')
      .values(ids.map((userId) => ({ userId, roleId })))
      .execute()
    fixture.forget()
  }

  it.each([
    ['disabling', (id: number, as: { token: string }) => fixture.put('/update-status', { id, status: 1 }, as)],
    ['deleting', (id: number, as: { token: string }) => fixture.remove(`/system/user/delete?id=${id}`, as)],
    [
      'taking the role',
      (userId: number, as: { token: string }) =>
        fixture.post('/system/permission/assign-user-role', { userId, roleIds: [] }, as),
    ],
  ])('remains when the last two remove each other at the same moment by %s', async (how, removeBy) => {
    const [item, entry] = [await makeAdmin(`one-${how.length}`), await makeAdmin(`two-${how.length}`)]
    await only(item.id, entry.id)
    const [first, second] = [await fixture.signedIn(item.username), await fixture.signedIn(entry.username)]
    for (const token of [first, second]) expect((await fixture.get(info, token)).code).toBe(200)
    const answers = await Promise.all([removeBy(entry.id, first), removeBy(item.id, second)])
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(await left()).toHaveLength(1)
  })

  it('cannot remove the own role', async () => {
    const last = await makeAdmin('last')
    await only(last.id)
    const user = await fixture.signedIn('last')
    const answer = await fixture.post('/system/permission/assign-user-role', { userId: last.id, roleIds: [] }, user)
    expect(answer).toMatchObject({ code: 1_002_003_021, msg: '必须至少保留一名启用的系统管理员' })
    expect((await fixture.get('/system/user/page', user)).code).toBe(200)
  })
})
