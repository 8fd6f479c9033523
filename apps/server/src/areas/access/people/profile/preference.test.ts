import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unscoped } from '#db/scope'
import { makeUser } from '../../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../../test/admin-fixture.ts'

let fixture: AdminFixture
let me: { token: string }
let other: { token: string }
const path = '/system/user/profile/update-preferences'
const kept = async (user: { token: string }) =>
  (await fixture.get('/system/auth/get-permission-info', user)).data['preferences']

beforeAll(async () => {
  fixture = await openAdminFixture()
  for (const username of ['qian', 'sun'])
    await makeUser(fixture.db, { username, password, deptId: fixture.eastSchool.deptId, roles: ['guard'] })
  me = await fixture.signedIn('qian')
  other = await fixture.signedIn('sun')
})
afterAll(() => fixture.close())

describe('preferences', () => {
  it('are empty before the first choice', async () => {
    expect(await kept(me)).toEqual({})
  })

  it('are stored by name, for this user only', async () => {
    expect((await fixture.put(path, { theme: 'dark', tagsView: true }, me)).code).toBe(200)
    expect((await fixture.put(path, { theme: 'light', themeColor: '#90EE90' }, me)).code).toBe(200)
    expect(await kept(me)).toEqual({ theme: 'light', tagsView: true, themeColor: '#90EE90' })
    expect(await kept(other)).toEqual({})
  })

  it('are audited with the changes', async () => {
    expect((await fixture.put(path, { theme: 'auto' }, me)).code).toBe(200)
    const rows = await unscoped(fixture.db, 'test')
      .selectFrom('auditLog')
      .select(['username', 'before', 'after'])
      .where('action', '=', 'system:user:update-preferences')
      .orderBy('id', 'desc')
      .execute()
    const kept = { tagsView: true, themeColor: '#90EE90' }
    expect(rows[0]).toEqual({
      username: 'qian',
      before: { ...kept, theme: 'light' },
      after: { ...kept, theme: 'auto' },
    })
  })

  it.each([
    ['theme', 'sepia'],
    ['themeColor', 'red;background:url(x)'],
    ['tagsView', 'yes'],
    ['watermarkContent', 'x'.repeat(51)],
    ['device', 'mobile'],
  ])('refuse %s = %s by name and keep nothing of it', async (name, value) => {
    const answer = await fixture.put(path, { size: 'large', [name]: value }, other)
    expect(answer).toMatchObject({ code: 400, data: { errors: [{ field: name }] } })
    expect(await kept(other)).toEqual({})
  })

  it('of another version that are unknown here are left out', async () => {
    await fixture.db
      .withTables<{ userPreference: { userId: number; kept: object } }>()
      .updateTable('userPreference')
      .set({ kept: { theme: 'light', layout: 'spiral', gone: 1 } })
      .execute()
    expect(await kept(me)).toEqual({ theme: 'light' })
  })

  it('require a session', async () => {
    expect((await fixture.put(path, { theme: 'dark' }, { token: 'nobody' })).code).toBe(401)
  })
})
