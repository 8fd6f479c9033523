import { codes } from '@tocsin/contract/codes'
import { writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { pageIn } from '../../../test/admin-server.ts'
import { type FileServer, startFileServer, makePicture } from '../../../test/file-server.ts'
import { deleteExpiredFiles, deleteOrphanContent } from './garbage-collection.ts'
import { storeServerFile, setFileReferences } from './store-file.ts'
import { deviceFileLink, fileLink } from './file-store.ts'

let site: FileServer
let clerk: { token: string; userId: number }
let reader: { token: string; userId: number }

const all = ['infra:file:query', 'infra:file:create', 'infra:file:delete']

beforeAll(async () => {
  site = await startFileServer()
  clerk = await site.clerk(...all)
  reader = await site.clerk('infra:file:query')
})
afterEach(() => vi.useRealTimers())
afterAll(() => site.close())

const keep = async (name: string, token = clerk.token) => {
  const { data } = await site.upload(`text of ${name}`, { path: '/infra/file/create', name, token })
  return { id: Number(data.id), url: String(data.url) }
}
const said = async (link: string, token?: string) => {
  const answer = await site.fetchLink(link, token)
  return answer.headers.get('content-type')?.startsWith('application/json')
    ? ((await answer.json()) as { code: number; msg: string })
    : answer.text()
}
const actor = (userId: number) =>
  ({ userId, sessionId: 1, deptId: site.here.deptId, depts: [site.here.deptId], schools: [] }) as never

describe('a link', () => {
  it("opens the file for its user, with or without the user's token", async () => {
    const { url } = await keep('a.txt')
    expect(await said(url)).toBe('text of a.txt')
    expect(await said(url, clerk.token)).toBe('text of a.txt')
  })

  it('is rejected in the session of another user', async () => {
    const { url } = await keep('a.txt')
    expect(await said(url, reader.token)).toMatchObject({ code: 1_001_003_011 })
  })

  it.each([
    ['another file', (url: string) => url.replace(/file\/\d+/, 'file/1')],
    ['another person', (url: string) => url.replace(/u=\d+/, 'u=1')],
    ['a later end', (url: string) => url.replace(/e=(\d+)/, (_, e: string) => `e=${Number(e) + 600}`)],
    ['another signature', (url: string) => url.replace(/s=.{5}/, 's=AAAAA')],
    ['a short signature', (url: string) => url.replace(/s=.*/, 's=A')],
  ])('changed to %s opens nothing', async (_what, change) => {
    const { id, url } = await keep('a.txt')
    expect(id).toBeGreaterThan(1)
    expect(await said(change(url))).toMatchObject({ code: 1_001_003_011, msg: '文件链接无效，请刷新页面后重试' })
  })

  it('without its parts is rejected by field', async () => {
    const { id } = await keep('a.txt')
    expect(await said(`/admin-api/infra/file/${id}`)).toMatchObject({ code: 400 })
  })

  it('is valid for ten to eleven minutes', async () => {
    const { id, url } = await keep('a.txt')
    const ends = Number(/e=(\d+)/.exec(url)?.[1]) * 1000 - Date.now()
    expect(ends).toBeGreaterThanOrEqual(599_000)
    expect(ends).toBeLessThanOrEqual(660_000)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 700_000 })
    const old = fileLink(id, clerk.userId)
    vi.useRealTimers()
    expect(await said(old)).toMatchObject({ code: 1_001_003_012, msg: '文件链接已过期，请刷新页面后重试' })
  })

  it('of a device needs no account, and holds for no other file', async () => {
    const [{ id }, other] = [await keep('a.txt'), await keep('b.txt')]
    expect(await said(deviceFileLink(id))).toBe('text of a.txt')
    expect(await said(deviceFileLink(id).replace(String(id), String(other.id)))).toMatchObject({ code: 1_001_003_011 })
  })

  it('ends when its user or its file is deleted', async () => {
    const gone = await site.clerk(...all)
    const { id, url } = await keep('a.txt', gone.token)
    await site.all.updateTable('users').set({ enabled: false }).where('id', '=', gone.userId).execute()
    expect(await said(url)).toMatchObject({ code: 1_001_003_001 })
    await site.store().remove(id)
    expect(await said(fileLink(id, clerk.userId))).toMatchObject({ code: 1_001_003_001, msg: '文件不存在' })
    expect(await said(fileLink(987_654, clerk.userId))).toMatchObject({ code: 1_001_003_001 })
  })
})

