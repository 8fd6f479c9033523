import { codes } from '@tocsin/contract/codes'
import fc from 'fast-check'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { linesOf, openJobFixture, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { rawWorkbook, textCell, textCells } from '../../../../test/raw-workbook.ts'
import { unscoped } from '#db/scope'
import { activationCode, activationHash } from '../verification-code/activation.ts'
import { readHeadings } from '#areas/files/import/headings'
import { userImporter } from './user-importer.ts'

let world: JobFixture
beforeAll(async () => {
  world = await openJobFixture()
})
afterAll(() => world.close())

const all = () => unscoped(world.db, 'test')

/** What people and machines put into a text, formulas first. */
const text = (longest: number) =>
  fc
    .oneof(
      fc.constantFrom('=1+1', '+86', '-', '@SUM(A1)', "'=1", '0013', '1e5', 'true', '_x000D_', 'a,"b"\nc', '\u0001'),
      fc.string({ unit: 'grapheme', maxLength: longest }),
    )
    .map((given) => given.normalize().replaceAll('\u0000', '').trim().slice(0, longest).toWellFormed().trim())
    .filter((given) => given !== '')

const person = fc.record({
  nickname: text(30),
  remark: fc.option(text(60), { nil: null }),
  email: fc.boolean(),
  mobile: fc.boolean(),
  sex: fc.constantFrom('MALE' as const, 'FEMALE' as const, 'UNKNOWN' as const),
  enabled: fc.boolean(),
  roles: fc.subarray(['guard', 'officer', 'auditor']),
})

describe('import(export(x)) = x', () => {
  it.each(['xlsx', 'csv', 'xlsx&lang=en', 'csv&lang=en'])('for users by %s', async (format) => {
    const depts = [world.east.id, world.west.id, world.eastSchool.deptId]
    // A text file with control characters is no text file.
    const control = (letter: string) => /\p{Cc}/u.test(letter) && !/\s/.test(letter)
    const fit = ({ nickname, remark }: { nickname: string; remark: string | null }) =>
      format.startsWith('xlsx') || ![...`${nickname}${remark}`].some(control)
    const people = fc.sample(person.filter(fit), { numRuns: 150, seed: 20_261_121 })
    for (const [at, { roles, email, mobile, ...columns }] of people.entries())
      await makeUser(world.db, {
        ...columns,
        username: `trip.${at}`,
        email: email ? `trip${at}@example.com` : null,
        mobile: mobile ? `138${String(at).padStart(8, '0')}` : null,
        deptId: depts[at % 3] ?? world.east.id,
        roles,
      })
    const state = async () => {
      const users = await all()
        .selectFrom('users')
        .select(['username', 'nickname', 'remark', 'email', 'mobile', 'sex', 'enabled', 'deptId'])
        .select((eb) =>
          eb
            .selectFrom('userRole')
            .innerJoin('role', 'role.id', 'userRole.roleId')
            .select((role) => role.fn.agg<string[]>('array_agg', ['role.code']).orderBy('role.code').as('codes'))
            .whereRef('userRole.userId', '=', 'users.id')
            .as('roles'),
        )
        .where('username', 'like', 'trip.%')
        .orderBy('username')
        .execute()
      return users
    }
    const before = await state()
    expect(before).toHaveLength(150)
    const response = await world.fetchFile(`/system/user/export?username=trip.&format=${format}`)
    const file = new Uint8Array(await response.arrayBuffer())
    expect((await world.check(file, 'updateSupport=true')).counts).toEqual({ create: 0, update: 0, same: 150, bad: 0 })
    await all().deleteFrom('users').where('username', 'like', 'trip.%').execute()
    const { id, counts } = await world.check(file)
    expect(counts).toEqual({ create: 150, update: 0, same: 0, bad: 0 })
    await world.post('/system/user/import-commit', { id, onlyGood: false })
    await world.until(id, 'DONE')
    expect(await state()).toEqual(before)
    await all().deleteFrom('users').where('username', 'like', 'trip.%').execute()
  })

  it('for masks: whoever sees masks changes nothing by sending them back', async () => {
    await makeUser(world.db, {
      username: 'masked',
      email: 'm@example.com',
      mobile: '13800001111',
      deptId: world.east.id,
    })
    const response = await world.fetchFile('/system/user/export?username=masked', 'local')
    const file = new Uint8Array(await response.arrayBuffer())
    expect((await linesOf(file))[1]?.[5]).toBe('138****1111')
    expect((await world.check(file, 'updateSupport=true', 'local')).counts).toMatchObject({ same: 1, bad: 0 })
  })
})

describe('a sheet of 20,000 rows', () => {
  const rows = 20_000
  const file = () => workbook(Array.from({ length: rows }, (_, at) => [`bulk.${at}`, `用户${at}`, world.east.id]))
  const made = async () =>
    (
      await all()
        .selectFrom('users')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('username', 'like', 'bulk.%')
        .executeTakeFirstOrThrow()
    ).n

  it('goes on after its worker was stopped again and again, and writes nobody twice', async () => {
    const { id } = await world.check(await file())
    await world.post('/system/user/import-commit', { id, onlyGood: true })
    const seen = new Set<number>()
    for (let stops = 0; stops < 2; stops += 1) {
      const end = performance.now() + 20_000
      while ((await world.job(id)).done <= Math.max(0, ...seen) && performance.now() < end) await pause(20)
      await world.restartWorker()
      seen.add((await world.job(id)).done)
    }
    expect(Math.max(...seen)).toBeLessThan(rows)
    expect(await world.until(id, 'DONE')).toMatchObject({ done: rows, counts: { created: rows, bad: 0 } })
    expect(await made()).toBe(rows)
    const codes = await world.db.selectFrom('activationCode').select('userId').execute()
    expect(codes).toHaveLength(rows)
    const audited = await all()
      .selectFrom('auditLog')
      .select('subjectId')
      .where('action', '=', 'system:user:create')
      .execute()
    expect(new Set(audited.map(({ subjectId }) => subjectId)).size).toBe(audited.length)
    // In pieces: the machine may be busy, and a statement has its time.
    const some = all().selectFrom('users').select('id').where('username', 'like', 'bulk.%').limit(200)
    while ((await all().deleteFrom('users').where('id', 'in', some).executeTakeFirst()).numDeletedRows > 0n);
  }, 300_000)

  it('stops where it is when it is cancelled; what is written stays whole', async () => {
    const { id } = await world.check(await file())
    await world.post('/system/user/import-commit', { id, onlyGood: true })
    const end = performance.now() + 20_000
    while ((await world.job(id)).done === 0 && performance.now() < end) await pause(20)
    expect((await world.post('/system/job/cancel', { id })).code).toBe(200)
    const { done, state } = await world.job(id)
    await world.restartWorker()
    expect(state).toBe('CANCELLED')
    expect(done).toBeLessThan(rows)
    expect(await made()).toBe(done)
  }, 180_000)
})

describe('the answer of an import', () => {
  it('tells of each row, and of a check that it is one', async () => {
    const sheet = () =>
      workbook([
        ['told.good', '一'],
        [null, '二'],
      ])
    const checked = await world.send(await sheet(), 'dryRun=true')
    expect(checked.data).toMatchObject({ message: '正在校验，完成后请查看各行结果再提交', ended: false })
    const { data } = await world.send(await sheet(), '')
    expect(data).toMatchObject({
      rows: [
        { row: 1, username: 'told.good', status: 'CREATE', reasons: [] },
        { row: 2, username: null, status: 'BAD', reasons: ['登录名称不能为空'] },
      ],
      message: '成功1条，失败1条；<br/>第2行登录名称不能为空；<br/>1行未填写部门，已填入：运营中心',
    })
  })

  it('is markup of its own alone, by either family: what a cell holds is text', async () => {
    const sheet = (name: string) => workbook([[name, '一', null, null, null, null, null, '<img src="x" onerror=a()>&']])
    const message = '成功0条，失败1条；<br/>第1行角色【&#60;img src=&#34;x&#34; onerror=a()&#62;&#38;】不存在'
    expect((await world.send(await sheet('mark.one'))).data).toMatchObject({ message })
    expect((await world.send(await sheet('mark.two'), '', 'admin', '/api/v1/users/import')).data).toBe(message)
  })
})

describe('the check of a spreadsheet that people bring', () => {
  it('names error values, unread columns, the worksheet and the row of headings', async () => {
    const heads = ['登录名称', '用户名称', '手机号码(11位)', '用户邮箱（选填）', '工号']
    const errors = '<c r="B4" t="e"><v>#N/A</v></c>'
    const { id, import: imported } = await world.check(
      await rawWorkbook([
        { name: '内部', rows: [textCells(1, heads)], state: 'hidden' },
        {
          name: '人员',
          rows: [
            textCells(1, ['教职工登记表']),
            textCells(2, heads),
            textCells(3, ['brought.one', '一', '13800000021', 'one@example.com', 'T1']),
            textCell('A4', 'brought.two') + errors,
          ],
        },
      ]),
    )
    expect(imported?.notes).toEqual({
      sheet: '人员',
      headingLine: 2,
      unreadColumns: ['工号'],
      defaults: [{ title: '部门', titleEn: 'Department', value: '运营中心', rows: 1 }],
    })
    const { data } = await world.get(`/system/user/import-rows?id=${id}`)
    expect(data).toMatchObject({
      list: [
        { line: 3, verdict: 'CREATE', cells: { mobile: '13800000021', email: 'one@example.com' } },
        {
          line: 4,
          verdict: 'BAD',
          cells: { nickname: '#N/A' },
          reasons: [{ field: 'nickname', message: '单元格是错误值 #N/A', messageEn: 'The cell is the error #N/A' }],
        },
      ],
    })
  })

  it('takes UTF-16 text and names the line of damaged UTF-8', async () => {
    const text = '登录名称\t用户名称\r\nutf.sixteen\t十六\r\n'
    expect((await world.check(Buffer.from(`\uFEFF${text}`, 'utf16le'))).counts).toMatchObject({ create: 1, bad: 0 })
    const { data } = await world.send(Buffer.from(text).subarray(0, -3), 'dryRun=true')
    expect((await world.until(Number(data.id), 'FAILED')).error).toMatchObject({
      code: codes.importEncoding.code,
      params: { line: 2 },
    })
  })

  it('names the worksheet and the row that were taken for headings when columns are missing', async () => {
    const rows = [textCells(1, ['登记表']), textCells(2, ['工号', '电话'])]
    const { data } = await world.send(await rawWorkbook([{ name: '人员', rows }]), 'dryRun=true')
    expect((await world.until(Number(data.id), 'FAILED')).error).toMatchObject({
      msg: '【人员】第 1 行缺少必要的列：登录名称 / User name',
    })
  })
})

describe('what a sheet is read by', () => {
  it.each([
    [['登录名称', '用户名称', '部门编号'], { username: 0, nickname: 1, deptId: 2 }],
    [['用户编号', '用户名称', '用户昵称', '部门名称', '部门编号'], { username: 1, nickname: 2, deptId: 4 }],
    [
      ['用户名*', '昵称 *', '性别', '手机号码', '邮箱', '角色', '部门'],
      { username: 0, nickname: 1, sex: 2, mobile: 3, email: 4, roles: 5, deptId: 6 },
    ],
    [['User name', 'Name', 'E-mail'], { username: 0, nickname: 1, email: 2 }],
    [
      ['User id', 'User name', 'Name', 'Department', 'Status', 'Department id', 'Roles', 'Remark'],
      { username: 1, nickname: 2, status: 4, deptId: 5, roles: 6, remark: 7 },
    ],
    [['姓名'], { nickname: 0 }],
  ])('headings %j', (heads, found) => {
    expect(Object.fromEntries(readHeadings(userImporter, heads))).toEqual(found)
  })

  it('a code however it is typed', () => {
    const code = activationCode(1, 2)
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
    expect(activationCode(1, 2)).toBe(code)
    expect(activationCode(1, 3)).not.toBe(code)
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `
    expect(activationHash(typed).equals(activationHash(code))).toBe(true)
    expect(activationHash('O1').equals(activationHash('0L'))).toBe(true)
  })
})

describe('the rows of an import', () => {
  it('are on record with whoever looks at them, on a page or in a sheet', async () => {
    const { id } = await world.check(await workbook([['looked.at', '', null, null, null, null, null, null, null]]))
    expect((await world.get(`/system/user/import-rows?id=${id}&pageSize=5`)).code).toBe(200)
    expect(await world.download(`/system/user/import-bad-rows?id=${id}`)).toHaveLength(2)
    const looks = (await world.audits('job', id)).filter(({ action }) => action === 'system:user:import-rows')
    expect(looks.map(({ username, after }) => ({ username, after }))).toEqual([
      {
        username: 'admin',
        after: expect.objectContaining({ call: '/system/user/import-rows', filter: expect.objectContaining({ id }) }),
      },
      { username: 'admin', after: expect.objectContaining({ call: '/system/user/import-bad-rows' }) },
    ])
  })
})

it('what is no sheet is answered with what a sheet may be', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const [noText, noBook] = [Buffer.from('登录名称\u0000'), Buffer.from('PK\u0003\u0004 no workbook')]
  for (const bytes of [Buffer.from(pixel, 'base64'), noText, noBook])
    expect((await world.send(bytes, 'dryRun=true')).data).toMatchObject({
      errors: [{ field: 'file', rule: 'fileType', bound: 'xlsx xls csv txt' }],
    })
})
