import { localStamp } from '@tocsin/contract/time-zone'
import { codes } from '@tocsin/contract/codes'
import { REVEAL_CONTACTS_PERMISSION } from '@tocsin/contract/school/contact'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminServer, startAdminServer, pageIn, errorFields } from '../../../../test/admin-server.ts'
import { writeAudit } from '../audit.ts'
import { parseRegionTable } from './region.ts'
import { logRoutes } from './routes.ts'
import { sealPendingRows } from './seal.ts'

let admin: AdminServer
let bare: string
let watcher: { token: string; userId: number }
beforeAll(async () => {
  admin = await startAdminServer((db) => logRoutes({ db, regionOf: parseRegionTable('10.66.0.0/16,=朝阳分局') }))
  bare = (await admin.clerk()).token
  watcher = await admin.clerk(
    'system:login-log:query',
    'system:login-log:export',
    'system:operate-log:query',
    'system:operate-log:export',
  )
})
afterAll(() => admin.end())

const DAY_MS = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
const range = (from: Date, to: Date) => `createTime[0]=${from.getTime()}&createTime[1]=${to.getTime()}`

const noteLogin = (username: string, more: object = {}) =>
  admin.all
    .insertInto('loginLog')
    .values({ type: 'LOGIN', username, result: 'SUCCESS', ip: '10.1.2.3', userAgent: '浏览器', traceId: 't', ...more })
    .execute()
const logins = async (query: string, token?: string) =>
  pageIn(await admin.call('GET', `/system/login-log/page?${query}`, undefined, token))

const act = async (action: string, at: { deptId: number; userId: number }, more: object = {}) => {
  const actor = { userId: at.userId, deptId: at.deptId, username: `u${at.userId}`, sessionId: 1 }
  const origin = { ip: '10.1.2.3', userAgent: '浏览器', traceId: 't' }
  await writeAudit(admin.site.db, { actor, origin, action, subject: 'users', subjectId: at.userId, ...more })
  const { id } = await admin.all.selectFrom('auditLog').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  return id
}
const acts = async (query: string, token?: string) =>
  pageIn(await admin.call('GET', `/system/operate-log/page?${query}`, undefined, token))

/** The query of an export. */
const filterIn = async (row: Record<string, unknown> | undefined) => {
  const { data } = await admin.call('GET', `/system/operate-log/get?id=${row?.['id']}`)
  return data.after?.['filter']
}

/** The text of a download. */
const download = async (path: string, token = admin.adminToken) => {
  const response = await admin.site.app.inject({
    method: 'GET',
    url: `/admin-api${path}`,
    headers: { authorization: `Bearer ${token}` },
  })
  return { type: String(response.headers['content-type']), lines: response.body.trim().split('\r\n') }
}

