import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDept, makeUser } from '../../../seed/fixtures.ts'
import { openJobFixture, type JobFixture, workbook } from '../../../test/job-fixture.ts'
import { unscoped } from '#db/scope'
import { logRoutes } from '#areas/audit/log/routes'
import { onlineRoutes } from './people/profile/online.ts'
import { registerRoutes } from './sign-in/register/routes.ts'

// A user with every permission of the administration in the east, and invisible data of the west: by any call of both
// APIs, the west is reported as missing.

type Ids = Record<
  'user' | 'pending' | 'dept' | 'below' | 'school' | 'notice' | 'file' | 'job' | 'session' | 'deed' | 'mine',
  number
>

let fixture: JobFixture
let east: { token: string }
let west: { token: string }
let ids: Ids
let nowhere: Ids

const all = () => unscoped(fixture.db, 'test')
const NAME = 'west.one'

beforeAll(async () => {
  // Approving needs the keys of messages only once it has found a receiver.
  fixture = await openJobFixture((db) => [
    ...logRoutes({ db }),
    ...onlineRoutes({ db }),
    ...registerRoutes({ db } as never),
  ])
  const found = await fixture.db.selectFrom('menu').select('permission').execute()
  const permissions = found.flatMap(({ permission }) => (permission ? [permission] : []))
  await fixture.makeRole('whole', { dataScope: 'DEPT_AND_CHILD', permissions })
  const password = 'Maple-river-42'
  const me = await makeUser(fixture.db, { username: 'east.boss', password, deptId: fixture.east.id, roles: ['whole'] })
  const other = { password, nickname: '西区的人', mobile: '13912345678', deptId: fixture.west.id, roles: ['whole'] }
  const user = await makeUser(fixture.db, { username: NAME, ...other })
  const pending = await makeUser(fixture.db, { deptId: fixture.west.id, enabled: false, pending: true })
  const below = await makeDept(fixture.db, { name: '西区下属', parentId: fixture.west.id })
  ;[east, west] = [await fixture.signedIn('east.boss'), await fixture.signedIn(NAME)]
  const target = { target: 'DEPT', deptIds: [fixture.west.id] }
  const notice = await fixture.post(
    '/system/notice/create',
    { title: '西区通知', type: '1', content: '<p>西区</p>', ...target },
    west,
  )
  await fixture.post('/system/notice/publish', { id: notice.data, version: 1 }, west)
  const file = await fixture.send(Buffer.from('a,b\r\n1,2\r\n'), '', west, '/infra/file/create')
  const job = await fixture.check(
    await workbook([['west.two', '二', null, null, null, null, null, null, null]]),
    '',
    west,
  )
  const session = await all().selectFrom('session').select('id').where('userId', '=', user.id).executeTakeFirstOrThrow()
  const deed = await all().selectFrom('auditLog').select('id').where('userId', '=', user.id).executeTakeFirstOrThrow()
  ids = {
    user: user.id,
    pending: pending.id,
    dept: fixture.west.id,
    below: below.id,
    school: fixture.westSchool.id,
    notice: Number(notice.data),
    file: (file.data as unknown as { id: number }).id,
    job: job.id,
    session: session.id,
    deed: deed.id,
    mine: me.id,
  }
  expect(Object.values(ids).filter((id) => !(id > 0))).toEqual([])
  nowhere = { ...(Object.fromEntries(Object.keys(ids).map((name) => [name, 999_999_999])) as Ids), mine: me.id }
  fixture.forget()
})
afterAll(() => fixture.close())

/** Labels for the test titles. */
const words = new Proxy({} as Ids, { get: (_, name) => `{${String(name)}}` })

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
type Try = readonly [Method, (at: Ids) => string, ((at: Ids) => unknown)?]

