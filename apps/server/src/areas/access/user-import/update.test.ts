import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { openJobFixture, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { unscoped } from '#db/scope'

let fixture: JobFixture
let signedIn: number
const password = 'Maple-river-42'

const all = () => unscoped(fixture.db, 'test')
const heads = ['登录名称', '用户名称', '用户邮箱', '手机号码', '用户性别', '备注']
const change = async (rows: (string | null)[][], meanwhile: () => Promise<unknown> = async () => undefined) => {
  const { id, counts } = await fixture.check(await workbook(rows, heads), 'updateSupport=true')
  expect(counts).toMatchObject({ update: rows.length, bad: 0 })
  await meanwhile()
  await fixture.post('/system/user/import-commit', { id, onlyGood: true })
  return { id, counts: (await fixture.until(id, 'DONE')).counts }
}
const person = (username: string) =>
  all()
    .selectFrom('users')
    .select(['id', 'nickname', 'email', 'mobile', 'sex', 'remark', 'version', 'updater'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
const audited = async (subjectId: number) =>
  await all()
    .selectFrom('auditLog')
    .select(['username', 'before', 'after'])
    .where('action', '=', 'system:user:update')
    .where('subjectId', '=', subjectId)
    .execute()
const listPermissionEvents = () =>
  all().selectFrom('event').select('userId').where('type', '=', 'permission.changed').execute()

beforeAll(async () => {
  fixture = await openJobFixture()
  for (const code of ['reader', 'other']) await fixture.makeRole(code, { permissions: ['system:user:list'] })
  for (const name of ['one', 'two', 'three', 'gone'])
    await makeUser(fixture.db, { username: `p.${name}`, nickname: '旧', deptId: fixture.east.id, remark: '留下' })
  const open = await makeUser(fixture.db, {
    username: 'p.open',
    nickname: '旧',
    password,
    deptId: fixture.east.id,
  })
  signedIn = open.id
  await fixture.signedIn('p.open')
})
afterAll(() => fixture.close())

describe('updates without special rules', () => {
  it('are written together: absent columns stay, each has its audit row, an open console refreshes', async () => {
    const before = (await listPermissionEvents()).length
    const { counts } = await change([
      ['p.one', '新一', 'one@example.com', '13700000001', '男', null],
      ['P.Two', null, null, null, '女', '新'],
      ['p.open', '新的', null, null, null, null],
    ])
    expect(counts).toMatchObject({ updated: 3, bad: 0 })
    const result = await person('p.one')
    expect(result).toMatchObject({ nickname: '新一', email: 'one@example.com', mobile: '13700000001', remark: '留下' })
    expect(result).toMatchObject({ sex: 'MALE', version: 2 })
    expect(result.updater).not.toBeNull()
    expect(await person('p.two')).toMatchObject({ nickname: '旧', email: null, sex: 'FEMALE', remark: '新' })
    expect(await audited(result.id)).toMatchObject([
      {
        username: 'admin',
        before: { nickname: '旧', mobile: null },
        after: { nickname: '新一', mobile: '13700000001', remark: '留下', version: 2 },
      },
    ])
    // The open console, and once for all of the import.
    const received = (await listPermissionEvents()).slice(before).map(({ userId }) => userId)
    expect(received).toEqual([signedIn, expect.any(Number)])
  })

  it('leave out deleted users and taken values, and write the others', async () => {
    const { id, counts } = await change(
      [
        ['p.gone', '不在', null, null, null, null],
        ['p.three', '三', null, '13700000003', null, null],
        ['p.two', '二', null, null, null, null],
      ],
      async () => {
        await all().deleteFrom('users').where('username', '=', 'p.gone').execute()
        await makeUser(fixture.db, { username: 'p.taker', mobile: '13700000003', deptId: fixture.east.id })
      },
    )
    expect(counts).toMatchObject({ updated: 1, bad: 2 })
    const bad = await fixture.get(`/system/user/import-rows?id=${id}&onlyBad=true`)
    expect(bad.data).toMatchObject({
      list: [
        { line: 2, reasons: [{ message: '用户不存在' }] },
        { line: 3, reasons: [{ field: 'mobile', message: '手机号已经存在' }] },
      ],
    })
    expect(await person('p.two')).toMatchObject({ nickname: '二' })
    expect(await person('p.three')).toMatchObject({ nickname: '旧', mobile: null })
  })

  it('change no user who has more rights than the importer by now', async () => {
    const { id } = await fixture.check(
      await workbook([['p.one', '越权']], heads.slice(0, 2)),
      'updateSupport=true',
      'local',
    )
    const { id: userId } = await person('p.one')
    await all()
      .insertInto('userRole')
      .values({ userId, roleId: await fixture.roleId('super_admin') })
      .execute()
    await fixture.post(
      '/system/user/import-commit',
      { id, onlyGood: true },
      { token: await fixture.tokenOf('local', 'Maple-river-42') },
    )
    const { counts } = await fixture.until(id, 'DONE', 'local')
    expect(counts).toMatchObject({ updated: 0, bad: 1 })
    expect(await person('p.one')).toMatchObject({ nickname: '新一' })
  })
})

describe.each([true, false])('changes of every kind (only good ones: %s)', (onlyGood) => {
  it('do what the forms do, each with its audit rows', async () => {
    const name = (value: string) => `${onlyGood ? 'good' : 'all'}.${value}`
    const make = (value: string, more: Partial<Parameters<typeof makeUser>[1]> = {}) =>
      makeUser(fixture.db, { username: name(value), nickname: '旧', deptId: fixture.east.id, ...more })
    const [moved, given, off] = [await make('moved'), await make('given'), await make('off', { password })]
    const [taken, on] = [await make('taken', { roles: ['reader'] }), await make('on', { enabled: false })]
    const school = await make('school', { type: 'SCHOOL', deptId: fixture.eastSchool.deptId })
    await all().insertInto('merchantProfile').values({ userId: school.id, schoolId: fixture.eastSchool.id }).execute()
    await make('lost', { type: 'SCHOOL', deptId: fixture.eastSchool.deptId })
    await fixture.signedIn(name('off'))
    const [reader, other] = [await fixture.roleId('reader'), await fixture.roleId('other')]
    const rows = [
      [name('moved'), String(fixture.west.id), null, null, '新'],
      [name('given'), null, null, 'reader', null],
      [name('taken'), null, null, 'other', '改'],
      [name('off'), null, '停用', null, null],
      [name('on'), null, '开启', null, null],
      [name('school'), String(fixture.westSchool.deptId), null, null, null],
    ]
    const { id } = await fixture.check(
      await workbook(rows, ['登录名称', '部门编号', '账号状态', '角色', '用户名称']),
      'updateSupport=true',
    )
    await fixture.post('/system/user/import-commit', { id, onlyGood })
    expect((await fixture.until(id, 'DONE')).counts).toMatchObject({ updated: rows.length, bad: 0 })
    const rolesOf = (userId: number) => fixture.db.selectFrom('userRole').select('roleId').where('userId', '=', userId)
    const actions = async (userId: number) => (await fixture.audits('users', userId)).map(({ action }) => action)
    const [update, assign] = ['system:user:update', 'system:permission:assign-user-role']
    expect(await fixture.user(moved.id)).toMatchObject({ deptId: fixture.west.id, nickname: '新', version: 2 })
    expect(await actions(moved.id)).toEqual([update])
    expect(await fixture.user(given.id)).toMatchObject({ nickname: '旧', version: 2 })
    expect(await rolesOf(given.id).execute()).toEqual([{ roleId: reader }])
    expect(await fixture.audits('users', given.id)).toMatchObject([
      { action: assign, before: { roleIds: [] }, after: { roleIds: [reader] } },
    ])
    expect(await fixture.user(taken.id)).toMatchObject({ nickname: '改', version: 2 })
    expect(await rolesOf(taken.id).execute()).toEqual([{ roleId: other }])
    expect(await actions(taken.id)).toEqual([update, assign])
    expect(await fixture.user(off.id)).toMatchObject({ enabled: false, version: 2 })
    expect(await fixture.db.selectFrom('session').select(['endReason']).where('userId', '=', off.id).execute()).toEqual(
      [{ endReason: 'DISABLED' }],
    )
    const item = await all().selectFrom('event').select('type').where('userId', '=', off.id).orderBy('type').execute()
    expect(item.map(({ type }) => type)).toEqual(['permission.changed', 'session.ended'])
    expect(await fixture.user(on.id)).toMatchObject({ enabled: true })
    const profile = all().selectFrom('merchantProfile').select('schoolId').where('userId', '=', school.id)
    expect(await profile.execute()).toEqual([{ schoolId: fixture.westSchool.id }])
  })

  it('reject the line that no form would accept', async () => {
    const lost = `${onlyGood ? 'good' : 'all'}.lost`
    const sheet = workbook([[lost, String(fixture.west.id)]], ['登录名称', '部门编号'])
    const { id } = await fixture.check(await sheet, 'updateSupport=true')
    await fixture.post('/system/user/import-commit', { id, onlyGood })
    const bad = async () => (await fixture.get(`/system/user/import-rows?id=${id}&onlyBad=true`)).data
    await expect.poll(bad, { timeout: 20_000 }).toMatchObject({ list: [{ line: 2, reasons: [{ field: 'deptId' }] }] })
    expect(await person(lost)).toMatchObject({ version: 1 })
    await fixture.post('/system/job/cancel', { id })
  })
})
