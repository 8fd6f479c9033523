import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '#http/route'
import { type FileServer, makePicture, startFileServer } from '../../../test/file-server.ts'
import { addAttachments, deleteAttachments, listAttachments, replaceAttachments } from './attachment.ts'
import { isReferenced } from './read.ts'

let site: FileServer
let clerk: { token: string; userId: number }
let actor: Actor
beforeAll(async () => {
  site = await startFileServer()
  clerk = await site.clerk('infra:file:query', 'infra:file:delete')
  actor = {
    userId: clerk.userId,
    sessionId: 0,
    deptId: site.here.deptId,
    permissions: new Set<string>(),
    depts: [],
    schools: [],
  } as unknown as Actor
})
afterAll(() => site.close())

const of = { ownerType: 'test_owner', ownerId: 1 }
const upload = async (name: string, content: Uint8Array | string = 'text', token = clerk.token) => {
  const { data } = await site.upload(content, { name, token })
  return Number(data['id'])
}
const listed = async (ownerId = 1) => (await listAttachments(site.site.db, actor, of.ownerType, [ownerId]))(ownerId)

describe('attachments', () => {
  it('are uploads of the actor, listed by owner with links that open', async () => {
    const photo = await upload('gate.png', await makePicture())
    const note = await upload('note.txt')
    await addAttachments(site.site.db, { ...of, actor, files: [{ fileId: photo, note: '东门' }, { fileId: note }] })
    const list = await listed()
    expect(list.map(({ fileId, kind, note: text }) => [fileId, kind, text])).toEqual([
      [photo, 'PHOTO', '东门'],
      [note, 'FILE', null],
    ])
    expect((await site.fetchLink(list[0]?.url, clerk.token)).status).toBe(200)
    expect(await listed(2)).toEqual([])
  })

  it('reject a file that somebody else uploaded, or that is in the library', async () => {
    const theirs = await upload('theirs.txt', 'text', site.adminToken)
    const { data } = await site.upload('text', { path: '/infra/file/create' })
    for (const fileId of [theirs, Number(data['id']), 999_999])
      await expect(addAttachments(site.site.db, { ...of, actor, files: [{ fileId }] })).rejects.toMatchObject({
        errors: [expect.objectContaining({ field: 'attachments' })],
      })
  })

  it('keep their files in use until the owner removes them', async () => {
    const [kept, gone, fresh] = [await upload('kept.txt'), await upload('gone.txt'), await upload('fresh.txt')]
    const owner = { ownerType: of.ownerType, ownerId: 3 }
    await addAttachments(site.site.db, { ...owner, actor, files: [{ fileId: kept }, { fileId: gone }] })
    await replaceAttachments(site.site.db, { ...owner, actor, files: [{ fileId: kept }, { fileId: fresh }] })
    expect((await listed(3)).map(({ fileId }) => fileId)).toEqual([kept, fresh])
    const used = async () =>
      (
        await site.all
          .selectFrom('file')
          .select(['id', isReferenced.as('used')])
          .where('id', 'in', [kept, gone])
          .execute()
      ).filter(({ used: is }) => is)
    expect((await used()).map(({ id }) => id)).toEqual([kept])
    await deleteAttachments(site.site.db, owner)
    expect(await used()).toEqual([])
  })
})
