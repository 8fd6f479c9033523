import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/make.ts'
import { openSheetWorld, type SheetWorld, workbook } from '../../../../test/sheet-world.ts'
import { everything } from '../../../db/scope.ts'

let world: SheetWorld
let signedIn: number

const all = () => everything(world.db, 'test')
const heads = ['登录名称', '用户名称', '用户邮箱', '手机号码', '用户性别', '备注']
const change = async (rows: (string | null)[][], meanwhile: () => Promise<unknown> = async () => undefined) => {
  const { id, counts } = await world.check(await workbook(rows, heads), 'updateSupport=true')
  expect(counts).toMatchObject({ update: rows.length, bad: 0 })
  await meanwhile()
  await world.post('/system/user/import-commit', { id, onlyGood: true })
  return { id, counts: (await world.until(id, 'DONE')).counts }
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
const told = () => all().selectFrom('event').select('userId').where('type', '=', 'permission.changed').execute()

beforeAll(async () => {
  world = await openSheetWorld()
  await world.makeRole('reader', { permissions: ['system:user:list'] })
  for (const name of ['one', 'two', 'three', 'gone'])
    await makeUser(world.db, { username: `p.${name}`, nickname: '旧', deptId: world.east.id, remark: '留下' })
  const open = await makeUser(world.db, {
    username: 'p.open',
    nickname: '旧',
    password: 'Maple-river-42',
    deptId: world.east.id,
  })
  signedIn = open.id
  await world.signedIn('p.open')
})
afterAll(() => world.close())

describe('changes that ask for nothing but rights', () => {
  it('are written together: what a line leaves out stays, each has its row of the audit, an open console hears', async () => {
    const before = (await told()).length
    const { counts } = await change([
      ['p.one', '新一', 'one@example.com', '13700000001', '男', null],
      ['P.Two', null, null, null, '女', '新'],
      ['p.open', '新的', null, null, null, null],
    ])
    expect(counts).toMatchObject({ updated: 3, bad: 0 })
    const one = await person('p.one')
    expect(one).toMatchObject({ nickname: '新一', email: 'one@example.com', mobile: '13700000001', remark: '留下' })
    expect(one).toMatchObject({ sex: 'MALE', version: 2 })
    expect(one.updater).not.toBeNull()
    expect(await person('p.two')).toMatchObject({ nickname: '旧', email: null, sex: 'FEMALE', remark: '新' })
    expect(await audited(one.id)).toMatchObject([
      {
        username: 'admin',
        before: { nickname: '旧', mobile: null },
        after: { nickname: '新一', mobile: '13700000001', remark: '留下', version: 2 },
      },
    ])
    expect((await told()).slice(before).map(({ userId }) => userId)).toEqual([signedIn])
  })

  it('leave out who went and what somebody took meanwhile, and write the others', async () => {
    const { id, counts } = await change(
      [
        ['p.gone', '不在', null, null, null, null],
        ['p.three', '三', null, '13700000003', null, null],
        ['p.two', '二', null, null, null, null],
      ],
      async () => {
        await all().deleteFrom('users').where('username', '=', 'p.gone').execute()
        await makeUser(world.db, { username: 'p.taker', mobile: '13700000003', deptId: world.east.id })
      },
    )
    expect(counts).toMatchObject({ updated: 1, bad: 2 })
    const bad = await world.get(`/system/user/import-rows?id=${id}&onlyBad=true`)
    expect(bad.data).toMatchObject({
      list: [
        { line: 2, reasons: [{ message: '用户不存在' }] },
        { line: 3, reasons: [{ field: 'mobile', message: '手机号已经存在' }] },
      ],
    })
    expect(await person('p.two')).toMatchObject({ nickname: '二' })
    expect(await person('p.three')).toMatchObject({ nickname: '旧', mobile: null })
  })

  it('touch nobody who has more rights than the importer by now', async () => {
    const { id } = await world.check(
      await workbook([['p.one', '越权']], heads.slice(0, 2)),
      'updateSupport=true',
      'local',
    )
    const { id: userId } = await person('p.one')
    await all()
      .insertInto('userRole')
      .values({ userId, roleId: await world.roleId('super_admin') })
      .execute()
    await world.post(
      '/system/user/import-commit',
      { id, onlyGood: true },
      { token: await world.tokenOf('local', 'Maple-river-42') },
    )
    const { counts } = await world.until(id, 'DONE', 'local')
    expect(counts).toMatchObject({ updated: 0, bad: 1 })
    expect(await person('p.one')).toMatchObject({ nickname: '新一' })
  })
})
