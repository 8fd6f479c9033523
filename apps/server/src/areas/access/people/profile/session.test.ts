import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeUser } from '../../../../../seed/fixtures.ts'
import { type AdminFixture, openAdminFixture, password } from '../../../../../test/admin-fixture.ts'

let fixture: AdminFixture

beforeAll(async () => {
  fixture = await openAdminFixture()
  for (const username of ['wang', 'li'])
    await makeUser(fixture.db, { username, password, deptId: fixture.eastSchool.deptId, roles: ['guard'] })
})
afterAll(() => fixture.close())

type Listed = { id: number; current: boolean; userIp: string; region: string | null }
const listed = async (token: string) => {
  const { data } = await fixture.get(LIST, { token })
  return data as unknown as Listed[]
}
const LIST = '/system/user/profile/session-list'

it("the own sessions are listed, the current one first, and no other user's", async () => {
  const [first, second, other] = [
    await fixture.signedIn('wang'),
    await fixture.signedIn('wang'),
    await fixture.signedIn('li'),
  ]
  const mine = await listed(second.token)
  expect(mine.map(({ current }) => current)).toEqual([true, false])
  expect(mine[0]).toMatchObject({ userIp: '127.0.0.1', region: '本机' })
  expect((await listed(first.token)).find(({ current }) => current)?.id).toBe(mine[1]?.id)
  expect((await listed(other.token)).length).toBe(1)
  expect((await fixture.call('GET', LIST)).code).toBe(401)
})

it('ends another own session, informs its client, and audits it', async () => {
  const [kept, gone] = [await fixture.signedIn('wang'), await fixture.signedIn('wang')]
  const id = (await listed(gone.token)).find(({ current }) => current)?.id ?? 0
  expect((await fixture.remove(`/system/user/profile/delete-session?id=${id}`, kept)).code).toBe(200)
  expect((await fixture.get(LIST, gone)).code).toBe('A0230')
  expect((await listed(kept.token)).some((item) => item.id === id)).toBe(false)
  expect(await fixture.audits('session', id)).toMatchObject([{ action: 'system:session:delete-own' }])
})

it('ends neither the current session nor one of another user', async () => {
  const [me, other] = [await fixture.signedIn('wang'), await fixture.signedIn('li')]
  const idOf = async (token: string) => (await listed(token)).find(({ current }) => current)?.id ?? 0
  const end = async (id: number) => (await fixture.remove(`/system/user/profile/delete-session?id=${id}`, me)).code
  expect(await end(await idOf(me.token))).toBe(1_002_003_030)
  expect(await end(await idOf(other.token))).toBe(404)
  expect(await end(987_654)).toBe(404)
  expect((await listed(other.token)).length).toBeGreaterThan(0)
})

it('ends all others at once', async () => {
  const [first, second, me] = [await fixture.signedIn('li'), await fixture.signedIn('li'), await fixture.signedIn('li')]
  const before = await listed(me.token)
  const { data } = await fixture.remove('/system/user/profile/delete-other-sessions', me)
  expect(data).toBe(before.length - 1)
  expect((await listed(me.token)).map(({ current }) => current)).toEqual([true])
  for (const gone of [first, second]) expect((await fixture.get(LIST, gone)).code).toBe('A0230')
})