describe('the login log', () => {
  it('filters by name, address, type, result and time, latest first', async () => {
    await noteLogin('finder')
    await noteLogin('finder', { type: 'KICK', ip: '10.9.9.9' })
    await noteLogin('finder', { result: 'BAD_PASSWORD' })
    await noteLogin('finder', { at: ago(8) })
    expect((await logins('username=FIND')).list.map(({ logType, result }) => `${logType} ${result}`)).toEqual([
      'LOGIN BAD_PASSWORD',
      'KICK SUCCESS',
      'LOGIN SUCCESS',
    ])
    expect((await logins('username=finder&userIp=9.9&logType=KICK,LOGOUT')).total).toBe(1)
    expect((await logins('username=finder&status=false')).total).toBe(1)
    expect((await logins(`username=finder&${range(ago(9), ago(7))}`)).total).toBe(1)
  })

  it('finds frequent and rare names alike with both search methods', async () => {
    const at = ago(30)
    const many = Array.from({ length: 40 }, (_, no) => ({ username: no < 38 ? `Every.${no}` : `rare_${no}%`, at }))
    for (const { username } of many) await noteLogin(username, { at })
    const when = range(ago(31), ago(29))
    const counts: [string, number][] = [
      ['every', 38],
      ['y.3', 9],
      ['every.7', 1],
      ['RARE', 2],
      ['39%', 1],
      ['_', 2],
      ['ev', 38],
      ['nobody', 0],
    ]
    for (const [name, total] of counts)
      expect((await logins(`username=${encodeURIComponent(name)}&${when}`)).total).toBe(total)
    expect((await logins(`username=every&userIp=none&${when}`)).total).toBe(0)
  })

  it('has pages without a gap or a duplicate, also when all rows have the same time', async () => {
    const at = ago(40)
    for (let no = 0; no < 23; no += 1) await noteLogin('paged', { at, ...(no % 2 ? admin.here : admin.there) })
    const seen: unknown[] = []
    const value = `username=paged&pageSize=10&${range(ago(41), ago(39))}`
    for (const pageNo of [1, 2, 3, 4]) {
      const { list, total } = await logins(`${value}&pageNo=${pageNo}`)
      expect(total).toBe(23)
      seen.push(...list.map(({ id }) => id))
    }
    expect(seen).toEqual([...new Set(seen)].map(Number).sort((a, b) => b - a))
    expect(seen).toHaveLength(23)
    const mine = await logins(`${value}&pageNo=2`, watcher.token)
    expect([mine.total, mine.list.length]).toEqual([11, 1])
  })

  it('shows rows of visible departments, and unknown users only to users who see everything', async () => {
    await noteLogin('sight', { ...admin.here, result: 'SUCCESS' })
    await noteLogin('sight', admin.there)
    await noteLogin('sight', { result: 'UNKNOWN_USER' })
    expect((await logins('username=sight')).total).toBe(3)
    expect((await logins('username=sight', watcher.token)).list).toMatchObject([{ userId: admin.here.userId }])
  })

  it('exports the rows of the same filter', async () => {
    await noteLogin('=cmd', admin.here)
    await noteLogin('=cmd', admin.there)
    const { type, lines } = await download('/system/login-log/export?username=cmd&format=csv', watcher.token)
    expect(type).toBe('text/csv; charset=utf-8')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`"登录",,"'=cmd","成功","10.1.2.3"`)
    const { list } = await acts('type=system:login-log&subType=export')
    const value = { userId: watcher.userId, requestMethod: 'GET', requestUrl: '/admin-api/system/login-log/export' }
    expect(list).toMatchObject([{ subType: 'export', subject: 'login_log', ...value, durationMs: expect.any(Number) }])
    const other = pageIn(await admin.call('GET', '/api/v1/logs/page?keywords=login-log:export'))
    expect(other.list).toMatchObject([{ method: 'GET', requestUri: value.requestUrl }])
    expect(await filterIn(list[0])).toEqual({ username: 'cmd', format: 'csv' })
  })
})

describe('the region of an address', () => {
  it('is in both logs, in one operation, in their exports and in the rows of the compatibility API', async () => {
    await noteLogin('placed', { ip: '10.66.1.1' })
    await noteLogin('placed', { ip: '8.8.8.8' })
    await noteLogin('placed')
    expect((await logins('username=placed')).list.map(({ region }) => region)).toEqual(['内网', null, '=朝阳分局'])
    const origin = { ip: '10.66.7.7', userAgent: '浏览器', traceId: 't' }
    await writeAudit(admin.site.db, { actor: null, origin, action: 'test:placed:create' })
    await writeAudit(admin.site.db, { actor: null, origin: null, action: 'test:placed:create' })
    const { list } = await acts('type=test:placed')
    expect(list.map(({ region }) => region)).toEqual([null, '=朝阳分局'])
    const { data } = await admin.call('GET', `/system/operate-log/get?id=${list[1]?.['id']}`)
    expect(data).toMatchObject({ region: '=朝阳分局' })
    const other = pageIn(await admin.call('GET', '/api/v1/logs/page?keywords=test:placed'))
    expect(other.list.map(({ region }) => region)).toEqual([null, '=朝阳分局'])
    for (const sheet of ['login-log/export?username=placed', 'operate-log/export?type=test:placed'])
      expect((await download(`/system/${sheet}&format=csv`)).lines.join()).toContain(`"'=朝阳分局"`)
  })
})

