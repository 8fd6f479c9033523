import { codes } from '@tocsin/contract/codes'
import { EXPORT_ROWS } from '@tocsin/contract/export'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countIdleTransactions, exportedLists, fillList, lastExportAudit, openListFixture } from '../export-lists.ts'
import { type JobFixture, openJobFixture } from '../job-fixture.ts'

let fixture: JobFixture
beforeAll(async () => {
  fixture = await openListFixture(openJobFixture)
})
afterAll(() => fixture.close())

const later = async (path: string, query: string) =>
  Number((await fixture.post(`${path}/export-later?${query}`, undefined)).data)

describe.each(exportedLists)('$path', ({ path, permission, subject, name, sought, into }) => {
  beforeAll(() => fillList(fixture.db, into, 1, EXPORT_ROWS))

  it('stops when it is cancelled, immediate or in the background', async () => {
    const held = (n: number) => expect.poll(() => countIdleTransactions(fixture.db), { interval: 50 }).toBe(n)
    const stop = new AbortController()
    const response = await fixture.fetchFile(`${path}/export?${sought}=many&format=csv`, 'admin', stop.signal)
    await response.body?.getReader().read()
    // The client stops reading: the server waits with the remaining rows.
    await held(1)
    stop.abort()
    await held(0)
    await fixture.stopWorker()
    const id = await later(path, `${sought}=many`)
    expect((await fixture.post('/system/job/cancel', { id })).code).toBe(200)
    await fixture.restartWorker()
    expect(await fixture.job(id)).toMatchObject({ state: 'CANCELLED', url: null })
  })

  it('rejects an export beyond the limit, and writes it in the background with a notice and a link', async () => {
    const many = EXPORT_ROWS + 1
    await fillList(fixture.db, into, many, many)
    const refused = await fixture.get(`${path}/export?${sought}=many`)
    expect(refused).toMatchObject({ code: codes.exportTooMany.code, msg: '数据超过 50000 行，请使用后台导出' })
    const id = await later(path, `${sought}=many&format=csv`)
    const job = await fixture.until(id, 'DONE')
    expect(job).toMatchObject({ done: many, total: many, title: name })
    const text = await (await fetch(new URL(job.url ?? '', fixture.base))).text()
    expect(text.split('\r\n')).toHaveLength(many + 2)
    expect(await lastExportAudit(fixture.db)).toMatchObject({ action: permission, subject, after: { rows: many } })
    const { data } = await fixture.get('/system/notice/my-page')
    expect((data as unknown as { list: object[] }).list).toContainEqual(
      expect.objectContaining({ title: `任务已完成：${name}`, jobId: id }),
    )
  })
})
