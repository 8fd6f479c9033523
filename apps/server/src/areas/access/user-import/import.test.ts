import { codes } from '@tocsin/contract/codes'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeDept, makeUser } from '../../../../seed/fixtures.ts'
import { linesOf, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { openFastWorkerFixture } from '../../../../test/fast-worker.ts'
import { unscoped } from '#db/scope'
import { activationHash } from '../sign-in/verification-code/activation.ts'

let world: JobFixture
let kept: number[]

beforeAll(async () => {
  world = await openFastWorkerFixture()
  await world.makeRole('reader', { permissions: ['system:user:list'] })
  await world.makeRole('everywhere', { dataScope: 'ALL' })
  kept = (await all().selectFrom('users').select('id').execute()).map(({ id }) => id)
})
afterEach(() => all().deleteFrom('users').where('id', 'not in', kept).execute())
afterAll(() => world.close())

const all = () => unscoped(world.db, 'test')
const named = (username: string) =>
  all().selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
const rolesOf = async (userId: number) =>
  (
    await world.db
      .selectFrom('userRole')
      .innerJoin('role', 'role.id', 'roleId')
      .select('code')
      .where('userId', '=', userId)
      .execute()
  ).map(({ code }) => code)
const commit = (id: number, onlyGood = true, as?: 'local') =>
  world.post('/system/user/import-commit', { id, onlyGood }, as)
type Row = {
  line: number
  verdict: string
  reasons: { field: string; message: string }[]
  cells: Record<string, string>
}
const rowsOf = async (id: number, query = '', as?: 'local') =>
  (await world.get(`/system/user/import-rows?id=${id}&${query}`, as)).data as unknown as {
    list: Row[]
    total: number
  }
const reasonsOf = async (id: number) =>
  (await rowsOf(id)).list.map(({ reasons }) => reasons.map((reason) => `${reason.field}: ${reason.message}`))

describe('the template', () => {
  it('has the known columns, two samples, and the choices', async () => {
    const lines = await world.download('/system/user/get-import-template', 'local')
    expect(lines[0]).toEqual([
      '登录名称',
      '用户名称',
      '部门编号',
      '用户邮箱',
      '手机号码',
      '用户性别',
      '账号状态',
      '角色',
      '备注',
    ])
    expect(lines).toHaveLength(3)
    expect(lines[1]?.slice(0, 3)).toEqual(['zhang.san', '张三', String(world.east.id)])
    for (const path of ['/get-import-template', '/api/v1/users/template'])
      expect(await world.download(path, 'local')).toEqual(lines)
  })

  it('is accepted by the import without changes', async () => {
    const response = await world.fetchFile('/system/user/get-import-template')
    const { counts } = await world.check(new Uint8Array(await response.arrayBuffer()))
    expect(counts).toEqual({ create: 2, update: 0, same: 0, bad: 0 })
  })
})

describe('a check', () => {
  it('reports each wrong cell and writes nobody', async () => {
    await makeUser(world.db, { username: 'known', mobile: '13911112222', deptId: world.east.id })
    const two = await makeDept(world.db, { parentId: world.east.id, name: '同名' })
    await makeDept(world.db, { parentId: world.west.id, name: '同名' })
    const { id, counts } = await world.check(
      await workbook([
        ['good', '好', two.id, 'good@example.com', '13800000009', '男', '启用', 'reader', '行'],
        ['x', '短', null, 'no', '123', '男人', '半开', null, null],
        [null, '无名', null, null, null, null, null, null, null],
        ['nameless', null, null, null, null, null, null, null, null],
        ['KNOWN', '在', null, null, null, null, null, null, null],
        ['phone', '号', null, null, '13911112222', null, null, null, null],
        ['Good', '重', null, 'GOOD@example.com', null, null, null, null, null],
        ['there', '部', 999_999, null, null, null, null, 'nobody', null],
        ['twice', '部', '同名', null, null, null, null, null, null],
        ['mask', '罩', null, 'a***@example.com', '138****0009', null, null, null, null],
      ]),
    )
    expect(counts).toEqual({ create: 1, update: 0, same: 0, bad: 9 })
    expect(await reasonsOf(id)).toEqual([
      [],
      [
        'username: 登录名称应为 2 至 30 个字母、数字、.、- 或 _，例如 zhang.san',
        'email: 用户邮箱应为邮箱地址，例如 zhang@example.com',
        'mobile: 手机号码应为 11 位手机号，例如 13800138000',
        'sex: 用户性别不是可选的值',
        'status: 账号状态不是可选的值',
      ],
      ['username: 登录名称不能为空'],
      ['nickname: 用户名称不能为空'],
      ['username: 用户账号已经存在'],
      ['mobile: 手机号已经存在'],
      ['username: 与第 2 行重复', 'email: 与第 2 行重复'],
      ['deptId: 当前部门不存在', 'roles: 角色【nobody】不存在'],
      ['deptId: 部门【同名】不唯一，请填写部门编号'],
      ['email: 用户邮箱格式不正确', 'mobile: 手机号码格式不正确'],
    ])
    expect(await named('good')).toBeUndefined()
    const bad = await rowsOf(id, 'onlyBad=true&pageNo=2&pageSize=5')
    expect(bad).toMatchObject({ total: 9 })
    expect(bad.list.map(({ line }) => line)).toEqual([8, 9, 10, 11])
    await all().deleteFrom('dept').where('name', '=', '同名').execute()
  })

  it.each([
    ['rows', workbook([]), codes.importEmpty.code],
    ['the column of names', workbook([['x']], ['部门编号']), codes.importColumns.code],
    ['a sheet', Promise.resolve(Buffer.from('%PDF-1.7\n%%EOF\n')), 400],
    ['a spreadsheet at all', Promise.resolve(Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(200)])), 400],
  ])('of a file without %s says so', async (_what, file, refused) => {
    expect((await world.send(await file, '')).code).toBe(refused)
  })

  it('reads text files that Excel saves in China, and headings of other spreadsheets', async () => {
    const gbk = Buffer.concat([
      Buffer.from('D3C3BBA7C3FB2CEAC7B3C62CD0D4B1F0', 'hex'), // 用户名,昵称,性别
      Buffer.from('\r\ngbk.one,', 'latin1'),
      Buffer.from('D5C5C8FD2CC4D0', 'hex'), // 张三,男
      Buffer.from('\r\n', 'latin1'),
    ])
    const form = new FormData()
    form.append('file', new Blob([gbk]), '名单.csv')
    const response = await fetch(`${world.base}/system/user/import`, {
      method: 'POST',
      body: form,
      headers: world.bearer('admin'),
    })
    expect(await response.json()).toMatchObject({ code: 200, data: { createUsernames: ['gbk.one'], ended: true } })
    expect(await named('gbk.one')).toMatchObject({ nickname: '张三', sex: 'MALE' })
  })
})

