import { codes } from '@tocsin/contract/codes'
import { EXPORT_ROWS } from '@tocsin/contract/export'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../../seed/fixtures.ts'
import {
  countIdleTransactions,
  dictTypeList,
  exportedLists,
  fillList,
  lastExportAudit,
  openListFixture,
} from '../../../../test/export-lists.ts'
import { linesOf, type JobFixture } from '../../../../test/job-fixture.ts'
import { openFastWorkerFixture } from '../../../../test/fast-worker.ts'
import { unscoped } from '#db/scope'

let fixture: JobFixture
let stranger: { token: string }
beforeAll(async () => {
  fixture = await openListFixture(openFastWorkerFixture)
  await makeUser(fixture.db, { username: 'stranger', password: 'Maple-river-42', deptId: fixture.east.id })
  stranger = await fixture.signedIn('stranger')
})
afterAll(() => fixture.close())

const all = () => unscoped(fixture.db, 'test')
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const nameIn = ({ headers }: Response) => decodeURIComponent(String(headers.get('content-disposition')))
const later = async (path: string, query: string) =>
  Number((await fixture.post(`${path}/export-later?${query}`, undefined)).data)

describe.each(exportedLists)('$path', ({ path, permission, subject, name, sought, into }) => {
  // many4999, and many49990 to many49999.
  const few = `${sought}=many4999`
  beforeAll(async () => {
    await fillList(fixture.db, into, 4990, 5009)
    await fillList(fixture.db, into, 49_980, EXPORT_ROWS)
  })

  it('exports the same rows as the list, in its order, as workbook and text, with an audited count', async () => {
    const { data } = await fixture.get(`${path}/page?${few}&pageSize=50`)
    const { list } = data as unknown as { list: { id: number }[] }
    const ids = list.map(({ id }) => String(id))
    expect(ids).toHaveLength(11)
    for (const format of ['xlsx', 'csv']) {
      const file = await fixture.fetchFile(`${path}/export?${few}&format=${format}`)
      expect(file.headers.get('content-type')).toMatch(format === 'csv' ? /^text\/csv/ : /spreadsheetml/)
      expect(nameIn(file)).toContain(`${name}.${format}`)
      expect((await linesOf(await bytesOf(file))).slice(1).map(([id]) => id)).toEqual(ids)
      const after = { filter: { [sought]: 'many4999', format }, rows: 11 }
      expect(await lastExportAudit(fixture.db)).toEqual({ action: permission, subject, username: 'admin', after })
    }
    const otherwise = await fixture.fetchFile(`${path}/export-excel?${few}`)
    expect(nameIn(otherwise)).toContain(`${name}.xlsx`)
  })

  it('needs its permission, immediate and in the background', async () => {
    const refused = await fixture.fetchFile(`${path}/export`, stranger)
    expect(await refused.json()).toMatchObject({ code: 403 })
    expect((await fixture.post(`${path}/export-later`, undefined, stranger)).code).toBe(403)
  })

  it('stops in the background when it is cancelled', async () => {
    await fixture.stopWorker()
    const id = await later(path, `${sought}=many`)
    expect((await fixture.post('/system/job/cancel', { id })).code).toBe(200)
    await fixture.restartWorker()
    expect(await fixture.job(id)).toMatchObject({ state: 'CANCELLED', url: null })
  })

  it('is written in the background with a notice and a link', async () => {
    const id = await later(path, `${few}&format=csv`)
    const job = await fixture.until(id, 'DONE')
    expect(job).toMatchObject({ done: 11, total: 11, title: name })
    const text = await (await fetch(new URL(job.url ?? '', fixture.base))).text()
    expect(text.split('\r\n')).toHaveLength(11 + 2)
    expect(await lastExportAudit(fixture.db)).toMatchObject({ action: permission, subject, after: { rows: 11 } })
    const { data } = await fixture.get('/system/notice/my-page')
    expect((data as unknown as { list: object[] }).list).toContainEqual(
      expect.objectContaining({ title: `任务已完成：${name}`, jobId: id }),
    )
  })
})

// All lists have the same exporter; `export-limit.fault.test.ts` repeats this with each of them.
describe('an export of many rows', () => {
  const { path, sought, into } = dictTypeList
  beforeAll(async () => {
    await fillList(fixture.db, into, 100_001, 100_000 + EXPORT_ROWS)
  })

  it('stops when it is cancelled', async () => {
    const held = (n: number) => expect.poll(() => countIdleTransactions(fixture.db), { interval: 50 }).toBe(n)
    const stop = new AbortController()
    const response = await fixture.fetchFile(`${path}/export?${sought}=many1&format=csv`, 'admin', stop.signal)
    await response.body?.getReader().read()
    // The client stops reading: the server waits with the remaining rows.
    await held(1)
    stop.abort()
    await held(0)
  })

  it('is rejected beyond the limit', async () => {
    const many = 100_000 + EXPORT_ROWS + 1
    await fillList(fixture.db, into, many, many)
    const refused = await fixture.get(`${path}/export?${sought}=many1`)
    expect(refused).toMatchObject({ code: codes.exportTooMany.code, msg: '数据超过 50000 行，请使用后台导出' })
  })
})

describe('exports of the administration', () => {
  it('of dictionaries and entries have the rows of the list, in its order', async () => {
    const types = await fixture.download('/system/dict-type/export?type=system_notice')
    expect(types[0]).toEqual(['字典编号', '字典名称', '字典类型', '状态', '英文名称', '备注', '创建时间'])
    expect(types.slice(1).map((line) => line[2])).toEqual(['system_notice_level', 'system_notice_type'])
    const data = await fixture.download('/system/dict-data/export-excel?dictType=system_user_sex')
    expect(data.slice(1).map((line) => line.slice(1, 6).join())).toEqual([
      'system_user_sex,未知,0,1,启用',
      'system_user_sex,男,1,2,启用',
      'system_user_sex,女,2,3,启用',
    ])
  })

  it('of settings contain no secret', async () => {
    await fixture.get('/infra/config/page')
    const secret = await all().selectFrom('config').select('id').where('key', '=', 'mail.smtp-url').executeTakeFirst()
    const value = 'smtps://user:very-secret@mail.example.cn:465'
    expect((await fixture.put('/infra/config/update', { id: secret?.id, value })).code).toBe(200)
    const text = (await fixture.download('/infra/config/export?category=mail')).join('\n')
    expect(text).toContain('mail.smtp-url')
    expect(text).not.toContain('very-secret')
  })

  it.each(['/system/login-log', '/system/operate-log'])('of %s reject more than 92 days', async (path) => {
    const days = (n: number) => Date.now() - n * 86_400_000
    const wide = `createTime[0]=${days(100)}&createTime[1]=${days(1)}`
    const jobs = () => all().selectFrom('job').select('id').execute()
    const before = await jobs()
    for (const answer of [
      await fixture.get(`${path}/export?${wide}`),
      await fixture.post(`${path}/export-later?${wide}`, undefined),
    ])
      expect(answer).toMatchObject({ code: 400, msg: '时间范围不能超过 92 天' })
    expect(await jobs()).toEqual(before)
  })
})
