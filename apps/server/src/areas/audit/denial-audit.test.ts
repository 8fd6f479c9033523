import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { makeDept, makeUser } from '../../../seed/fixtures.ts'
import { startFullServer, type FullServer } from '../../../test/full-server.ts'
import { unscoped } from '#db/scope'

let site: FullServer
beforeAll(async () => {
  site = await startFullServer({ denials: { perSecond: 0.001, atOnce: 4 } })
})
afterAll(() => site.close())

const call = async (userId: number, method: string, path: string, payload?: object) => {
  const token = await site.session(userId)
  return JSON.parse((await site.call(method, path, { token, ...(payload && { payload }) })).text).code
}
const noted = (userId: number) =>
  unscoped(site.db, 'test')
    .selectFrom('auditLog')
    .select(['action', 'result', 'after', 'subject', 'username', 'ip'])
    .where('userId', '=', userId)
    .where('result', '<>', 200)
    .orderBy('id')
    .execute()

it('audits a denied write, but no denied read and no mistake', async () => {
  const { forbidden } = codes
  expect(await call(site.nobody, 'PUT', '/system/user/update-password', { id: 1, password: 'Brook-field-77' })).toBe(
    forbidden.code,
  )
  expect(await call(site.nobody, 'GET', '/system/user/page')).toBe(forbidden.code)
  expect(await call(site.nobody, 'PUT', '/system/user/profile/update', { sex: 7 })).toBe(400)
  expect(await noted(site.nobody)).toEqual([
    {
      action: 'system:user:update-password',
      result: forbidden.code,
      after: { call: '/system/user/update-password' },
      subject: null,
      username: 'nobody',
      ip: '127.0.0.1',
    },
  ])
})

/** Creates a user whose role has these permissions only, and sees all rows. */
const holder = async (name: string, ...permissions: string[]): Promise<number> => {
  const { id } = await makeUser(site.db, { username: name })
  const role = await site.db
    .insertInto('role')
    .values({ code: name, name, dataScope: 'ALL' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const menus = await site.db.selectFrom('menu').select('id').where('permission', 'in', permissions).execute()
  await site.db
    .insertInto('roleMenu')
    .values(menus.map((menu) => ({ roleId: role.id, menuId: menu.id })))
    .execute()
  await site.db.insertInto('userRole').values({ userId: id, roleId: role.id }).execute()
  return id
}

it('audits a write beyond the own rights with its subject, without its content', async () => {
  const permission = 'system:user:update-password'
  const id = await holder('helper', permission)
  const body = { id: site.admin, password: 'Brook-field-77' }
  expect(await call(id, 'PUT', '/system/user/update-password', body)).toBe(codes.moreRights.code)
  const after = { call: '/system/user/update-password', id: site.admin }
  expect(await noted(id)).toMatchObject([{ action: permission, result: codes.moreRights.code, after }])
})

it('audits a lead-only action of another user as a denied attempt', async () => {
  const id = await holder('handler', 'warn:record:close', 'warn:record:query')
  const edu = await site.db.selectFrom('dept').select('id').where('code', '=', 'EDU').executeTakeFirstOrThrow()
  const ended = {
    state: 'RESOLVED',
    disposition: 'REAL_HANDLED',
    resolverId: site.admin,
    resolvedAt: new Date(),
  } as const
  const record = await makeRecord(site.db, { deptId: edu.id, level: 1, ...ended })
  const { code } = codes.leadReviews
  expect(await call(id, 'POST', '/warn/record/close', { id: record.id, version: record.version })).toBe(code)
  const after = { call: '/warn/record/close', id: record.id }
  expect(await noted(id)).toMatchObject([{ action: 'warn:record:close', result: code, after }])
})

it('rejects every repeated attempt, and audits only a few', async () => {
  const { id } = await makeUser(site.db, { username: 'restless' })
  for (let tried = 0; tried < 6; tried += 1) expect(await call(id, 'DELETE', '/system/role/delete?id=1')).toBe(403)
  expect(await noted(id)).toHaveLength(4)
})

it('audits the current row disclosed by a stale edit, as the user may see it', async () => {
  const mobile = '13812340001'
  const { id } = await makeUser(site.db, { username: 'stale', mobile })
  const dept = { id: (await makeDept(site.db, { name: '分局', kind: 'POLICE_STATION', phone: mobile })).id }
  const changes = ['system:user:update', 'system:dept:update']
  const clerk = await holder('changer', ...changes)
  const revealer = await holder('revealer', ...changes, 'system:user:reveal')
  const shown = async (by: number, path: string, of: number) => {
    const payload = { id: of, version: 9 }
    const { text } = await site.call('PUT', path, { token: await site.session(by), payload })
    expect(JSON.parse(text)).toMatchObject({ code: codes.stale.code })
    const read = unscoped(site.db, 'test').selectFrom('auditLog').select(['action', 'subject', 'after'])
    const row = await read.where('userId', '=', by).orderBy('id', 'desc').executeTakeFirstOrThrow()
    expect(row.after).toEqual({ call: path, filter: { id: of }, count: 1, ids: [of] })
    const { current } = JSON.parse(text).data
    return [current.mobile ?? current.phone, row.action, row.subject]
  }
  const [user, at] = ['/system/user/update', '/system/dept/update']
  expect(await shown(clerk, user, id)).toEqual(['138****0001', 'system:user:query', 'users'])
  expect(await shown(revealer, user, id)).toEqual([mobile, 'system:user:reveal', 'users'])
  expect(await shown(revealer, user, revealer)).toEqual([undefined, 'system:user:query', 'users'])
  expect(await shown(clerk, at, dept.id)).toEqual(['138****0001', 'system:dept:query', 'dept'])
  expect(await shown(revealer, at, dept.id)).toEqual([mobile, 'system:user:reveal', 'dept'])
})