describe('the list', () => {
  it("shows files of visible departments and always the user's own, but no others", async () => {
    const mine = await keep('mine.txt')
    const theirs = await site.all
      .insertInto('file')
      .values({
        name: 'theirs.txt',
        type: 'text/plain',
        size: 1,
        sha256: Buffer.alloc(32),
        purpose: 'LIBRARY',
        ownerId: site.there.userId,
        ownerName: 'x',
        deptId: site.there.deptId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const seen = pageIn(await site.call('GET', '/infra/file/page?pageSize=100', undefined, reader.token))
    const ids = seen.list.map(({ id }) => id)
    expect(ids).toContain(mine.id)
    expect(ids).not.toContain(theirs.id)
    for (const verb of ['GET /infra/file/get', 'DELETE /infra/file/delete']) {
      const [method, path] = verb.split(' ') as ['GET', string]
      const hidden = await site.call(method, `${path}?id=${theirs.id}`, undefined, clerk.token)
      const missing = await site.call(method, `${path}?id=999999`, undefined, clerk.token)
      expect([hidden.code, hidden.msg]).toEqual([missing.code, missing.msg])
      expect(hidden.code).toBe(1_001_003_001)
    }
  })

  it('filters by name, owner, kind, purpose and time', async () => {
    await site.upload(await makePicture(), { path: '/infra/file/create', name: 'plan_1.png', token: clerk.token })
    const names = async (query: string) =>
      pageIn(await site.call('GET', `/infra/file/page?pageSize=100&${query}`, undefined, clerk.token)).list.map(
        ({ name }) => name,
      )
    expect(await names('name=plan_1')).toEqual(['plan_1.png'])
    expect(await names('name=plan%251')).toEqual([])
    expect(await names('group=IMAGE')).toEqual(['plan_1.png'])
    expect(await names('group=MEDIA,OTHER')).toEqual([])
    expect(await names('purpose=AVATAR')).toEqual([])
    expect(await names('ownerName=nobody')).toEqual([])
    expect(await names('from=2020-01-01&to=2020-01-02')).toEqual([])
    expect((await names(`from=2020-01-01&to=${Date.now() + 60_000}`)).length).toBeGreaterThan(1)
  })

  it('requires its permission', async () => {
    const nobody = await site.clerk()
    expect((await site.call('GET', '/infra/file/page', undefined, nobody.token)).code).toBe(403)
    expect((await site.call('DELETE', '/infra/file/delete?id=1', undefined, reader.token)).code).toBe(403)
  })
})

describe('deleting', () => {
  it('removes row and content, with an audit row', async () => {
    const { id, url } = await keep('a.txt')
    expect((await site.call('DELETE', `/infra/file/delete?id=${id}`, undefined, clerk.token)).code).toBe(200)
    expect(await site.contents()).not.toContain(id)
    expect(await said(url)).toMatchObject({ code: 1_001_003_001 })
    expect(await site.audited('file', id)).toEqual(['infra:file:create', 'infra:file:delete'])
  })

  it('is rejected while a row refers to the file', async () => {
    const { id } = await keep('a.txt')
    const of = { subject: 'notice', subjectId: 5 }
    await setFileReferences(site.site.db, actor(clerk.userId), of, [id])
    const { data } = await site.call('GET', `/infra/file/get?id=${id}`, undefined, clerk.token)
    expect(data['used']).toBe(true)
    const refused = await site.call('DELETE', `/infra/file/delete?id=${id}`, undefined, clerk.token)
    expect(refused).toMatchObject({ code: 1_001_003_010, msg: '文件正在被使用，不能删除' })
    expect(await site.contents()).toContain(id)
    await setFileReferences(site.site.db, actor(clerk.userId), of, [])
    expect((await site.call('DELETE', `/infra/file/delete?id=${id}`, undefined, clerk.token)).code).toBe(200)
  })
})

describe('own uploads of a form', () => {
  const remove = (address: string, token = clerk.token) =>
    site.call('DELETE', `/api/v1/files?filePath=${encodeURIComponent(address)}`, undefined, token)

  it('are deleted by the address in the upload response', async () => {
    const { data } = await site.upload('draft', { path: '/api/v1/files', token: clerk.token })
    const url = String(data['url'])
    expect((await remove(url, reader.token)).code).toBe(codes.fileMissing.code)
    expect(await remove(url)).toMatchObject({ code: 200, data: null })
    expect(await said(url)).toMatchObject({ code: codes.fileMissing.code })
    expect((await remove(url)).code).toBe(codes.fileMissing.code)
  })

  it('are the only files deleted that way: no library files, no invalid addresses', async () => {
    const { url } = await keep('kept.txt')
    for (const address of [url, '/etc/passwd', '/infra/file/../1', 'x'])
      expect((await remove(address)).code).toBe(codes.fileMissing.code)
    expect((await site.call('DELETE', '/api/v1/files')).code).toBe(400)
  })
})

describe('referring to a file', () => {
  it('is rejected when the user cannot see it', async () => {
    const { id } = await keep('a.txt')
    const stranger = { userId: site.there.userId, depts: [site.there.deptId], schools: [] } as never
    const of = { subject: 'notice', subjectId: 6 }
    await expect(setFileReferences(site.site.db, stranger, of, [id])).rejects.toThrow('文件不存在')
  })
})

describe('housekeeping', () => {
  const age = (id: number, set: { createdAt?: Date; expiresAt?: Date }) =>
    site.all.updateTable('file').set(set).where('id', '=', id).execute()
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  const draft = async () => Number((await site.upload('draft', { token: clerk.token })).data.id)

  it('removes unused files after a day and expired ones, with row and content, and keeps the rest', async () => {
    const [unused, used, young] = [await draft(), await draft(), await draft()]
    const library = (await keep('b.txt')).id
    const ended = (await keep('c.txt')).id
    await setFileReferences(site.site.db, actor(clerk.userId), { subject: 'notice', subjectId: 7 }, [used])
    for (const id of [unused, used, library]) await age(id, { createdAt: yesterday })
    await age(ended, { expiresAt: new Date(Date.now() - 1000) })
    await deleteExpiredFiles(site.site.db)
    const rows = (await site.rows()).map(({ id }) => id)
    for (const kept of [rows, await site.contents()]) {
      expect(kept).toEqual(expect.arrayContaining([used, young, library]))
      expect(kept).not.toEqual(expect.arrayContaining([unused]))
      expect(kept).not.toEqual(expect.arrayContaining([ended]))
    }
  })

  it('deletes content without a row once it is old enough', async () => {
    const { id } = await keep('d.txt')
    await site.all.deleteFrom('file').where('id', '=', id).execute()
    expect(await deleteOrphanContent(site.all, yesterday)).toBe(0)
    expect(await site.contents()).toContain(id)
    const before = await site.contents()
    await deleteOrphanContent(site.all, new Date(Date.now() + 60_000))
    expect(await site.contents()).not.toContain(id)
    expect(before.length).toBeGreaterThan((await site.contents()).length)
  })
})

describe('a file made by the server', () => {
  it('belongs to the user it was made for', async () => {
    const path = `${process.env['TMPDIR']}/export.xlsx`
    writeFileSync(path, 'made')
    const id = await storeServerFile(site.site.db, {
      name: '导出.xlsx',
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      size: 4,
      path,
      owner: clerk.userId,
      purpose: 'EXPORT',
      expiresAt: new Date(Date.now() + 60_000),
    })
    expect(await said(fileLink(id, clerk.userId))).toBe('made')
    expect((await site.rows()).find((row) => row.id === id)).toMatchObject({ ownerId: clerk.userId, image: false })
    const get = async (token: string) => site.call('GET', `/infra/file/get?id=${id}`, undefined, token)
    const listed = async (token: string) =>
      pageIn(await site.call('GET', '/infra/file/page?purpose=EXPORT', undefined, token)).list
    expect((await get(clerk.token)).data).toMatchObject({ id, url: expect.stringContaining(`u=${clerk.userId}`) })
    // It may contain data that only its owner sees unmasked: other users do not see it, auditors see only its entry.
    expect((await get(reader.token)).code).toBe(codes.fileMissing.code)
    expect(await listed(reader.token)).toEqual([])
    const auditor = await site.clerk(...all, 'system:operate-log:query')
    expect(await listed(auditor.token)).toMatchObject([{ id, name: '导出.xlsx', url: null }])
    for (const token of [auditor.token, site.adminToken])
      expect((await site.call('DELETE', `/infra/file/delete?id=${id}`, undefined, token)).code).toBe(
        codes.fileMissing.code,
      )
    expect((await site.call('DELETE', `/infra/file/delete?id=${id}`, undefined, clerk.token)).code).toBe(200)
  })
})
