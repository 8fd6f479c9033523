import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let me: { token: string }
let id: number

beforeAll(async () => {
  fixture = await openAdminFixture()
  const user = await makeUser(fixture.db, {
    username: 'wang',
    password,
    deptId: fixture.eastSchool.deptId,
    roles: ['guard'],
    mobile: '13812345678',
  })
  id = user.id
  me = await fixture.signedIn('wang')
})
afterAll(() => fixture.close())

describe('the own account', () => {
  it.each(['/profile/get', '/system/user/profile/get'])('is returned complete and unmasked by %s', async (path) => {
    expect((await fixture.get(path, me)).data).toMatchObject({
      id,
      username: 'wang',
      mobile: '13812345678',
      sex: 0,
      status: 0,
      roles: [{ name: '学校保安' }],
      dept: { id: fixture.eastSchool.deptId, name: fixture.eastSchool.name },
    })
  })

  it('is returned by /api/v1 too', async () => {
    const { data } = await fixture.get('/api/v1/users/me', me)
    expect(data).toMatchObject({ userId: id, username: 'wang', roles: ['guard'] })
    expect(data['perms']).toEqual(expect.arrayContaining(['warn:record:claim']))
  })

  it('changes the given fields, clears null and writes an audit when the name stays', async () => {
    const { nickname } = await fixture.user(id)
    expect((await fixture.put('/profile/update', { nickname, sex: 2, mobile: null }, me)).code).toBe(200)
    expect(await fixture.user(id)).toMatchObject({ nickname, sex: 'FEMALE', mobile: null, version: 2 })
    expect((await fixture.put('/system/user/profile/update', { email: 'w@school.cn', version: 2 }, me)).code).toBe(200)
    expect(await fixture.audits('users', id)).toMatchObject([
      { action: 'system:user:update-profile', before: { mobile: '13812345678' }, after: { mobile: null } },
      { after: { email: 'w@school.cn' } },
    ])
  })

  it.each([
    ['nickname', null],
    ['nickname', '所长'],
    ['mobile', '1380000'],
    ['email', 'nobody'],
    ['sex', 7],
    ['deptId', 1],
    ['status', 1],
    ['username', 'root'],
  ])('refuses %s = %s by name', async (field, value) => {
    expect((await fixture.put('/profile/update', { [field]: value }, me)).data).toMatchObject({ errors: [{ field }] })
  })

  it('rejects a number or an address of another user, and a stale version', async () => {
    await makeUser(fixture.db, { deptId: fixture.west.id, mobile: '13900001111', email: 'a@b.cn' })
    expect(await fixture.put('/profile/update', { mobile: '13900001111' }, me)).toMatchObject({
      code: 1_002_003_001,
      msg: '手机号已经存在',
    })
    expect((await fixture.put('/profile/update', { email: 'A@b.cn' }, me)).code).toBe(1_002_003_002)
    const stale = await fixture.put('/profile/update', { sex: 1, version: 1 }, me)
    expect(stale).toMatchObject({ code: 409, data: { current: { id } } })
  })
})
