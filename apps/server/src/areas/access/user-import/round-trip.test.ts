import { codes } from '@tocsin/contract/codes'
import { findUnseen, isVisible, trimText } from '@tocsin/contract/text'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { linesOf, type JobFixture, workbook } from '../../../../test/job-fixture.ts'
import { lockWaiters } from '../../../../test/lock-waiters.ts'
import { openFastWorkerFixture } from '../../../../test/fast-worker.ts'
import { rawWorkbook, textCell, textCells } from '../../../../test/raw-workbook.ts'
import { unscoped } from '#db/scope'
import { activationCode, activationHash } from '../sign-in/verification-code/activation.ts'
import { readHeadings } from '#areas/files/import/headings'
import { ROWS_PER_BATCH } from '#areas/files/import/import-rows'
import { userImporter } from './user-importer.ts'

let fixture: JobFixture
beforeAll(async () => {
  fixture = await openFastWorkerFixture()
})
afterAll(() => fixture.close())

const all = () => unscoped(fixture.db, 'test')

/** What users and programs put into a text, formulas first. */
const text = (longest: number) =>
  fc
    .oneof(
      fc.constantFrom('=1+1', '+86', '-', '@SUM(A1)', "'=1", '0013', '1e5', 'true', '_x000D_', 'a,"b"\nc', '\u0001'),
      fc.string({ unit: 'grapheme', maxLength: longest }),
    )
    .map((given) => given.normalize().replaceAll('\u0000', '').trim().slice(0, longest).toWellFormed().trim())
    .filter((given) => given !== '')

const person = fc.record({
  nickname: text(30).filter((name) => !findUnseen(name) && isVisible(name) && trimText(name) === name),
  remark: fc.option(text(60), { nil: null }),
  email: fc.boolean(),
  mobile: fc.boolean(),
  sex: fc.constantFrom('MALE' as const, 'FEMALE' as const, 'UNKNOWN' as const),
  enabled: fc.boolean(),
  roles: fc.subarray(['guard', 'officer', 'auditor']),
})

describe('import(export(x)) = x', () => {
  it.each(['xlsx', 'csv', 'xlsx&lang=en', 'csv&lang=en'])('for users by %s', async (format) => {
    const depts = [fixture.east.id, fixture.west.id, fixture.eastSchool.deptId]
    // The reader rejects text files with control characters.
    const control = (letter: string) => /\p{Cc}/u.test(letter) && !/\s/.test(letter)
    const fit = ({ nickname, remark }: { nickname: string; remark: string | null }) =>
      format.startsWith('xlsx') || ![...`${nickname}${remark}`].some(control)
    const people = fc.sample(person.filter(fit), { numRuns: 150, seed: 20_261_121 })
    await Promise.all(
      people.map(({ roles, email, mobile, ...columns }, at) =>
        makeUser(fixture.db, {
          ...columns,
          username: `trip.${at}`,
          email: email ? `trip${at}@example.com` : null,
          mobile: mobile ? `138${String(at).padStart(8, '0')}` : null,
          deptId: depts[at % 3] ?? fixture.east.id,
          roles,
        }),
      ),
    )
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
    const response = await fixture.fetchFile(`/system/user/export?username=trip.&format=${format}`)
    const file = new Uint8Array(await response.arrayBuffer())
    expect((await fixture.check(file, 'updateSupport=true')).counts).toEqual({
      create: 0,
      update: 0,
      same: 150,
      bad: 0,
    })
    await all().deleteFrom('users').where('username', 'like', 'trip.%').execute()
    const { id, counts } = await fixture.check(file)
    expect(counts).toEqual({ create: 150, update: 0, same: 0, bad: 0 })
    await fixture.post('/system/user/import-commit', { id, onlyGood: false })
    await fixture.until(id, 'DONE')
    expect(await state()).toEqual(before)
    await all().deleteFrom('users').where('username', 'like', 'trip.%').execute()
  })

  it('for masks: an importer who sees masks changes nothing by sending them back', async () => {
    await makeUser(fixture.db, {
      username: 'masked',
      email: 'm@example.com',
      mobile: '13800001111',
      deptId: fixture.east.id,
    })
    const response = await fixture.fetchFile('/system/user/export?username=masked', 'local')
    const file = new Uint8Array(await response.arrayBuffer())
    expect((await linesOf(file))[1]?.[5]).toBe('138****1111')
    expect((await fixture.check(file, 'updateSupport=true', 'local')).counts).toMatchObject({ same: 1, bad: 0 })
  })
})

