import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openJobFixture, type JobFixture, workbook } from '../../../test/job-fixture.ts'
import { addHook } from '#db/transaction-hook'
import { unscoped } from '#db/scope'
import { queueJob, requeue } from '#jobs/queue'
import { failExhaustedJob, jobFinished } from '#jobs/run'
import { forgetJobs } from '#areas/files/export/job'

let fixture: JobFixture
let attempts = 0
/** The number of commits to fail, like a server that dies there. */
let lost = 0

beforeAll(async () => {
  fixture = await openJobFixture()
  // After the notice was written, so that it is rolled back with the rest.
  addHook(jobFinished, async () => {
    attempts += 1
    if (lost > 0) {
      lost -= 1
      throw new Error('the server died before the commit')
    }
  })()
})
afterEach(async () => {
  await unscoped(fixture.db, 'test').deleteFrom('notice').execute()
})
afterAll(() => fixture.close())

type As = 'admin' | 'local'
type Mine = { id: number; title: string; jobId: number | null; publisherName: string; content: string }
const mine = async (as: As) => {
  const { data } = await fixture.get('/system/notice/my-page', as)
  return (data as unknown as { list: Mine[] }).list
}
const getNotice = async (as: As, id: number) =>
  (await fixture.get(`/system/notice/my-get?id=${id}`, as)).data as unknown as Mine
const exported = async (as: As, query = 'username=local&format=csv') => {
  const { data } = await fixture.post(`/system/user/export-later?${query}`, undefined, as)
  return Number(data)
}
const speaks = (language: string, as: As) => fixture.put('/system/user/profile/update-preferences', { language }, as)
const unread = async (as: As) => (await fixture.get('/system/notice/unread-count', as)).data as unknown as number

