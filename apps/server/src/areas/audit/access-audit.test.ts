import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSchool, makeUser } from '../../../seed/fixtures.ts'
import { type AdminServer, startAdminServer } from '../../../test/admin-server.ts'
import { logRoutes } from './log/routes.ts'
import { noticeCalls } from '#areas/notices/routes'
import { onlineRoutes } from '#areas/access/people/profile/online'
import { userRoutes } from '#areas/access/people/routes'

let admin: AdminServer
let reader: { token: string; userId: number }
let revealer: { token: string; userId: number }
beforeAll(async () => {
  admin = await startAdminServer((db) =>
    [userRoutes, logRoutes, onlineRoutes, noticeCalls.routes].flatMap((routes) => routes({ db })),
  )
  reader = await admin.clerk('system:user:list', 'system:user:query', 'bully:merchant-user:query')
  revealer = await admin.clerk('system:user:list', 'system:user:query', 'system:user:reveal')
})
afterAll(() => admin.end())

const trace = (userId: number) =>
  admin.all
    .selectFrom('auditLog')
    .select(['id', 'action', 'subject', 'subjectId', 'after', 'ip'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
const count = async () => Number((await admin.all.selectFrom('auditLog').select('id').execute()).length)
const get = (path: string, token: string) => admin.call('GET', path, undefined, token)

describe('reading personal data', () => {
  it('leaves one row a request: user, call, filter, count and ids', async () => {
    const { id } = await makeUser(admin.site.db, { username: 'sought.one', deptId: admin.here.deptId })
    const before = await count()
    await get('/system/user/page?username=sought&createTime[0]=2020-01-01&createTime[1]=2199-01-01', reader.token)
    expect(await count()).toBe(before + 1)
    expect(await trace(reader.userId)).toMatchObject({
      action: 'system:user:list',
      subject: 'users',
      subjectId: id,
      ip: '127.0.0.1',
      after: {
        call: '/system/user/page',
        filter: { username: 'sought', createTime: [expect.stringMatching(/^2019-12-31T16/), expect.any(String)] },
        count: 1,
        ids: [id],
      },
    })
    await get(`/system/user/get?id=${id}`, reader.token)
    expect(await trace(reader.userId)).toMatchObject({
      action: 'system:user:query',
      subjectId: id,
      after: { call: '/system/user/get', filter: { id }, ids: [id] },
    })
  })

  it('is audited also without a result, but not when it is rejected', async () => {
    await get('/system/user/page?username=nobody-at-all', reader.token)
    expect(await trace(reader.userId)).toMatchObject({ subjectId: null, after: { count: 0, ids: [] } })
    const before = await count()
    await get('/system/user/get?id=999999', reader.token)
    await get('/system/user/page', (await admin.clerk()).token)
    expect(await count()).toBe(before)
  })

  it('unmasked is another action, except for one s own', async () => {
    const { id } = await makeUser(admin.site.db, { username: 'revealed', deptId: admin.here.deptId })
    await get(`/system/user/get?id=${id}`, revealer.token)
    expect(await trace(revealer.userId)).toMatchObject({ action: 'system:user:reveal', subjectId: id })
    await get(`/system/user/get?id=${revealer.userId}`, revealer.token)
    expect(await trace(revealer.userId)).toMatchObject({ action: 'system:user:query' })
  })

  it('is audited for school accounts alike', async () => {
    await makeSchool(admin.site.db, { eduDeptId: admin.here.deptId })
    await get('/bully/merchant-user/page', reader.token)
    expect(await trace(reader.userId)).toMatchObject({
      action: 'bully:merchant-user:query',
      after: { call: '/bully/merchant-user/page' },
    })
  })

  it('is audited for sessions, sign-ins and readers of a notice alike', async () => {
    const { id: userId } = await makeUser(admin.site.db, { username: 'guest', deptId: admin.here.deptId })
    const notice = { title: 'x', content: '<p>x</p>', type: '1', target: 'USER', userIds: [userId] }
    const { data: id } = await admin.call('POST', '/system/notice/create', notice)
    await admin.call('POST', '/system/notice/publish', { id, version: 1 })
    const watcher = await admin.clerk('system:online-session:query', 'system:login-log:query')
    const logged = await admin.all
      .selectFrom('loginLog')
      .select('id')
      .where('userId', '=', watcher.userId)
      .executeTakeFirstOrThrow()
    await get('/system/online-session/page?username=clerk', watcher.token)
    expect(await trace(watcher.userId)).toMatchObject({
      action: 'system:online-session:query',
      subject: 'users',
      after: { call: '/system/online-session/page', filter: { username: 'clerk' }, ids: expect.any(Array) },
    })
    await get('/system/login-log/page?username=clerk&pageSize=200', watcher.token)
    expect(await trace(watcher.userId)).toMatchObject({
      action: 'system:login-log:query',
      subject: 'login_log',
      after: { call: '/system/login-log/page', ids: expect.arrayContaining([logged.id]) },
    })
    await admin.call('GET', `/system/notice/readers?id=${Number(id)}`)
    const rows = admin.all
      .selectFrom('auditLog')
      .select(['subject', 'after'])
      .where('action', '=', 'system:notice:query')
    expect(await rows.execute()).toMatchObject([
      { subject: 'users', after: { call: '/system/notice/readers', filter: { id: Number(id) }, ids: [userId] } },
    ])
  })

  it('treats a searched value as personal like a found one', async () => {
    await get('/system/user/page?mobile=13812345678', reader.token)
    const { id } = (await trace(reader.userId)) ?? { id: 0 }
    const auditor = await admin.clerk('system:operate-log:query')
    const { data } = await get(`/system/operate-log/get?id=${id}`, auditor.token)
    expect(data).toMatchObject({ after: { filter: { mobile: '138****5678' } } })
  })
})