/** Uses a mounted alias: an unknown address rejects every id alike, which proves nothing. */
const ask = async ([method, path, body]: Try, at: Ids) => {
  const response = await fixture.app.inject({
    method,
    url: `/admin-api${path(at)}`,
    headers: { authorization: `Bearer ${east.token}`, 'content-type': 'application/json' },
    ...(body && { payload: JSON.stringify(body(at)) }),
  })
  const refusal = JSON.stringify({ code: codes.noUrl.code, msg: codes.noUrl.zh }).slice(0, -1)
  expect(response.body.startsWith(refusal) || response.statusCode === 405, `${method} ${path(at)}`).toBe(false)
  return response.body
}
/** The content of an answer, without its trace id and the requested id. */
const said = (text: string, at: Ids) => {
  const { traceId: _trace, ...rest } = JSON.parse(text) as { traceId?: string }
  return Object.values(at).reduce((json, id) => json.replaceAll(`#${id}`, '#'), JSON.stringify(rest))
}

const lists: Try[] = [
  ['GET', () => '/system/user/page?pageSize=200'],
  ['GET', ({ dept }) => `/system/user/page?deptId=${dept}`],
  ['GET', () => `/system/user/page?keywords=${NAME}`],
  ['GET', () => '/system/user/page?mobile=13912345678'],
  ['GET', () => '/system/user/simple-list'],
  ['GET', () => '/system/user/export?format=csv'],
  ['GET', ({ dept }) => `/system/user/export-excel?format=csv&deptId=${dept}`],
  ['GET', () => '/api/v1/users/page?pageNum=1&pageSize=200'],
  ['GET', () => '/api/v1/users/page?keywords=13912345678'],
  ['GET', () => '/api/v1/users/options'],
  ['GET', ({ school }) => `/bully/merchant-user/page?schoolId=${school}`],
  ['GET', () => '/system/dept/list'],
  ['GET', () => '/system/dept/simple-list'],
  ['GET', () => '/api/v1/dept'],
  ['GET', () => '/api/v1/dept/options'],
  ['GET', () => '/system/notice/page'],
  ['GET', () => '/system/notice/my-page'],
  ['GET', () => '/api/v1/notices/page?pageNum=1'],
  ['GET', () => '/api/v1/notices/my-page?pageNum=1'],
  ['GET', () => '/system/notify-message/my-page'],
  ['GET', () => '/infra/file/page'],
  ['GET', () => '/system/job/my-list'],
  ['GET', () => '/system/login-log/page?pageSize=200'],
  ['GET', () => `/system/login-log/export?format=csv&username=${NAME}`],
  ['GET', () => '/system/operate-log/page?pageSize=200'],
  ['GET', () => `/system/operate-log/export?format=csv&userName=${NAME}`],
  ['GET', () => '/api/v1/logs/page?pageNum=1'],
  ['GET', () => '/system/online-session/page'],
]

const single: Try[] = [
  ['GET', ({ user }) => `/system/user/get?id=${user}`],
  ['GET', ({ user }) => `/api/v1/users/${user}/form`],
  ['GET', ({ user }) => `/system/permission/list-user-roles?userId=${user}`],
  ['GET', ({ dept }) => `/system/dept/get?id=${dept}`],
  ['GET', ({ dept }) => `/api/v1/dept/${dept}/form`],
  ['GET', ({ notice }) => `/system/notice/get?id=${notice}`],
  ['GET', ({ notice }) => `/system/notice/readers?id=${notice}`],
  ['GET', ({ notice }) => `/system/notice/my-get?id=${notice}`],
  ['GET', ({ notice }) => `/api/v1/notices/${notice}/form`],
  ['GET', ({ notice }) => `/api/v1/notices/${notice}/detail`],
  ['GET', ({ file }) => `/infra/file/get?id=${file}`],
  ['GET', ({ job }) => `/system/job/get?id=${job}`],
  ['GET', ({ job }) => `/system/user/import-rows?id=${job}`],
  ['GET', ({ job }) => `/system/user/import-bad-rows?id=${job}`],
  ['GET', ({ job }) => `/system/user/import-result?id=${job}`],
  ['GET', ({ deed }) => `/system/operate-log/get?id=${deed}`],
]

const fresh = { username: 'fresh.one', nickname: '新人', password: 'Brook-field-77' }
const wordy = { title: '写给西区', type: '1', content: '<p>x</p>' }