describe('the operation log', () => {
  it('filters by user, module, operation, subject, address and time', async () => {
    const id = await act('test:thing:create', admin.here)
    await act('test:thing:delete', admin.here)
    const { userId } = admin.here
    const row = { id, type: 'test:thing', subType: 'create', userId, bizId: userId, subject: 'users', result: 200 }
    const found = { list: [{ ...row, durationMs: null }], total: 1 }
    expect(await acts('type=test:thing&subType=create')).toMatchObject(found)
    expect((await acts(`userId=${userId}&bizId=${userId}&action=THING`)).total).toBe(2)
    expect((await acts(`userName=u${userId}&type=test`)).total).toBe(2)
    expect((await acts(`type=test:thing&${range(ago(3), ago(2))}`)).total).toBe(0)
    const origin = { ip: '10.71.2.3', userAgent: '', traceId: 't' }
    await writeAudit(admin.site.db, { actor: null, origin, action: 'test:from:create' })
    const from = ['10.71.2.3', '10.71', '10.71.2.4', '10_71'].map(async (ip) => (await acts(`userIp=${ip}`)).total)
    expect(await Promise.all(from)).toEqual([1, 1, 0, 0])
    expect((await download('/system/operate-log/export?userIp=10.71&format=csv')).lines).toHaveLength(2)
  })

  it('shows a row before and after, with masked contact data unless the user may see it', async () => {
    const id = await act('test:shown:update', admin.here, {
      before: { mobile: '13812345678', email: 'someone@example.org', remark: null },
      after: { mobile: null },
    })
    const get = (token?: string) => admin.call('GET', `/system/operate-log/get?id=${id}`, undefined, token)
    expect((await get()).data).toMatchObject({ before: { mobile: '13812345678' }, after: { mobile: null }, seal: null })
    expect((await get(watcher.token)).data).toMatchObject({
      before: { mobile: '138****5678', email: 's***@example.org', remark: null },
    })
    // Unmasked data are audited as a read; masked data are not.
    expect((await acts('type=system:user&subType=reveal')).list).toMatchObject([{ subject: 'audit_log', bizId: id }])
  })

  it('masks a searched number in any field', async () => {
    const filter = { keywords: '13812345678', username: 'wang', mobile: '13812345678' }
    const id = await act('test:sought:query', admin.here, { after: { call: '/x', filter, ids: [7] } })
    const { data } = await admin.call('GET', `/system/operate-log/get?id=${id}`, undefined, watcher.token)
    const masked = { keywords: '138****5678', username: 'wang', mobile: '138****5678' }
    expect(data.after).toEqual({ call: '/x', filter: masked, ids: [7] })
  })

  it('masks lists and nested values; school contacts need their own permission', async () => {
    const state = (phone: string, mobile: string, email: string) => ({
      emergencyContacts: [{ name: '门卫', phone }, { kin: { homePhone: phone } }],
      mobiles: [mobile],
      more: [[{ email }]],
      found: [{ keywords: [mobile, 7, null] }],
    })
    const clear = state('13812345678', '13987654321', 'someone@example.org')
    const masked = state('138****5678', '139****4321', 's***@example.org')
    const people = await admin.clerk('system:operate-log:query', 'system:user:reveal')
    const schools = await admin.clerk('system:operate-log:query', REVEAL_CONTACTS_PERMISSION)
    for (const [subject, withRight, without] of [
      ['users', people, schools],
      ['school', schools, people],
    ] as const) {
      const of = { subject, subjectId: null, before: clear, after: { ...clear, name: 'x' } }
      const id = await act('test:lists:update', admin.here, of)
      const get = async (token: string) =>
        (await admin.call('GET', `/system/operate-log/get?id=${id}`, undefined, token)).data
      expect(await get(without.token)).toMatchObject({ before: masked, after: { ...masked, name: 'x' } })
      expect(await get(withRight.token)).toMatchObject({ before: clear, after: { ...clear, name: 'x' } })
      const read = await acts(`bizId=${id}&subType=reveal`)
      expect(read.list).toMatchObject([{ userId: withRight.userId, subject: 'audit_log' }])
      expect(read.list[0]?.['type']).toBe(subject === 'users' ? 'system:user' : 'school:school')
    }
  })

  it('shows whether a row still matches its seal', async () => {
    const id = await act('test:seal:create', admin.here)
    const state = async () => {
      const { data } = await admin.call('GET', `/system/operate-log/get?id=${id}`)
      return { seal: data?.['seal'], sealState: data?.['sealState'] }
    }
    expect(await state()).toEqual({ seal: null, sealState: 'WAITING' })
    const sealed = await sealPendingRows(admin.site.db)
    expect(await state()).toEqual({ seal: sealed?.seq, sealState: 'SEALED' })
    const owner = new pg.Client(admin.database.owner)
    await owner.connect()
    await owner.query('update audit_log set user_id = null where id = $1', [id])
    expect((await state()).sealState).toBe('BROKEN')
    await owner.query('update audit_log set user_id = $2 where id = $1', [id, admin.here.userId])
    expect((await state()).sealState).toBe('SEALED')
    await owner.end()
  })

  it('shows operations of users of visible departments', async () => {
    const mine = await act('test:sight:create', admin.here)
    const other = await act('test:sight:create', admin.there)
    expect((await acts('type=test:sight')).total).toBe(2)
    expect((await acts('type=test:sight', watcher.token)).list.map(({ id }) => id)).toEqual([mine])
    const get = (id: number) => admin.call('GET', `/system/operate-log/get?id=${id}`, undefined, watcher.token)
    expect((await get(other)).code).toBe(codes.notFound.code)
    expect((await get(999_999)).code).toBe(codes.notFound.code)
    expect((await download('/system/operate-log/export?type=test:sight&format=csv', watcher.token)).lines).toHaveLength(
      2,
    )
    expect((await download('/system/operate-log/export?type=test:sight&format=csv')).lines).toHaveLength(3)
    const [noted] = (await acts('type=system:operate-log&subType=export')).list
    expect(noted).toMatchObject({ subject: 'audit_log' })
    expect(await filterIn(noted)).toEqual({ type: 'test:sight', format: 'csv' })
  })

  it('shows operations of colleagues on invisible rows without their content', async () => {
    const { here, there } = admin
    const far = (subject: string, subjectId: number, more: object) => ({ subject, subjectId, before: more })
    const get = async (more: object, token?: string) => {
      const id = await act('test:far:update', here, more)
      const { data } = await admin.call('GET', `/system/operate-log/get?id=${id}`, undefined, token)
      return [data['withheld'], data['before']]
    }
    const hidden = [
      far('users', there.userId, { id: there.userId, deptId: there.deptId, nickname: '远' }),
      far('users', there.userId, { remark: '远' }),
      far('users', 987_654, { id: 987_654, deptId: there.deptId, nickname: '已删除' }),
      far('dept', there.deptId, { name: '乙部门' }),
      far('notice', 987_654, { deptId: there.deptId, creator: there.userId, title: '远' }),
    ]
    for (const item of hidden) {
      expect(await get(item, watcher.token)).toEqual([true, null])
      expect(await get(item)).toEqual([false, item.before])
    }
    const open = [
      far('users', here.userId, { remark: '近' }),
      far('users', 987_654, { id: 987_654, deptId: here.deptId, nickname: '已删除' }),
      far('dept', here.deptId, { name: '甲部门' }),
      far('dict_type', 1, { name: '字典' }),
    ]
    for (const item of open) expect(await get(item, watcher.token)).toEqual([false, item.before])
    // A row moved into the user's visibility, and a change by the user.
    const moved = { ...far('users', there.userId, { deptId: there.deptId }), after: { deptId: here.deptId } }
    expect(await get(moved, watcher.token)).toEqual([false, moved.before])
    const own = await act('test:far:update', { ...here, userId: watcher.userId }, hidden[0])
    const { data } = await admin.call('GET', `/system/operate-log/get?id=${own}`, undefined, watcher.token)
    expect(data['withheld']).toBe(false)
  })

  it('cannot be rewritten by the server', async () => {
    await expect(sql`update audit_log set action = 'x'`.execute(admin.site.db)).rejects.toThrow('permission denied')
    await expect(sql`delete from seal`.execute(admin.site.db)).rejects.toThrow('permission denied')
  })
})