// `import-stops.fault.test.ts` repeats this with many batches and the worker of the product, stopped at any moment.
describe('an import of several batches', () => {
  const file = (prefix: string, rows: number) =>
    workbook(Array.from({ length: rows }, (_, at) => [`${prefix}.${at}`, `用户${at}`, fixture.east.id]))
  const made = (prefix: string) =>
    all()
      .selectFrom('users')
      .leftJoin('activationCode', 'activationCode.userId', 'users.id')
      .select(['users.id', 'activationCode.userId as invited'])
      .where('username', 'like', `${prefix}.%`)
      .execute()
  /** Takes a name as a create does before its commit: the batch of that line waits. @returns the function that releases the name. */
  const takeName = async (username: string) => {
    const client = await fixture.pool.connect()
    await client.query('begin')
    await client.query('insert into users (username, nickname, dept_id) values ($1, $1, $2)', [
      username,
      fixture.east.id,
    ])
    return () => client.query('rollback').then(() => client.release())
  }
  const waiting = async () => (await sql.raw(lockWaiters).execute(all())).rows.length

  it('continues after its worker was stopped repeatedly, and writes nobody twice', async () => {
    const rows = 3 * ROWS_PER_BATCH
    const { id } = await fixture.check(await file('bulk', rows))
    const releases = [await takeName(`bulk.${1.5 * ROWS_PER_BATCH}`), await takeName(`bulk.${2.5 * ROWS_PER_BATCH}`)]
    await fixture.post('/system/user/import-commit', { id, onlyGood: true })
    for (const [at, release] of releases.entries()) {
      await expect.poll(waiting).toBe(1)
      expect((await fixture.job(id)).done).toBe((at + 1) * ROWS_PER_BATCH)
      // The batch that waits learns of the stop before it can commit.
      const restarted = fixture.restartWorker()
      await release()
      await restarted
    }
    expect(await fixture.until(id, 'DONE')).toMatchObject({ done: rows, counts: { created: rows, bad: 0 } })
    const { run } = await all().selectFrom('job').select('run').where('id', '=', id).executeTakeFirstOrThrow()
    // The check, the first attempt, and one after each stop.
    expect(run).toBe(4)
    const users = await made('bulk')
    expect(users).toHaveLength(rows)
    expect(users.every((user) => user.invited === user.id)).toBe(true)
    const audited = await all()
      .selectFrom('auditLog')
      .select('subjectId')
      .where('action', '=', 'system:user:create')
      .where(sql<boolean>`after ->> 'importJobId' = ${String(id)}`)
      .execute()
    expect(audited).toHaveLength(rows)
    expect(new Set(audited.map(({ subjectId }) => subjectId)).size).toBe(rows)
  })

  it('stops where it is when cancelled; what was written stays complete', async () => {
    const rows = 4 * ROWS_PER_BATCH
    const { id } = await fixture.check(await file('more', rows))
    const release = await takeName(`more.${1.5 * ROWS_PER_BATCH}`)
    await fixture.post('/system/user/import-commit', { id, onlyGood: true })
    await expect.poll(waiting).toBe(1)
    const cancelled = fixture.post('/system/job/cancel', { id })
    // The batch has locked the job until it commits.
    await expect.poll(waiting).toBe(2)
    await release()
    expect((await cancelled).code).toBe(200)
    const { done, state } = await fixture.job(id)
    await fixture.restartWorker()
    expect(state).toBe('CANCELLED')
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(rows)
    expect(await made('more')).toHaveLength(done)
  })
})

describe('the answer of an import', () => {
  it('reports each row, and says of a check that it is one', async () => {
    const sheet = () =>
      workbook([
        ['told.good', '一'],
        [null, '二'],
      ])
    const checked = await fixture.send(await sheet(), 'dryRun=true')
    expect(checked.data).toMatchObject({ message: '正在校验，完成后请查看各行结果再提交', ended: false })
    const { data } = await fixture.send(await sheet(), '')
    expect(data).toMatchObject({
      rows: [
        { row: 1, username: 'told.good', status: 'CREATE', reasons: [] },
        { row: 2, username: null, status: 'BAD', reasons: ['登录名称不能为空'] },
      ],
      message: '成功1条，失败1条；<br/>第2行登录名称不能为空；<br/>1行未填写部门，已填入：运营中心',
    })
  })

  it('contains only its own markup, in both APIs: cells are text', async () => {
    const sheet = (name: string) => workbook([[name, '一', null, null, null, null, null, '<img src="x" onerror=a()>&']])
    const message = '成功0条，失败1条；<br/>第1行角色【&#60;img src=&#34;x&#34; onerror=a()&#62;&#38;】不存在'
    expect((await fixture.send(await sheet('mark.one'))).data).toMatchObject({ message })
    expect((await fixture.send(await sheet('mark.two'), '', 'admin', '/api/v1/users/import')).data).toBe(message)
  })
})