describe('a commit', () => {
  it('creates users without a password, each with a code of which only the hash is stored', async () => {
    const file = await workbook([
      ['new.one', '一', world.eastSchool.deptId, 'one@example.com', '13800000011', '女', '停用', 'reader', '备'],
      ['new.two', '二', null, null, null, null, null, null, null],
      ['bad', null, null, null, null, null, null, null, null],
    ])
    const { id } = await world.check(file, `deptId=${world.east.id}`)
    expect(await commit(id, false)).toMatchObject({ code: codes.importHasBad.code })
    expect((await commit(id)).code).toBe(200)
    expect(await world.until(id, 'DONE')).toMatchObject({ counts: { created: 2, updated: 0, bad: 1 } })
    const result = await named('new.one')
    expect(result).toMatchObject({
      nickname: '一',
      deptId: world.eastSchool.deptId,
      email: 'one@example.com',
      mobile: '13800000011',
      sex: 'FEMALE',
      enabled: false,
      remark: '备',
      passwordHash: null,
      type: 'STAFF',
    })
    expect(await rolesOf(result?.id ?? 0)).toEqual(['reader'])
    expect(await named('new.two')).toMatchObject({ deptId: world.east.id, enabled: true, sex: 'UNKNOWN' })
    const [head, ...lines] = await world.download(`/system/user/import-result?id=${id}`)
    expect(head?.slice(0, 3)).toEqual(['结果', '激活码', '登录名称'])
    expect(lines.map(([outcome, code, name]) => [outcome, (code ?? '').length, name])).toEqual([
      ['已新增', 16, 'new.one'],
      ['已新增', 16, 'new.two'],
      ['失败', 0, 'bad'],
    ])
    const stored = await world.db
      .selectFrom('activationCode')
      .selectAll()
      .where('userId', '=', result?.id ?? 0)
      .executeTakeFirstOrThrow()
    expect(stored.codeHash.equals(activationHash(lines[0]?.[1]?.toLowerCase() ?? ''))).toBe(true)
    expect(Math.round((stored.expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(14)
    expect(await world.audits('users', result?.id ?? 0)).toMatchObject([
      { action: 'system:user:create', username: 'admin', after: { importJobId: id } },
    ])
    expect(await world.audits('job', id)).toMatchObject([
      { action: 'system:user:import' },
      { action: 'system:user:import-result' },
    ])
    await world.db
      .updateTable('activationCode')
      .set({ usedAt: new Date() })
      .where('userId', '=', result?.id ?? 0)
      .execute()
    expect((await world.download(`/system/user/import-result?id=${id}`))[1]?.[1]).toBe('')
  })

  it('is not possible twice, nor for an unknown import or one of another user', async () => {
    const { id } = await world.check(await workbook([['once', '一']]))
    expect(await commit(id, true, 'local')).toMatchObject({ code: codes.jobMissing.code })
    expect((await world.get(`/system/user/import-rows?id=${id}`, 'local')).code).toBe(codes.jobMissing.code)
    expect((await commit(id)).code).toBe(200)
    await world.until(id, 'DONE')
    expect((await commit(id)).code).toBe(codes.importState.code)
    expect((await commit(999_999)).code).toBe(codes.jobMissing.code)
    expect((await world.post('/system/user/import-commit', { id })).data).toMatchObject({
      errors: [{ field: 'onlyGood' }],
    })
  })

  it('leaves out a line whose name was taken after the check', async () => {
    const { id } = await world.check(
      await workbook([
        ['late', '一'],
        ['fine', '二'],
      ]),
    )
    await makeUser(world.db, { username: 'LATE', deptId: world.east.id })
    await commit(id)
    expect((await world.until(id, 'DONE')).counts).toMatchObject({ created: 1, bad: 1 })
    expect((await rowsOf(id, 'onlyBad=true')).list).toMatchObject([
      { line: 2, reasons: [{ message: '用户账号已经存在' }] },
    ])
  })

  it('can be cancelled before and after the check', async () => {
    const { id } = await world.check(await workbook([['gone', '一']]))
    expect((await world.post('/system/job/cancel', { id }, 'local')).code).toBe(codes.jobMissing.code)
    expect((await world.post('/system/job/cancel', { id })).code).toBe(200)
    expect((await world.post('/system/job/cancel', { id })).code).toBe(codes.jobOver.code)
    expect((await commit(id)).code).toBe(codes.importState.code)
    expect(await named('gone')).toBeUndefined()
  })
})

describe('users who exist', () => {
  it('are updated only on request, and only by the columns of the spreadsheet', async () => {
    const user = await makeUser(world.db, {
      username: 'old',
      nickname: '旧',
      email: 'old@example.com',
      mobile: '13700000001',
      deptId: world.eastSchool.deptId,
      roles: ['reader'],
    })
    const file = await workbook([
      ['OLD', '新', world.east.id, 'o***@example.com', '13700000002', '男', '关闭', 'guard', null],
    ])
    const refused = await world.check(file)
    expect(refused.counts).toMatchObject({ bad: 1 })
    const { id, counts } = await world.check(file, 'updateSupport=true')
    expect(counts).toMatchObject({ update: 1, bad: 0 })
    await commit(id)
    expect((await world.until(id, 'DONE')).counts).toMatchObject({ created: 0, updated: 1, bad: 0 })
    expect(await named('old')).toMatchObject({
      id: user.id,
      nickname: '新',
      deptId: world.east.id,
      email: 'old@example.com',
      mobile: '13700000002',
      sex: 'MALE',
      enabled: false,
    })
    expect(await rolesOf(user.id)).toEqual(['guard'])
    expect((await world.audits('users', user.id)).map(({ action }) => action)).toEqual([
      'system:user:update',
      'system:permission:assign-user-role',
    ])
    expect((await named('old'))?.version).toBe(user.version + 1)
    expect((await world.check(file, 'updateSupport=true')).counts).toMatchObject({ same: 1, bad: 0 })
    const other = await workbook([['old', '新', null, 'x***@example.com', '137****0002']])
    expect((await world.check(other, 'updateSupport=true')).counts).toMatchObject({ same: 0, bad: 1 })
  })
})

describe('nobody imports beyond the own permissions', () => {
  it('is rejected without the permission', async () => {
    const user = await world.signedIn(
      (
        await makeUser(world.db, {
          username: 'reads',
          password: 'Maple-river-42',
          deptId: world.east.id,
          roles: ['reader'],
        })
      ).username,
    )
    expect((await world.send(await workbook([['a.b', 'c']]), '', user, '/system/user/import')).code).toBe(403)
    expect((await world.get('/system/user/import-rows?id=1', user)).code).toBe(403)
  })

  it('nor into invisible departments, roles and users', async () => {
    await makeUser(world.db, { username: 'western', nickname: '西', deptId: world.west.id })
    await makeUser(world.db, {
      username: 'mighty',
      nickname: '强',
      deptId: world.eastSchool.deptId,
      roles: ['everywhere'],
    })
    const { id } = await world.check(
      await workbook([
        ['fine', '好', world.eastSchool.deptId, null, null, null, null, 'reader', null],
        ['westward', '西', world.westSchool.deptId, null, null, null, null, null, null],
        ['strong', '强', null, null, null, null, null, 'everywhere', null],
        ['chief', '强', null, null, null, null, null, 'super_admin', null],
        ['western', '改', null, null, null, null, null, null, null],
        ['mighty', '改', null, null, null, null, null, null, null],
        ['local', '自', null, null, null, null, '关闭', null, null],
      ]),
      'updateSupport=true',
      'local',
    )
    const { list } = await rowsOf(id, '', 'local')
    expect(list.map(({ verdict, reasons }) => [verdict, ...reasons.map(({ message }) => message)])).toEqual([
      ['CREATE'],
      ['BAD', '当前部门不存在'],
      ['BAD', '不能授予或修改超出本人数据范围的权限'],
      ['BAD', '只有系统管理员可以授予或修改系统管理员角色'],
      ['BAD', '用户账号已经存在'],
      ['BAD', '该用户的权限超出本人，不能执行该操作'],
      ['BAD', '不能对自己的账号执行该操作'],
    ])
    expect((await world.send(await workbook([['a.b', 'c']]), `deptId=${world.west.id}`, 'local')).code).toBe(
      codes.deptMissing.code,
    )
  })

  it('nor with permissions that were lost between check and commit', async () => {
    const { id } = await world.check(
      await workbook([['fine', '好', world.eastSchool.deptId, null, null, null, null, 'reader', null]]),
      '',
      'local',
    )
    const roleId = await world.roleId('local_admin')
    const menuId = await world.menuId('system:permission:assign-user-role')
    await world.db.deleteFrom('roleMenu').where('roleId', '=', roleId).where('menuId', '=', menuId).execute()
    await commit(id, true, 'local')
    await world.until(id, 'DONE', 'local')
    await world.db.insertInto('roleMenu').values({ roleId, menuId }).execute()
    expect((await rowsOf(id, '', 'local')).list).toMatchObject([
      { verdict: 'BAD', reasons: [{ field: 'roles', message: '没有该操作权限' }] },
    ])
    expect(await named('fine')).toBeUndefined()
  })
})

describe('the other calls of an import', () => {
  it('answer at once which users were created, updated and rejected', async () => {
    const { data } = await world.send(
      await workbook([
        ['direct', '一'],
        ['bad', null],
      ]),
      '',
    )
    expect(data).toMatchObject({
      createUsernames: ['direct'],
      updateUsernames: [],
      failureUsernames: { bad: '用户名称不能为空' },
      ended: true,
    })
    expect(await named('direct')).toBeDefined()
  })

  it('of /api/v1 answer its text', async () => {
    const answer = await world.send(
      await workbook([
        ['v1.one', '一'],
        ['bad', null],
      ]),
      `deptId=${world.west.id}`,
      'admin',
      '/api/v1/users/import',
    )
    expect(answer).toMatchObject({ code: 200, data: '成功1条，失败1条；<br/>第2行用户名称不能为空' })
    expect(await named('v1.one')).toMatchObject({ deptId: world.west.id })
  })

  it('return the bad lines, which can be imported once corrected', async () => {
    const { id } = await world.check(
      await workbook([
        ['fix', null],
        ['ok', '好'],
      ]),
    )
    const response = await world.fetchFile(`/system/user/import-bad-rows?id=${id}`)
    const [head, line] = await linesOf(new Uint8Array(await response.arrayBuffer()))
    expect(head?.at(-1)).toBe('错误原因')
    expect(line).toEqual(['fix', '', '', '', '', '', '', '', '', '用户名称不能为空'])
    const corrected = await workbook([['fix', '修', ...Array<null>(7).fill(null), '用户名称不能为空']], head)
    expect((await world.check(corrected)).counts).toMatchObject({ create: 1, bad: 0 })
  })
})
