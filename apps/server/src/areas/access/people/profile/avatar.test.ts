import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageIn, errorFields } from '../../../../../test/admin-server.ts'
import { type FileServer, startFileServer, makePicture } from '../../../../../test/file-server.ts'

let site: FileServer
let me: { token: string; userId: number }

beforeAll(async () => {
  site = await startFileServer()
  me = await site.clerk()
})
afterAll(() => site.close())

const send = async (sent: { path?: string; method?: 'POST' | 'PUT'; content?: Buffer; part?: string } = {}) => {
  const { path = '/profile/update-avatar', method = 'PUT', part = 'avatarFile' } = sent
  return site.upload(sent.content ?? (await makePicture(640, 480, 'jpeg')), {
    path,
    method,
    part,
    name: 'me.jpg',
    token: me.token,
  })
}
const user = () => site.all.selectFrom('users').selectAll().where('id', '=', me.userId).executeTakeFirstOrThrow()

describe('the own picture', () => {
  it.each([
    ['PUT', '/profile/update-avatar'],
    ['POST', '/profile/update-avatar'],
    ['PUT', '/system/user/profile/update-avatar'],
    ['POST', '/system/user/profile/update-avatar'],
  ] as const)('is changed by %s %s and answers its link', async (method, path) => {
    const { code, data } = await send({ method, path })
    expect(code).toBe(200)
    const got = await site.fetchLink(data)
    expect(await sharp(Buffer.from(await got.arrayBuffer())).metadata()).toMatchObject({
      format: 'webp',
      width: 256,
      height: 256,
    })
    const row = (await site.rows()).at(-1)
    expect(row).toMatchObject({ purpose: 'AVATAR', image: true, ownerId: me.userId })
    expect((await user()).avatarId).toBe(row?.id)
  })

  it('appears wherever a person is shown: profile, session, lists, for the owner and for others', async () => {
    await send()
    const own = await site.call('GET', '/profile/get', undefined, me.token)
    const session = await site.call('GET', '/system/auth/get-permission-info', undefined, me.token)
    const list = pageIn(await site.call('GET', '/system/user/page?username=clerk1'))
    const links = [
      own.data['avatar'],
      (session.data as unknown as { user: { avatar: string } }).user.avatar,
      list.list[0]?.['avatar'],
    ]
    for (const link of links) expect((await site.fetchLink(link)).headers.get('content-type')).toBe('image/webp')
    const adminId = Number(/u=(\d+)/.exec(String(links[2]))?.[1])
    expect(adminId).not.toBe(me.userId)
  })

  it('is audited, increments the version of the account, and refreshes its open screens', async () => {
    const { version } = await user()
    await send()
    expect((await user()).version).toBe(version + 1)
    expect(await site.audited('users', me.userId)).toContain('system:user:update-avatar')
    expect(await site.events('permission.changed')).toContainEqual({ ref: me.userId, userId: me.userId })
  })

  it('stays when a form sends it back, is cleared by null, and cannot be replaced by a form', async () => {
    await send()
    const { avatarId } = await user()
    const edit = (avatar: string | null) => site.call('PUT', '/system/user/update', { id: me.userId, avatar })
    const { data } = await site.call('GET', `/system/user/get?id=${me.userId}`)
    expect((await edit(String(data['avatar']))).code).toBe(200)
    expect((await user()).avatarId).toBe(avatarId)
    for (const other of [`/admin-api/infra/file/${Number(avatarId) + 1}`, 'https://', 'x'])
      expect(errorFields(await edit(other))).toEqual(['avatar'])
    expect((await edit(null)).code).toBe(200)
    expect((await user()).avatarId).toBeNull()
  })

  it.each([
    ['/api/v1/users/profile', '/api/v1/files'],
    ['/profile/update', '/infra/file/upload'],
  ])('is set by %s with the link of an own upload by %s, and not with that of another user', async (form, upload) => {
    const uploaded = async (token: string) => {
      const sent = { path: upload, part: 'file', name: 'me.png', token }
      return String((await site.upload(await makePicture(640, 480), sent)).data['url'])
    }
    const edit = (avatar: string) => site.call('PUT', form, { avatar }, me.token)
    const { avatarId } = await user()
    expect(errorFields(await edit(await uploaded(site.adminToken)))).toEqual(['avatar'])
    expect((await user()).avatarId).toBe(avatarId)
    expect((await edit(await uploaded(me.token))).code).toBe(200)
    const { avatarId: set } = await user()
    expect(set).not.toBe(avatarId)
    const own = await site.call('GET', '/profile/get', undefined, me.token)
    const got = Buffer.from(await (await site.fetchLink(own.data['avatar'])).arrayBuffer())
    expect(await sharp(got).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
  })

  it('cannot be deleted as a file while in use, and is deleted when cleared', async () => {
    await send()
    const { avatarId } = await user()
    expect((await site.call('DELETE', `/infra/file/delete?id=${avatarId}`)).code).toBe(1_001_003_010)
    expect((await site.call('DELETE', '/system/user/profile/delete-avatar', undefined, me.token)).code).toBe(200)
    expect((await user()).avatarId).toBeNull()
    expect((await site.call('GET', '/profile/get', undefined, me.token)).data['avatar']).toBeNull()
    expect((await site.call('DELETE', `/infra/file/delete?id=${avatarId}`)).code).toBe(200)
  })

  it.each([
    ['text', Buffer.from('hello'), 'avatarFile'],
    ['a PDF', Buffer.from('%PDF-1.7\n%%EOF\n'), 'avatarFile'],
    ['another part', Buffer.from('x'), 'file'],
  ])('is refused as %s by name', async (_what, content, part) => {
    const before = (await user()).avatarId
    expect(errorFields(await send({ content, part }))).toEqual([part])
    expect((await user()).avatarId).toBe(before)
  })
})
