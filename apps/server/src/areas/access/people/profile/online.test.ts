import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../../seed/fixtures.ts'
import { type AdminServer, startAdminServer, pageIn, PASSWORD, errorFields } from '../../../../../test/admin-server.ts'
import { onlineRoutes } from './online.ts'

let admin: AdminServer
let watcher: { token: string; userId: number }
beforeAll(async () => {
  admin = await startAdminServer((db) => onlineRoutes({ db }))
  watcher = await admin.clerk('system:online-session:query', 'system:online-session:delete')
})
afterAll(() => admin.end())

const info = '/system/auth/get-permission-info'
let made = 0
/** A user who has just signed in. */
const arrive = async (deptId: number, roles: string[] = []) => {
  made += 1
  const username = `guest${made}`
  const { id: userId } = await makeUser(admin.site.db, { username, password: PASSWORD, deptId, roles })
  const token = await admin.site.tokenOf(username, PASSWORD)
  const { id } = await admin.site.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return { userId, username, token, id }
}
const online = async (query: string, token?: string) =>
  pageIn(await admin.call('GET', `/system/online-session/page?${query}`, undefined, token))
const kick = (id: number, token?: string) =>
  admin.call('DELETE', `/system/online-session/delete?id=${id}`, undefined, token)

describe('online sessions', () => {
  it('list user, address and browser, with the own one marked', async () => {
    const guest = await arrive(admin.here.deptId)
    const { list, total } = await online(`username=${guest.username.toUpperCase()}&userIp=127`)
    expect(total).toBe(1)
    expect(list).toMatchObject([
      { id: guest.id, userId: guest.userId, deptName: '甲部门', userIp: '127.0.0.1', region: '本机', current: false },
    ])
    expect((await online('username=admin')).list).toMatchObject([{ current: true, locked: false }])
    expect((await online(`username=${guest.username}&userIp=10.`)).total).toBe(0)
  })

  it('are those of visible users', async () => {
    const [mine, other] = [await arrive(admin.here.deptId), await arrive(admin.there.deptId)]
    const seen = (await online('pageSize=200', watcher.token)).list.map(({ id }) => id)
    expect(seen).toContain(mine.id)
    expect(seen).not.toContain(other.id)
    expect((await kick(other.id, watcher.token)).code).toBe(codes.notFound.code)
    expect((await admin.call('GET', info, undefined, other.token)).code).toBe(200)
  })

  it('end at once on request, on every node, logged and audited', async () => {
    const guest = await arrive(admin.here.deptId)
    expect((await admin.call('GET', info, undefined, guest.token)).code).toBe(200)
    expect(await kick(guest.id, watcher.token)).toMatchObject({ code: 200, data: true })
    expect(await admin.call('GET', info, undefined, guest.token)).toMatchObject({ status: 401, code: 'A0230' })
    expect(await admin.events('session.ended')).toContainEqual({ ref: guest.id, userId: guest.userId })
    expect(await admin.audited('session', guest.id)).toEqual(['system:online-session:kick'])
    const log = await admin.all
      .selectFrom('loginLog')
      .select(['type', 'result', 'username', 'deptId'])
      .where('userId', '=', guest.userId)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(log).toEqual({ type: 'KICK', result: 'SUCCESS', username: guest.username, deptId: admin.here.deptId })
    expect((await online(`username=${guest.username}`)).total).toBe(0)
    expect((await kick(guest.id)).code).toBe(codes.notFound.code)
  })

  it('that expired are not listed', async () => {
    const guest = await arrive(admin.here.deptId)
    await admin.site.db
      .updateTable('session')
      .set({ idleExpiresAt: new Date(0) })
      .where('id', '=', guest.id)
      .execute()
    expect((await online(`username=${guest.username}`)).total).toBe(0)
    expect((await kick(guest.id)).code).toBe(codes.notFound.code)
  })

  it('are not ended for oneself, nor by a user with fewer rights', async () => {
    const [own] = (await online('username=admin')).list
    expect((await kick(Number(own?.id))).code).toBe(codes.ownSession.code)
    const lead = await arrive(admin.here.deptId, ['shift_lead'])
    expect((await kick(lead.id, watcher.token)).code).toBe(codes.moreRights.code)
    expect((await admin.call('GET', info, undefined, lead.token)).code).toBe(200)
    expect((await kick(lead.id)).code).toBe(200)
  })

  it('require their permissions and an id', async () => {
    const bare = (await admin.clerk()).token
    expect((await admin.call('GET', '/system/online-session/page', undefined, bare)).code).toBe(403)
    expect((await kick(1, bare)).code).toBe(403)
    expect(errorFields(await admin.call('DELETE', '/system/online-session/delete?id=x'))).toEqual(['id'])
  })
})