describe('the check of a spreadsheet from outside', () => {
  it('names error values, unread columns, the worksheet and the row of headings', async () => {
    const heads = ['登录名称', '用户名称', '手机号码(11位)', '用户邮箱（选填）', '工号']
    const errors = '<c r="B4" t="e"><v>#N/A</v></c>'
    const { id, import: imported } = await fixture.check(
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
    const { data } = await fixture.get(`/system/user/import-rows?id=${id}`)
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

  it('reads mobile numbers as people write them, and names what cannot be seen in a name', async () => {
    const { id, counts } = await fixture.check(
      await workbook([
        ['pasted.one', '一', null, null, '+86 199-0000 0031'],
        ['pasted.two ', '二', null, null, '\u202D１９９００００００３２\u202C'],
        ['pasted.three', '李\u202E四'],
        ['pasted.four', '张\n三', null, null, '138-0000'],
      ]),
    )
    expect(counts).toMatchObject({ create: 2, bad: 2 })
    const { data } = await fixture.get(`/system/user/import-rows?id=${id}&onlyBad=true`)
    expect(data).toMatchObject({
      list: [
        { reasons: [{ field: 'nickname', message: '用户名称含有看不见的字符 U+202E' }] },
        { reasons: [{ field: 'nickname', message: '用户名称含有看不见的字符 U+000A' }, { field: 'mobile' }] },
      ],
    })
    await fixture.post('/system/user/import-commit', { id, onlyGood: true })
    await fixture.until(id, 'DONE')
    const users = all().selectFrom('users').select(['username', 'mobile']).where('username', 'like', 'pasted.%')
    expect(await users.orderBy('id').execute()).toEqual([
      { username: 'pasted.one', mobile: '19900000031' },
      { username: 'pasted.two', mobile: '19900000032' },
    ])
    for (const filter of [
      'mobile=%2B86%20199%200000%200031',
      'username=pasted.one%20%E2%80%8B',
      'username=%20pasted.one',
    ])
      expect((await fixture.get(`/system/user/page?${filter}`)).data).toMatchObject({ total: 1 })
    const unseen = {
      username: 'case20',
      nickname: '\u200B\u200B',
      password: 'Zx9-abcdef12-Qp',
      deptId: fixture.east.id,
    }
    expect(await fixture.post('/system/user/create', unseen)).toMatchObject({
      code: 400,
      data: { errors: [{ field: 'nickname' }] },
    })
  })

  it('takes UTF-16 text and names the line of damaged UTF-8', async () => {
    const text = '登录名称\t用户名称\r\nutf.sixteen\t十六\r\n'
    expect((await fixture.check(Buffer.from(`\uFEFF${text}`, 'utf16le'))).counts).toMatchObject({ create: 1, bad: 0 })
    const { data } = await fixture.send(Buffer.from(text).subarray(0, -3), 'dryRun=true')
    expect((await fixture.until(Number(data.id), 'FAILED')).error).toMatchObject({
      code: codes.importEncoding.code,
      params: { line: 2 },
    })
  })

  it('names the worksheet and the row that were taken for headings when columns are missing', async () => {
    const rows = [textCells(1, ['登记表']), textCells(2, ['工号', '电话'])]
    const { data } = await fixture.send(await rawWorkbook([{ name: '人员', rows }]), 'dryRun=true')
    expect((await fixture.until(Number(data.id), 'FAILED')).error).toMatchObject({
      msg: '【人员】第 1 行缺少必要的列：登录名称 / User name',
    })
  })
})

describe('matching of headings and codes', () => {
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

  it('accepts a code however it is typed', () => {
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
  it('are audited with their reader, on a page or in a file', async () => {
    const { id } = await fixture.check(await workbook([['looked.at', '', null, null, null, null, null, null, null]]))
    expect((await fixture.get(`/system/user/import-rows?id=${id}&pageSize=5`)).code).toBe(200)
    expect(await fixture.download(`/system/user/import-bad-rows?id=${id}`)).toHaveLength(2)
    const looks = (await fixture.audits('job', id)).filter(({ action }) => action === 'system:user:import-rows')
    expect(looks.map(({ username, after }) => ({ username, after }))).toEqual([
      {
        username: 'admin',
        after: expect.objectContaining({ call: '/system/user/import-rows', filter: expect.objectContaining({ id }) }),
      },
      { username: 'admin', after: expect.objectContaining({ call: '/system/user/import-bad-rows' }) },
    ])
  })
})

it('a file that is no spreadsheet is answered with the accepted formats', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const [noText, noBook] = [Buffer.from('登录名称\u0000'), Buffer.from('PK\u0003\u0004 no workbook')]
  for (const bytes of [Buffer.from(pixel, 'base64'), noText, noBook])
    expect((await fixture.send(bytes, 'dryRun=true')).data).toMatchObject({
      errors: [{ field: 'file', rule: 'fileType', bound: 'xlsx xls csv txt' }],
    })
})