describe('the end of a job', () => {
  it('notifies its owner, by push too, with a link to the job and its file', async () => {
    await fixture.told()
    const id = await exported('local')
    await fixture.until(id, 'DONE', 'local')
    const [notice, ...more] = await mine('local')
    expect(more).toEqual([])
    expect(notice).toMatchObject({ title: '任务已完成：用户数据', jobId: id, publisherName: '系统' })
    expect(await unread('local')).toBe(1)
    expect((await fixture.told()).filter(({ type }) => type === 'notice.published')).toEqual([
      { type: 'notice.published', ref: notice?.id, userId: fixture.local.id, deptId: null, schoolId: null },
    ])
    expect((await getNotice('local', notice?.id ?? 0)).content).toBe('<p>后台任务“用户数据”已完成，共 1 行。</p>')
    const { url } = await fixture.job(Number(notice?.jobId), 'local')
    expect(await (await fetch(new URL(url ?? '', fixture.base))).text()).toContain('"local"')
    expect((await fixture.post('/system/notice/read', { ids: [notice?.id] }, 'local')).code).toBe(200)
    expect(await unread('local')).toBe(0)
  })

  it('is hidden from other users: even users who see every notice cannot find, read, change or delete it', async () => {
    await fixture.until(await exported('local'), 'DONE', 'local')
    const id = (await mine('local'))[0]?.id ?? 0
    const missing = codes.noticeMissing.code
    expect(await mine('admin')).toEqual([])
    expect(await unread('admin')).toBe(0)
    for (const as of ['admin', 'local'] as const) {
      for (const path of ['/system/notice/page', '/api/v1/notices/page?pageNum=1'])
        expect((await fixture.get(path, as)).data).toMatchObject({ list: [], total: 0 })
      for (const path of [`/system/notice/get?id=${id}`, `/system/notice/readers?id=${id}`])
        expect((await fixture.get(path, as)).code).toBe(missing)
      expect((await fixture.get(`/api/v1/notices/${id}/form`, as)).code).toBe(missing)
      expect((await fixture.put('/system/notice/update', { id, title: '别的' }, as)).code).toBe(missing)
      for (const verb of ['publish', 'revoke'])
        expect((await fixture.post(`/system/notice/${verb}`, { id, version: 1 }, as)).code).toBe(missing)
      expect((await fixture.post(`/system/notice/push?id=${id}`, undefined, as)).code).toBe(missing)
      expect((await fixture.remove(`/system/notice/delete?id=${id}`, as)).code).toBe(missing)
    }
    expect((await fixture.get(`/system/notice/my-get?id=${id}`)).code).toBe(missing)
    expect((await fixture.get(`/api/v1/notices/${id}/detail`)).code).toBe(missing)
    // The compatibility API lists it among the own notices, without a field unknown there.
    const other = (await fixture.get('/api/v1/notices/my-page?pageNum=1', 'local')).data as unknown as {
      list: object[]
    }
    expect(other.list).toMatchObject([{ id, title: '任务已完成：用户数据' }])
    expect(other.list[0]).not.toHaveProperty('jobId')
  })

  it('is written in the language of the owner, with the reason of a failure', async () => {
    const broken = Buffer.from('<script>alert(1)</script>\r\n1\r\n')
    const failed = async () => {
      const { data } = await fixture.send(broken, 'dryRun=true')
      await fixture.until(Number(data.id), 'FAILED')
      const [notice] = await mine('admin')
      return getNotice('admin', notice?.id ?? 0)
    }
    expect(await failed()).toMatchObject({ title: '任务失败：名单.csv', content: expect.stringContaining('登录名称') })
    expect((await speaks('en', 'admin')).code).toBe(200)
    const english = await failed()
    expect(english).toMatchObject({ title: 'Failed: 名单.csv', publisherName: 'System' })
    expect(english.content).toMatch(/^<p>The job “名单.csv” failed\. .*User name/)
    await fixture.until(await exported('admin', 'lang=en&format=csv'), 'DONE')
    const [done] = await mine('admin')
    expect(done?.title).toBe('Finished: Users')
    expect((await speaks('zh-cn', 'admin')).code).toBe(200)
  })

  it('escapes the name of a file', async () => {
    const title = `<img src=x onerror=alert(1)>${'长'.repeat(60)}&`
    await fixture.stopWorker()
    const id = await fixture.db
      .transaction()
      .execute((trx) => queueJob(trx, 'user-import', { title }, fixture.local.id))
    await failExhaustedJob(fixture.db, id)
    await fixture.restartWorker()
    const [notice] = await mine('local')
    expect([...(notice?.title ?? '')]).toHaveLength(50)
    const { content } = await getNotice('local', notice?.id ?? 0)
    expect(content).toContain('&#60;img src=x onerror=alert(1)&#62;')
    expect(content).toContain('&#38;')
    expect(content).not.toContain('<img')
  })

  it('notifies of an import that was checked first, but not of a cancelled one', async () => {
    const { id } = await fixture.check(await workbook([['noted.one', '一', null, null, null, null, null, null, null]]))
    expect(await mine('admin')).toEqual([])
    await fixture.post('/system/user/import-commit', { id, onlyGood: true })
    await fixture.until(id, 'DONE')
    expect(await mine('admin')).toMatchObject([{ title: '任务已完成：名单.xlsx', jobId: id }])
    const other = await fixture.check(await workbook([['noted.two', '二', null, null, null, null, null, null, null]]))
    expect((await fixture.post('/system/job/cancel', { id: other.id })).code).toBe(200)
    expect(await mine('admin')).toHaveLength(1)
  })

  it('notifies once, although the server dies before or after the notice is written', async () => {
    attempts = 0
    lost = 2
    const id = await exported('local')
    await fixture.until(id, 'DONE', 'local')
    expect(attempts).toBe(3)
    expect(await mine('local')).toMatchObject([{ jobId: id }])
    // The queue did not receive the end: it repeats the job, or fails it.
    await fixture.db.transaction().execute((trx) => requeue(trx, id))
    await fixture.until(await exported('local'), 'DONE', 'local')
    await failExhaustedJob(fixture.db, id)
    expect((await mine('local')).filter(({ jobId }) => jobId === id)).toHaveLength(1)
  })

  it('is deleted with its job', async () => {
    const id = await exported('local')
    await fixture.until(id, 'DONE', 'local')
    await sql`update job set ended_at = now() - interval '16 days' where id = ${id}`.execute(
      unscoped(fixture.db, 'test'),
    )
    await forgetJobs(fixture.db)
    expect(await mine('local')).toEqual([])
  })
})
