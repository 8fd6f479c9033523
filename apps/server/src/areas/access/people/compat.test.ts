import { localStamp } from '@tocsin/contract/time-zone'
import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture } from '../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let clerk: number
let somebody: number

const create = (form: object, as?: 'local') => fixture.post('/api/v1/users', form, as)
const update = (id: number, form: object, as?: 'local' | { token: string }) =>
  fixture.put(`/api/v1/users/${id}`, form, as)
const form = async (id: number, as?: 'local') => (await fixture.get(`/api/v1/users/${id}/form`, as)).data
const patch = (path: string, token: string) => fixture.call('PATCH', path, { token })

beforeAll(async () => {
  fixture = await openAdminFixture()
  clerk = (await fixture.makeRole('clerk', { permissions: ['system:dept:query'] })).id
  const made = await makeUser(fixture.db, {
    username: 'east.mobile',
    nickname: '东区手机',
    mobile: '13800000001',
    deptId: fixture.eastSchool.deptId,
    password: 'Maple-river-42',
    roles: ['clerk'],
  })
  somebody = made.id
})
afterAll(() => fixture.close())

describe('the form of a user', () => {
  it('creates an account with its roles, without a password until it is reset', async () => {
    const sent = {
      id: undefined,
      username: 'form.one',
      nickname: '表单',
      gender: 1,
      mobile: null,
      email: 'form@example.com',
      avatar: null,
      status: 0,
      deptId: fixture.east.id,
      roleIds: [clerk],
    }
    const { code, data } = await create(sent, 'local')
    expect(code).toBe(200)
    const id = Number(data)
    expect(await fixture.user(id)).toMatchObject({ passwordHash: null, sex: 'MALE', enabled: false, type: 'STAFF' })
    expect(await form(id)).toEqual({ ...sent, id, status: 0 })
    expect((await fixture.audits('users', id)).map(({ action }) => action)).toEqual([
      'system:user:create',
      'system:permission:assign-user-role',
      'system:user:reveal',
    ])
    expect(await fixture.put(`/api/v1/users/${id}/password/reset?password=Other-river-43`, {})).toMatchObject({
      code: 200,
      data: null,
    })
    expect((await fixture.user(id)).mustChangePassword).toBe(true)
  })

  it('changes all fields or none', async () => {
    const officer = (await fixture.makeRole('second', { permissions: ['system:dept:query'] })).id
    const before = await form(somebody)
    expect(before).toMatchObject({ mobile: '13800000001', status: 1, roleIds: [clerk] })
    const sent = { ...(before as object), nickname: '改名', status: 0, roleIds: [clerk, officer] }
    expect(await update(somebody, sent)).toMatchObject({ code: 200, data: null })
    expect(await form(somebody)).toMatchObject({ nickname: '改名', status: 0, roleIds: [clerk, officer] })
    const { version } = await fixture.user(somebody)
    const changes = (await fixture.audits('users', somebody)).filter(({ after }) => !('ids' in (after ?? {})))
    expect({ version, changes }).toMatchObject({
      version: 2,
      changes: [
        { action: 'system:user:update', after: { nickname: '改名', enabled: false, version } },
        { action: 'system:permission:assign-user-role', after: { roleIds: [clerk, officer] } },
      ],
    })
    const refused = { nickname: '又改', roleIds: [await fixture.roleId('super_admin')] }
    expect((await update(somebody, refused, 'local')).code).toBe(codes.beyondAdmin.code)
    expect(await form(somebody)).toMatchObject({ nickname: '改名', roleIds: [clerk, officer] })
    // A role named twice counts once, so the other role is removed.
    await update(somebody, { status: 1, roleIds: [clerk, clerk] })
    expect(await form(somebody)).toMatchObject({ status: 1, roleIds: [clerk] })
  })

  it('keeps a number when its mask is sent back, and clears it by null', async () => {
    const seen = (await form(somebody, 'local')) as unknown as { mobile: string }
    expect(seen.mobile).toBe('138****0001')
    await update(somebody, seen, 'local')
    expect((await fixture.user(somebody)).mobile).toBe('13800000001')
    await update(somebody, { mobile: null })
    expect((await fixture.user(somebody)).mobile).toBeNull()
    expect((await create({ username: 'masked', nickname: '掩', mobile: '138****0001' })).data).toMatchObject({
      errors: [{ field: 'mobile' }],
    })
    await update(somebody, { mobile: '13800000001' })
  })

  it('grants no roles without the permission to assign them', async () => {
    await fixture.makeRole('editor', {
      dataScope: 'ALL',
      permissions: ['system:user:create', 'system:user:update', 'system:user:query'],
    })
    await makeUser(fixture.db, { username: 'editor', password: 'Maple-river-42', roles: ['editor'] })
    const editor = await fixture.signedIn('editor')
    const plain = await makeUser(fixture.db, { username: 'plain', deptId: fixture.east.id })
    expect((await update(plain.id, { nickname: '平', roleIds: [] }, editor)).code).toBe(200)
    expect((await update(plain.id, { roleIds: [await fixture.roleId('editor')] }, editor)).code).toBe(
      codes.forbidden.code,
    )
  })

  it('is rejected for an invisible or unknown user and another id, and names invalid fields', async () => {
    const west = await makeUser(fixture.db, { username: 'west.form', deptId: fixture.west.id })
    for (const id of [west.id, 999_999]) {
      expect((await fixture.get(`/api/v1/users/${id}/form`, 'local')).code).toBe(codes.userMissing.code)
      expect((await update(id, { nickname: '外' }, 'local')).code).toBe(codes.userMissing.code)
    }
    expect((await update(somebody, { id: west.id })).data).toMatchObject({ errors: [{ field: 'id' }] })
    expect((await update(somebody, { gender: 7, status: 2 })).data).toMatchObject({
      errors: [{ field: 'gender' }, { field: 'status' }],
    })
    expect((await create({ nickname: '无名' })).data).toMatchObject({ errors: [{ field: 'username' }] })
    expect((await create({ username: 'east.mobile', nickname: '重' })).code).toBe(codes.userExists.code)
  })
})