const writes: Try[] = [
  ['PUT', () => '/system/user/update', ({ user }) => ({ id: user, nickname: '改了' })],
  ['PUT', () => '/admin-user/update', ({ user }) => ({ id: user, nickname: '改了' })],
  ['PUT', ({ user }) => `/api/v1/users/${user}`, () => ({ nickname: '改了' })],
  ['PUT', () => '/system/user/update', ({ mine, dept }) => ({ id: mine, deptId: dept })],
  ['PUT', () => '/system/user/update-status', ({ user }) => ({ id: user, status: 1 })],
  ['PATCH', ({ user }) => `/api/v1/users/${user}/status?status=0`],
  ['PUT', () => '/system/user/update-password', ({ user }) => ({ id: user, password: 'Brook-field-77' })],
  ['PUT', ({ user }) => `/api/v1/users/${user}/password/reset?password=Brook-field-77`],
  ['DELETE', ({ user }) => `/system/user/delete?id=${user}`],
  ['DELETE', ({ user }) => `/system/user/delete-list?ids=${user}`],
  ['DELETE', ({ user }) => `/api/v1/users/${user}`],
  ['POST', () => '/system/permission/assign-user-role', ({ user }) => ({ userId: user, roleIds: [] })],
  ['POST', () => '/system/user/approve', ({ pending }) => ({ id: pending, version: 1 })],
  ['POST', () => '/system/user/reject', ({ pending }) => ({ id: pending, version: 1 })],
  ['POST', () => '/system/user/create', ({ dept }) => ({ ...fresh, deptId: dept })],
  ['POST', () => '/api/v1/users', ({ dept }) => ({ username: 'fresh.two', nickname: '二', deptId: dept, roleIds: [] })],
  ['POST', () => '/bully/merchant-user/create', ({ school }) => ({ ...fresh, schoolId: school })],
  ['POST', () => '/system/dept/create', ({ dept }) => ({ name: '新科室', parentId: dept, sort: 1 })],
  ['POST', () => '/api/v1/dept', ({ dept }) => ({ name: '新科室', parentId: dept, code: 'NEW', sort: 1, status: 1 })],
  ['PUT', () => '/system/dept/update', ({ dept }) => ({ id: dept, name: '改了' })],
  ['PUT', ({ dept }) => `/api/v1/dept/${dept}`, () => ({ name: '改了' })],
  ['DELETE', ({ below }) => `/system/dept/delete?id=${below}`],
  ['DELETE', ({ below }) => `/api/v1/dept/${below}`],
  ['POST', () => '/system/notice/create', ({ dept }) => ({ ...wordy, target: 'DEPT', deptIds: [dept] })],
  ['POST', () => '/system/notice/create', ({ user }) => ({ ...wordy, target: 'USER', userIds: [user] })],
  ['POST', () => '/api/v1/notices', ({ user }) => ({ ...wordy, targetType: 2, targetUserIds: [String(user)] })],
  ['PUT', () => '/system/notice/update', ({ notice }) => ({ id: notice, title: '改了' })],
  ['PUT', ({ notice }) => `/api/v1/notices/${notice}`, () => ({ title: '改了' })],
  ['POST', () => '/system/notice/revoke', ({ notice }) => ({ id: notice, version: 2 })],
  ['PATCH', ({ notice }) => `/api/v1/notices/${notice}/revoke`],
  ['POST', ({ notice }) => `/system/notice/push?id=${notice}`],
  ['DELETE', ({ notice }) => `/system/notice/delete?id=${notice}`],
  ['DELETE', ({ notice }) => `/api/v1/notices/${notice}`],
  ['DELETE', ({ file }) => `/infra/file/delete?id=${file}`],
  ['DELETE', ({ file }) => `/api/v1/files?filePath=/admin-api/infra/file/${file}`],
  ['POST', () => '/system/job/cancel', ({ job }) => ({ id: job })],
  ['POST', () => '/system/user/import-commit', ({ job }) => ({ id: job, onlyGood: true })],
  ['DELETE', ({ session }) => `/system/online-session/delete?id=${session}`],
]

