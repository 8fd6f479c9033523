import { codes } from '@tocsin/contract/codes'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AdminServer, startAdminServer, errorFields } from '../../../test/admin-server.ts'
import { testPrefix } from '../../../test/kill-leftovers.ts'
import { insertFile } from '#areas/files/store-file'
import { verifyFileLink } from '#areas/files/file-store'
import { initFileStore } from '#areas/files/init-file-store'
import { noticeCalls } from './routes.ts'

const folder = mkdtempSync(join(tmpdir(), testPrefix))
let admin: AdminServer
let writer: { token: string; userId: number }
let reader: { token: string; userId: number }
beforeAll(async () => {
  initFileStore({ s3Url: undefined, dataDir: folder, masterKey: Buffer.alloc(32, 7) })
  admin = await startAdminServer((db) => noticeCalls.routes({ db }))
  writer = await admin.clerk(
    ...['query', 'create', 'update', 'delete', 'publish'].map((verb) => `system:notice:${verb}`),
  )
  reader = await admin.clerk()
})
afterAll(async () => {
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

let drawn = 1000
const keep = async (owner: number, more: object = {}) => {
  drawn += 1
  const given = { name: 'a.png', type: 'image/png', size: 9, owner, purpose: 'DRAFT' as const, image: true, ...more }
  return (await insertFile(admin.site.db, { id: drawn, sha256: Buffer.alloc(32) }, given)).id
}
const picture = (id: number) => `<p>一</p><img src="/admin-api/infra/file/${id}?e=1&amp;u=1&amp;s=stale" alt="图">`
const write = (content: string) =>
  admin.call(
    'POST',
    '/system/notice/create',
    { title: '图', type: '1', target: 'USER', userIds: [reader.userId], content },
    writer.token,
  )
const used = async () =>
  (await admin.site.db.selectFrom('fileUse').select(['subject', 'fileId']).orderBy('fileId').execute()).map(
    ({ subject, fileId }) => `${subject} ${fileId}`,
  )
const linkIn = (content: unknown, id: number) => {
  const found = new RegExp(`src="/admin-api/infra/file/${id}\\?([^"]+)"`).exec(String(content))
  const link = new URLSearchParams(found?.[1]?.replaceAll('&amp;', '&'))
  return {
    u: Number(link.get('u')),
    lasts: verifyFileLink({ id, e: Number(link.get('e')), u: Number(link.get('u')), s: link.get('s') ?? '' }),
  }
}

it('stores a picture by its id, and gives each reader a link of their own', async () => {
  const file = await keep(writer.userId)
  const { data } = await write(picture(file))
  const id = Number(data)
  expect(await used()).toEqual([`notice ${file}`])
  const kept = await admin.all.selectFrom('notice').select('content').where('id', '=', id).executeTakeFirstOrThrow()
  expect(kept.content).toBe(`<p>一</p><img src="/admin-api/infra/file/${file}" alt="图" />`)
  const shown = await admin.call('GET', `/system/notice/get?id=${id}`, undefined, writer.token)
  expect(linkIn(shown.data['content'], file)).toMatchObject({ u: writer.userId })
  await admin.call('POST', '/system/notice/publish', { id, version: 1 }, writer.token)
  const mine = await admin.call('GET', `/system/notice/my-get?id=${id}`, undefined, reader.token)
  const link = linkIn(mine.data['content'], file)
  expect(link.u).toBe(reader.userId)
  expect(link.lasts).toBeGreaterThan(500)
})

it('releases a picture when it is removed from the text or its notice is deleted', async () => {
  const [first, second] = [await keep(writer.userId), await keep(writer.userId)]
  const before = await used()
  const { data } = await write(picture(first) + picture(second))
  const id = Number(data)
  const edit = { id, version: 1, content: picture(second) }
  expect((await admin.call('PUT', '/system/notice/update', edit, writer.token)).code).toBe(200)
  expect(await used()).toEqual([...before, `notice ${second}`])
  await admin.call('PUT', '/system/notice/update', { id, version: 2, title: '改' }, writer.token)
  expect(await used()).toEqual([...before, `notice ${second}`])
  expect((await admin.call('DELETE', `/system/notice/delete?id=${id}`, undefined, writer.token)).code).toBe(200)
  expect(await used()).toEqual(before)
})

it('rejects files that the writer cannot see, and files that are no pictures', async () => {
  const foreign = await keep(admin.there.userId)
  expect((await write(picture(foreign))).code).toBe(codes.fileMissing.code)
  expect((await write(picture(999_999))).code).toBe(codes.fileMissing.code)
  const sheet = await keep(writer.userId, { type: 'application/zip', image: false, purpose: 'EXPORT' })
  expect(errorFields(await write(picture(sheet)))).toEqual(['content'])
  expect(await used()).not.toContain(`notice ${foreign}`)
})