describe('users of /api/v1', () => {
  it('are listed and exported, found by name or number, and masked for readers of masks', async () => {
    const found = async (query: string, as?: 'local') =>
      (
        (await fixture.get(`/api/v1/users/page?pageNum=1&pageSize=10&${query}`, as)).data as unknown as {
          list: object[]
        }
      ).list
    expect(await found('keywords=13800000001&status=1')).toMatchObject([
      { id: somebody, gender: 0, status: 1, mobile: '13800000001', roleNames: 'clerk' },
    ])
    expect(await found(`keywords=${encodeURIComponent('改名')}`, 'local')).toMatchObject([{ mobile: '138****0001' }])
    expect(await found('keywords=3800000', 'local')).toEqual([])
    const today = localStamp(new Date()).slice(0, 10)
    const days = `createTime%5B0%5D=2020-01-01&createTime%5B1%5D=${today}`
    expect(await found(`keywords=east.mobile&${days}`)).toHaveLength(1)
    const sheet = await fixture.app.inject({
      url: '/admin-api/api/v1/users/export?keywords=east.mobile',
      headers: { authorization: `Bearer ${(await fixture.signedIn('admin')).token}` },
    })
    expect(sheet.headers['content-type']).toContain('spreadsheetml')
    // Clients of the compatibility API read the file name from here.
    const [, named = ''] = String(sheet.headers['content-disposition']).split(';')
    expect(decodeURI(named.split('=')[1] ?? '')).toBe('用户数据.xlsx')
  })

  it('are enabled and disabled by a number, which ends their sessions', async () => {
    const { token } = await fixture.signedIn('admin')
    const theirs = await fixture.signedIn('east.mobile')
    expect(await patch(`/api/v1/users/${somebody}/status?status=0`, token)).toMatchObject({ code: 200, data: null })
    expect((await fixture.user(somebody)).enabled).toBe(false)
    expect((await fixture.get('/api/v1/users/me', theirs)).code).toBe('A0230')
    expect((await patch(`/api/v1/users/${somebody}/status`, token)).data).toMatchObject({
      errors: [{ field: 'status' }],
    })
    expect((await patch(`/api/v1/users/${somebody}/status?status=1`, token)).code).toBe(200)
  })

  it('sign out a client with an unknown token, and let a client with an expired token refresh', async () => {
    const unknown = await fixture.app.inject({
      url: '/admin-api/api/v1/users/me',
      headers: { authorization: `Bearer ${'x'.repeat(43)}` },
    })
    expect([unknown.statusCode, unknown.json()]).toMatchObject([401, { code: 'A0230', data: null }])
    const { token } = await fixture.signedIn('admin')
    await fixture.call('POST', '/system/auth/logout', { token })
    const expired = await fixture.app.inject({
      url: '/admin-api/api/v1/users/me',
      headers: { authorization: `Bearer ${token}` },
    })
    expect([expired.statusCode, expired.json().code]).toEqual([200, 401])
  })

  it('are deleted together or not at all', async () => {
    const [first, second] = [
      await makeUser(fixture.db, { username: 'gone.one' }),
      await makeUser(fixture.db, { username: 'gone.two' }),
    ]
    expect(await fixture.remove(`/api/v1/users/${first.id},999999`)).toMatchObject({
      code: codes.userMissing.code,
      msg: '【#999999】用户不存在',
    })
    expect(await fixture.remove(`/api/v1/users/${somebody},${fixture.local.id}`, 'local')).toMatchObject({
      code: codes.notYourself.code,
      msg: '【local】不能对自己的账号执行该操作',
    })
    expect(await fixture.user(first.id)).toBeDefined()
    expect(await fixture.remove(`/api/v1/users/${first.id},${second.id}`)).toMatchObject({ code: 200, data: null })
    const three = await makeUser(fixture.db, { username: 'gone.three' })
    expect((await fixture.remove(`/system/user/delete-list?ids=${three.id}`, 'local')).code).toBe(
      codes.userMissing.code,
    )
    expect(await fixture.remove(`/system/user/delete-list?ids=${three.id},${somebody}`)).toMatchObject({ data: true })
    expect((await fixture.remove('/system/user/delete-list?ids=x')).data).toMatchObject({ errors: [{ field: 'ids' }] })
  })
})