/** All data of the west, and every row that a write above might create. */
const kept = async () =>
  Promise.all([
    all().selectFrom('users').selectAll().orderBy('id').execute(),
    all().selectFrom('userRole').selectAll().orderBy('userId').orderBy('roleId').execute(),
    all().selectFrom('dept').selectAll().orderBy('id').execute(),
    all().selectFrom('notice').selectAll().orderBy('id').execute(),
    all().selectFrom('noticeReceipt').selectAll().execute(),
    all().selectFrom('file').selectAll().orderBy('id').execute(),
    all().selectFrom('job').selectAll().orderBy('id').execute(),
    all().selectFrom('merchantProfile').selectAll().execute(),
    all().selectFrom('session').select(['id', 'endedAt']).where('id', '=', ids.session).execute(),
  ])

describe('invisible data', () => {
  it.each(lists.map((list) => [list[1](words), list] as const))('is in no list: %s', async (_name, value) => {
    const text = await ask(value, ids)
    expect(text).not.toMatch(/^\{"code":(?!200)/)
    expect(text).not.toMatch(/west\.one|西区/)
  })

  it.each(single.map((item) => [item[1](words), item] as const))('is not read by its id: %s', async (_name, value) => {
    const answer = said(await ask(value, ids), ids)
    expect(answer).not.toContain('"code":200')
    expect(answer).toBe(said(await ask(value, nowhere), nowhere))
  })

  it.each(writes.map((write) => [`${write[0]} ${write[1](words)}`, write] as const))(
    'is not written, nor named in what is written: %s',
    async (_name, value) => {
      const before = await kept()
      const answer = said(await ask(value, ids), ids)
      // For the named row, and not for authentication or the shape of the input.
      expect(answer).not.toMatch(/^\{"code":(200|403)|"rule":"(?!choice)/)
      expect(answer).toBe(said(await ask(value, nowhere), nowhere))
      expect(await kept()).toEqual(before)
    },
  )

  it('cannot be the scope of a role, nor the department of an import', async () => {
    const role = await fixture.makeRole('given', { dataScope: 'DEPT' })
    const scope = (dept: number) =>
      fixture.put(
        '/system/permission/assign-role-data-scope',
        { roleId: role.id, dataScope: 'CUSTOM', dataScopeDeptIds: [dept] },
        east,
      )
    const [there, gone] = [await scope(ids.dept), await scope(nowhere.dept)]
    expect([there.code, there.msg]).toEqual([gone.code, gone.msg])
    expect(there.code).not.toBe(200)
    const bytes = await workbook([['sent.one', '一', null, null, null, null, null, null, null]])
    const sent = async (dept: number) => (await fixture.send(bytes, `dryRun=true&deptId=${dept}`, east)).code
    expect(await sent(ids.dept)).toBe(await sent(nowhere.dept))
    const named = async (dept: string) => {
      const rows = await workbook([['sent.two', '二', dept, null, null, null, null, null, null]])
      const job = await fixture.check(rows, '', east)
      const { data } = await fixture.get(`/system/user/import-rows?id=${job.id}`, east)
      return JSON.stringify((data as unknown as { list: { reasons: unknown }[] }).list[0]?.reasons)
    }
    expect(await named('西区教育局')).toBe(await named('哪里也没有'))
    expect(await named(String(ids.dept))).toBe(await named(String(nowhere.dept)))
  })

  it('are not disclosed by operations of a colleague who sees more', async () => {
    const further = { username: 'further', password: 'Maple-river-42', deptId: fixture.east.id, roles: ['super_admin'] }
    await makeUser(fixture.db, further)
    const boss = await fixture.signedIn('further')
    const ended = await fixture.signedIn(NAME)
    const { id } = await all()
      .selectFrom('session')
      .select('id')
      .where('userId', '=', ids.user)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect((await fixture.remove(`/system/online-session/delete?id=${id}`, boss)).code).toBe(200)
    expect((await fixture.get('/system/job/my-list', ended)).code).not.toBe(200)
    const deed = await all()
      .selectFrom('auditLog')
      .select('id')
      .where('subject', '=', 'session')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const read = (as: { token: string }) => fixture.get(`/system/operate-log/get?id=${deed.id}`, as)
    expect((await read(east)).data).toMatchObject({ withheld: true, before: null })
    expect((await read(boss)).data).toMatchObject({ withheld: false, before: { username: NAME } })
  })
})