describe('the operation log in the compatibility API', () => {
  it('is found by one keyword in action, address or user, in whole days', async () => {
    const id = await act('system:v1:paint', admin.here)
    const day = localStamp(new Date()).slice(0, 10)
    const found = async (words: string, token?: string) =>
      pageIn(
        await admin.call(
          'GET',
          `/api/v1/logs/page?keywords=${words}&createTime[0]=${day}&createTime[1]=${day}`,
          undefined,
          token,
        ),
      )
    const row = {
      id,
      module: 'system:v1',
      content: 'system:v1:paint',
      ip: '10.1.2.3',
      operator: `u${admin.here.userId}`,
      browser: '浏览器',
      os: null,
      executionTime: null,
      createTime: expect.stringContaining(day),
    }
    for (const words of ['v1:pa', `u${admin.here.userId}`])
      expect((await found(words)).list).toContainEqual(expect.objectContaining(row))
    expect((await found('nothing-like-it')).list).toEqual([])
    expect((await found('10.1.2')).total).toBeGreaterThan(0)
    // A call stores its duration.
    await download('/system/operate-log/export?type=system:v1')
    const [call] = (await found('operate-log:export')).list
    expect(call).toMatchObject({ executionTime: expect.any(Number) })
    // One keyword in three columns uses no index, so the query is limited to a month, with an error beyond.
    const since = (days: number) => `createTime[0]=${localStamp(ago(days)).slice(0, 10)}&createTime[1]=${day}`
    const requestPage = (query: string) => admin.call('GET', `/api/v1/logs/page?${query}`)
    expect(await requestPage(`keywords=paint&${since(40)}`)).toMatchObject({ code: 400, msg: '时间范围不能超过 31 天' })
    expect((await requestPage(`keywords=paint&${since(29)}`)).code).toBe(200)
    expect((await requestPage(since(40))).code).toBe(200)
    expect((await admin.call('GET', '/api/v1/logs/page', undefined, bare)).code).toBe(403)
    expect(errorFields(await admin.call('GET', '/api/v1/logs/page?createTime[0]=x&createTime[1]=y'))).toHaveLength(2)
  })
})

describe('both logs', () => {
  it.each(['/system/login-log/page', '/system/operate-log/page'])('%s rejects more than 92 days', async (path) => {
    const answer = await admin.call('GET', `${path}?${range(ago(100), ago(1))}`)
    expect(answer).toMatchObject({ code: 400, msg: '时间范围不能超过 92 天' })
    expect(errorFields(await admin.call('GET', `${path}?createTime[0]=x&createTime[1]=y`))).toEqual([
      'createTime.0',
      'createTime.1',
    ])
  })

  it.each([
    '/system/login-log/page',
    '/system/login-log/export',
    '/system/operate-log/page',
    '/system/operate-log/get?id=1',
    '/system/operate-log/export',
  ])('%s is refused without its permission', async (path) => {
    expect((await admin.call('GET', path, undefined, bare)).code).toBe(403)
  })
})