describe('the own account of /api/v1', () => {
  it('is read and changed, and gets a new password that is typed twice', async () => {
    await makeUser(fixture.db, { username: 'own.v1', password: 'Maple-river-42', roles: ['guard'] })
    const own = await fixture.signedIn('own.v1')
    expect((await fixture.get('/api/v1/users/profile', own)).data).toMatchObject({
      username: 'own.v1',
      roleNames: '学校保安',
      gender: 0,
    })
    const { nickname } = (await fixture.get('/api/v1/users/profile', own)).data
    expect(await fixture.put('/api/v1/users/profile', { nickname, gender: 2 }, own)).toMatchObject({ code: 200 })
    expect((await fixture.put('/api/v1/users/profile', { nickname: '所长' }, own)).data).toMatchObject({
      errors: [{ field: 'nickname' }],
    })
    expect((await fixture.put('/api/v1/users/profile', { gender: 9 }, own)).data).toMatchObject({
      errors: [{ field: 'gender' }],
    })
    for (const wrong of [{ mobile: 'none' }, { email: 'none' }])
      expect((await fixture.put('/api/v1/users/profile', wrong, own)).data).toMatchObject({
        errors: [{ field: Object.keys(wrong)[0] }],
      })
    const picture = (avatar: string | null) => fixture.put('/api/v1/users/profile', { nickname, avatar }, own)
    expect((await picture('https://elsewhere.invalid/a.png')).data).toMatchObject({ errors: [{ field: 'avatar' }] })
    expect(await picture(null)).toMatchObject({ code: 200 })
    const words = { oldPassword: 'Maple-river-42', newPassword: 'Other-river-43' }
    const twice = { ...words, confirmPassword: 'Other-river-44' }
    expect((await fixture.put('/api/v1/users/password', twice, own)).data).toMatchObject({
      errors: [{ field: 'confirmPassword' }],
    })
    const wrong = { ...words, oldPassword: 'Wrong-river-42' }
    expect((await fixture.put('/api/v1/users/password', wrong, own)).code).toBe(codes.oldPassword.code)
    expect(await fixture.put('/api/v1/users/password', words, own)).toMatchObject({ code: 200, data: null })
  })
})
