import { codes } from '@tocsin/contract/codes'
import { EXPORT_ROWS } from '@tocsin/contract/export'
import { sql } from 'kysely'
import { readdir, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import { type JobRow, linesOf, openJobFixture, type JobFixture } from '../../../../test/job-fixture.ts'
import { unscoped } from '#db/scope'

let fixture: JobFixture

beforeAll(async () => {
  fixture = await openJobFixture()
  await makeUser(fixture.db, {
    username: 'east.one',
    nickname: '=HYPERLINK("http://x")',
    email: 'one@example.com',
    mobile: '13800000001',
    remark: '+1+cmd|/C calc!A0',
    deptId: fixture.eastSchool.deptId,
    roles: ['guard', 'officer'],
  })
  await makeUser(fixture.db, { username: 'west.one', deptId: fixture.west.id })
})
afterAll(() => fixture.close())

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const audits = () =>
  unscoped(fixture.db, 'test')
    .selectFrom('auditLog')
    .select(['username', 'after'])
    .where('action', '=', 'system:user:export')
    .orderBy('id')
    .execute()
const later = async (query: string, as?: 'local') =>
  Number((await fixture.post(`/system/user/export-later?${query}`, undefined, as)).data)

describe('an export', () => {
  it('has the columns of the list, dates in the configured zone, and labels of the dictionaries', async () => {
    const response = await fixture.fetchFile('/system/user/export?username=east.one')
    expect(response.headers.get('content-type')).toMatch(/spreadsheetml/)
    expect(response.headers.get('content-disposition')).toContain(encodeURIComponent('用户数据.xlsx'))
    const [head, line, ...more] = await linesOf(await bytesOf(response))
    expect(head?.slice(0, 10)).toEqual([
      '用户编号',
      '用户名称',
      '用户昵称',
      '部门名称',
      '用户邮箱',
      '手机号码',
      '用户性别',
      '帐号状态',
      '最后登录IP',
      '最后登录时间',
    ])
    expect(more).toEqual([])
    expect(line?.slice(1, 8)).toEqual([
      'east.one',
      '=HYPERLINK("http://x")',
      expect.any(String),
      'one@example.com',
      '13800000001',
      '未知',
      '开启',
    ])
    expect(line?.[10]).toBe(String(fixture.eastSchool.deptId))
    expect(line?.[11]).toBe('guard,officer')
    const { rows } = await sql<{ at: string }>`
      select to_char(create_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as at
      from users where username = 'east.one'`.execute(fixture.db)
    expect(line?.[13]).toBe(rows[0]?.at)
  })

  it('never writes a cell that a spreadsheet program calculates', async () => {
    const csv = await (await fixture.fetchFile('/system/user/export?username=east.one&format=csv')).text()
    expect(csv).toContain('"\'=HYPERLINK(""http://x"")"')
    expect(csv).toContain('"\'+1+cmd|/C calc!A0"')
    const { unzipSync } = await import('fflate')
    const parts = unzipSync(await bytesOf(await fixture.fetchFile('/system/user/export?username=east.one')))
    const sheet = Object.entries(parts).find(([name]) => name.endsWith('worksheets/sheet1.xml'))
    const xml = Buffer.from(sheet?.[1] ?? []).toString()
    expect(xml).toContain('=HYPERLINK(')
    expect(xml).not.toMatch(/<f[ >]/)
  })

  it('masks data like the list, contains only visible rows, and needs the permission', async () => {
    const lines = await fixture.download('/system/user/export', 'local')
    const names = lines.slice(1).map((line) => line[1])
    expect(names).toContain('east.one')
    expect(names).not.toContain('west.one')
    const line = lines.find((line) => line[1] === 'east.one')
    expect(line?.slice(4, 6)).toEqual(['o***@example.com', '138****0001'])
    await makeUser(fixture.db, { username: 'nobody', password: 'Maple-river-42', deptId: fixture.east.id })
    const user = await fixture.signedIn('nobody')
    expect(await (await fixture.fetchFile('/system/user/export', user)).json()).toMatchObject({ code: 403 })
    expect((await fixture.post('/system/user/export-later', undefined, user)).code).toBe(403)
  })

  it('is the same under an alias, and names an invalid filter', async () => {
    const lines = await fixture.download('/export?username=east.one')
    expect(lines).toHaveLength(2)
    expect((await fixture.get('/system/user/export?status=7')).data).toMatchObject({ errors: [{ field: 'status' }] })
    expect((await fixture.get('/system/user/export?format=pdf')).data).toMatchObject({ errors: [{ field: 'format' }] })
  })

  it('is audited with user, filter and count before the first row is sent', async () => {
    const before = (await audits()).length
    await fixture.download('/system/user/export?username=east.one&format=csv', 'local')
    expect((await audits()).slice(before)).toEqual([
      { username: 'local', after: { filter: { username: 'east.one', format: 'csv' }, rows: 1 } },
    ])
  })
})

describe('a large export', () => {
  const many = EXPORT_ROWS + 1
  beforeAll(async () => {
    // In batches: on a busy machine one statement would exceed its time limit.
    for (let from = 1; from <= many; from += 5000)
      await sql`
        insert into users (username, nickname, dept_id, remark)
        select 'many' || n, '批量', ${fixture.east.id}, repeat('长', 300)
        from generate_series(${from}::int, least(${from + 4999}::int, ${many}::int)) n`.execute(
        unscoped(fixture.db, 'test'),
      )
  })

  it('is rejected immediately, and written in the background', async () => {
    const refused = await fixture.get('/system/user/export?username=many')
    expect(refused).toMatchObject({ code: codes.exportTooMany.code, msg: '数据超过 50000 行，请使用后台导出' })
    const before = (await stat(fixture.sheets)).mtimeMs
    const id = await later('username=many&format=csv', 'local')
    expect((await fixture.get(`/system/job/get?id=${id}`)).code).toBe(codes.jobMissing.code)
    const job = await fixture.until(id, 'DONE', 'local')
    expect(job).toMatchObject({ done: many, total: many, title: '用户数据' })
    const text = await (await fetch(new URL(job.url ?? '', fixture.base))).text()
    expect(text.split('\r\n')).toHaveLength(many + 2)
    // Written in the data folder; nothing stays beside the stored file.
    expect((await stat(fixture.sheets)).mtimeMs).toBeGreaterThan(before)
    expect(await readdir(fixture.sheets)).toEqual([])
    expect((await audits()).at(-1)).toMatchObject({ username: 'local', after: { rows: many } })
    expect((await fixture.get('/system/job/my-list', 'local')).data).toMatchObject([{ id, state: 'DONE' }])
  })

  it('masks data in the background when the list masks it', async () => {
    const text = async (as?: 'local') => {
      const { url } = await fixture.until(await later('username=east.one&format=csv', as), 'DONE', as)
      return (await fetch(new URL(url ?? '', fixture.base))).text()
    }
    expect(await text()).toContain('"13800000001"')
    const masked = await text('local')
    expect(masked).toContain('"138****0001"')
    expect(masked).not.toMatch(/13800000001|one@example/)
  })

  it('is not written when the user lost the permission before the job ran', async () => {
    await fixture.stopWorker()
    const id = await later('username=many', 'local')
    const roleId = await fixture.roleId('local_admin')
    const menuId = await fixture.menuId('system:user:export')
    await fixture.db.deleteFrom('roleMenu').where('roleId', '=', roleId).where('menuId', '=', menuId).execute()
    await fixture.restartWorker()
    expect(await fixture.until(id, 'FAILED', 'local')).toMatchObject({ error: { code: codes.exportGone.code } })
    await fixture.db.insertInto('roleMenu').values({ roleId, menuId }).execute()
    fixture.forget()
  })

  it('cannot be opened any longer than the user has the permissions that it was written with', async () => {
    const roleId = await fixture.roleId('local_admin')
    const id = await later('username=east.one&format=csv', 'local')
    const { url } = await fixture.until(id, 'DONE', 'local')
    const linked = async () => {
      const { data } = await fixture.get('/system/job/my-list', 'local')
      return (data as unknown as JobRow[]).find((item) => item.id === id)?.url !== null
    }
    const opened = async (link: string | null) => (await fetch(new URL(link ?? '', fixture.base))).text()
    expect([await linked(), await opened(url)]).toEqual([true, expect.stringContaining('138****0001')])
    const without = async (menu: string, work: () => Promise<void>) => {
      const menuId = await fixture.menuId(menu)
      await fixture.db.deleteFrom('roleMenu').where('roleId', '=', roleId).where('menuId', '=', menuId).execute()
      fixture.forget()
      await work()
      await fixture.db.insertInto('roleMenu').values({ roleId, menuId }).execute()
      fixture.forget()
    }
    await without('system:user:export', async () => {
      expect(await linked()).toBe(false)
      expect(await fixture.job(id, 'local')).toMatchObject({ state: 'DONE', url: null })
      expect(JSON.parse(await opened(url))).toMatchObject({ code: codes.exportGone.code })
    })
    expect(await linked()).toBe(true)
    // A file with unmasked data opens only while the user may see such data.
    const reveal = await fixture.menuId('system:user:reveal')
    await fixture.db.insertInto('roleMenu').values({ roleId, menuId: reveal }).execute()
    fixture.forget()
    const clear = await fixture.until(await later('username=east.one&format=csv', 'local'), 'DONE', 'local')
    expect(await opened(clear.url)).toContain('"13800000001"')
    await without('system:user:reveal', async () => {
      expect(await fixture.job(clear.id, 'local')).toMatchObject({ state: 'DONE', url: null })
      expect(JSON.parse(await opened(clear.url))).toMatchObject({ code: codes.exportGone.code })
      expect(await linked()).toBe(true)
    })
    await fixture.db.deleteFrom('roleMenu').where('roleId', '=', roleId).where('menuId', '=', reveal).execute()
    fixture.forget()
  })

  it('cannot be opened when the user no longer sees the subjects that its rows were selected by', async () => {
    const id = await later('username=east.one&format=csv', 'local')
    const { url } = await fixture.until(id, 'DONE', 'local')
    const opened = async () => (await fetch(new URL(url ?? '', fixture.base))).text()
    const place = async (deptId: number) => {
      const where = unscoped(fixture.db, 'test').updateTable('users').where('id', '=', fixture.local.id)
      await where.set({ deptId }).execute()
      fixture.forget()
    }
    expect(await opened()).toContain('138****0001')
    await place(fixture.west.id)
    expect(await fixture.job(id, 'local')).toMatchObject({ state: 'DONE', url: null })
    expect(JSON.parse(await opened())).toMatchObject({ code: codes.exportGone.code })
    await place(fixture.east.id)
    expect(await opened()).toContain('138****0001')
  })

  it('stops when it is cancelled, immediate or in the background, and releases its connection', async () => {
    await unscoped(fixture.db, 'test').deleteFrom('users').where('username', '=', 'many1').execute()
    const holding = () =>
      sql<{ n: number }>`
        select count(*) as n from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`.execute(fixture.db)
    const stop = new AbortController()
    const response = await fixture.fetchFile('/system/user/export?username=many&format=csv', 'admin', stop.signal)
    await response.body?.getReader().read()
    const held = (n: number) => expect.poll(async () => (await holding()).rows[0]?.n, { interval: 50 }).toBe(n)
    // The client stops reading: the server waits with the remaining rows.
    await held(1)
    stop.abort()
    await held(0)
    // The connection may be lost: this ends only this response.
    const lost = new AbortController()
    const torn = await fixture.fetchFile('/system/user/export?username=many&format=csv', 'admin', lost.signal)
    await torn.body?.getReader().read()
    await held(1)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(fixture.db)
    await held(0)
    lost.abort()
    // Each user may run two exports: both slots are free again.
    for (let n = 0; n < 2; n += 1)
      expect((await fixture.fetchFile('/system/user/export?username=east.one')).status).toBe(200)
    const id = await later('username=many')
    expect((await fixture.post('/system/job/cancel', { id })).code).toBe(200)
    await pause(2000)
    expect(await fixture.job(id)).toMatchObject({ state: 'CANCELLED', url: null })
  })
})
