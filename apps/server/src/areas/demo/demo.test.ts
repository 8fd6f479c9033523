import { codes } from '@tocsin/contract/codes'
import type { MenuNode } from '@tocsin/contract/access/rights/menu-node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DemoServer, startDemoServer } from '../../../test/demo-server.ts'
import { errorFields } from '../../../test/admin-server.ts'

let demo: DemoServer
let writer: { token: string; userId: number }
beforeAll(async () => {
  demo = await startDemoServer()
  writer = await demo.clerk('demo:text:query', 'demo:text:update')
})
afterAll(() => demo.close())
beforeEach(() => demo.turn('true'))

const flat = (menus: MenuNode[] | null): MenuNode[] => (menus ?? []).flatMap((menu) => [menu, ...flat(menu.children)])
const components = async () => {
  const { data } = await demo.call('GET', '/system/auth/get-permission-info')
  return flat(data['menus'] as unknown as MenuNode[]).map(({ component, path }) => component ?? path)
}

describe('the switch', () => {
  it('removes the menus and restores them, and notifies the screens', async () => {
    expect(await components()).toContain('demo/curd/index')
    const before = (await demo.events('permission.changed')).length
    await demo.turn('false')
    const off = await components()
    expect(off.filter((item) => item.includes('demo'))).toEqual([])
    expect(off).toContain('system/user/index')
    expect((await demo.events('permission.changed')).length).toBe(before + 1)
  })

  it('answers every call as missing for every user', async () => {
    await demo.turn('false')
    const calls = [
      ['GET', '/demo/item/page'],
      ['POST', '/demo/item/create', { name: 'x', kind: 'GOODS' }],
      ['DELETE', '/demo/item/delete?id=1'],
      ['GET', '/demo/item/export'],
      ['GET', '/demo/text/get'],
      ['GET', '/demo/talk/list'],
      ['POST', '/demo/talk/here'],
      ['GET', '/infra/api-docs/get'],
    ] as const
    for (const [method, path, body] of calls) {
      const { code, msg } = await demo.call(method, path, body)
      expect([path, code, msg]).toEqual([path, codes.noUrl.code, codes.noUrl.zh])
    }
  })

  it('changes nothing for users without the permission', async () => {
    const { token } = await demo.clerk()
    for (const path of ['/demo/item/page', '/demo/text/get', '/demo/talk/list', '/infra/api-docs/get'])
      expect((await demo.call('GET', path, undefined, token)).code).toBe(codes.forbidden.code)
  })
})

describe('an upload of the demo page', () => {
  const send = async (token: string) => {
    const form = new FormData()
    form.append('file', new Blob(['hello']), 'note.txt')
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${demo.base}/demo/upload/create`, { method: 'POST', body: form, headers })
    return (await response.json()) as { code: number; data: object }
  }

  it('needs its own permission, and is like any other upload of a form', async () => {
    const sender = await demo.clerk('demo:upload:create')
    const { code, data } = await send(sender.token)
    expect([code, data]).toMatchObject([200, { name: 'note.txt', type: 'text/plain' }])
    const kept = await demo.all.selectFrom('file').select('purpose').where('ownerId', '=', sender.userId).execute()
    expect(kept).toEqual([{ purpose: 'DRAFT' }])
    const looker = await demo.clerk('demo:upload:query')
    expect((await send(looker.token)).code).toBe(codes.forbidden.code)
    await demo.turn('false')
    expect((await send(sender.token)).code).toBe(codes.noUrl.code)
  })
})

describe('the documentation of the calls', () => {
  it('lists the mounted calls with their permissions, itself included', async () => {
    const { token } = await demo.clerk('infra:api-docs:query')
    const { code, data } = await demo.call('GET', '/infra/api-docs/get', undefined, token)
    expect(code).toBe(200)
    expect(data).toMatchObject({
      openapi: '3.1.0',
      info: { version: '9.9.9' },
      paths: {
        '/demo/item/page': { get: { 'x-permission': 'demo:item:query' } },
        '/infra/api-docs/get': { get: { 'x-permission': 'infra:api-docs:query' } },
      },
    })
  })

  it('requires a session', async () => {
    const { code } = await demo.site.call('GET', '/infra/api-docs/get')
    expect(code).toBe(codes.unauthenticated.code)
  })
})

describe('the own text', () => {
  const get = (token = writer.token) => demo.call('GET', '/demo/text/get', undefined, token)
  const save = (content: string, version: number, token = writer.token) =>
    demo.call('PUT', '/demo/text/update', { content, version }, token)

  it('is empty at first, sanitized when saved, and returned again', async () => {
    expect((await get()).data).toEqual({ content: '', version: 0, updateTime: null })
    const sent = '<h1>标题</h1><script>alert(1)</script><p onclick="x()">正文<img src="https://evil.example/a.png"></p>'
    const { code, data } = await save(sent, 0)
    expect(code).toBe(200)
    expect(data).toMatchObject({ content: '<h1>标题</h1><p>正文</p>', version: 1 })
    expect((await get()).data).toEqual(data)
    expect(await demo.audited('demo_text', writer.userId)).toEqual(['demo:text:update'])
  })

  it('stores its pictures and returns links to them', async () => {
    const file = await demo.keepPicture(writer.userId)
    const { version } = (await get()).data
    const { data } = await save(`<p>图</p><img src="/admin-api/infra/file/${file}?e=1">`, Number(version))
    expect(String(data['content'])).toMatch(new RegExp(`/infra/file/${file}\\?e=\\d+&amp;u=${writer.userId}&amp;s=`))
    expect(await demo.used('demoText')).toEqual([{ subjectId: writer.userId, fileId: file }])
  })

  it('rejects empty content, invisible pictures, and a stale version', async () => {
    const { version } = (await get()).data
    const now = Number(version)
    expect(errorFields(await save('<p></p>', now))).toEqual(['content'])
    const foreign = await demo.keepPicture(demo.there.userId)
    const picture = `<img src="/admin-api/infra/file/${foreign}">`
    expect((await save(picture, now)).code).toBe(codes.fileMissing.code)
    const stale = await save('<p>x</p>', now - 1)
    expect(stale.code).toBe(codes.stale.code)
    expect(stale.data).toMatchObject({ current: { version: now } })
  })

  it('is hidden from other users, including the administrator', async () => {
    expect((await get(demo.adminToken)).data).toMatchObject({ content: '', version: 0 })
    expect((await save('<p>他人</p>', 0, demo.adminToken)).data).toMatchObject({ content: '<p>他人</p>', version: 1 })
    expect(String((await get()).data['content'])).not.toContain('他人')
  })

  it('requires the permission to save', async () => {
    const { token } = await demo.clerk('demo:text:query')
    expect((await save('<p>x</p>', 0, token)).code).toBe(codes.forbidden.code)
  })
})

describe('the own signature', () => {
  it('is stored as a picture in place of the previous one, and hidden from other users', async () => {
    const signer = await demo.clerk('demo:signature:query', 'demo:signature:update')
    const get = (token = signer.token) => demo.call('GET', '/demo/signature/get', undefined, token)
    const save = (fileId: number) => demo.call('PUT', '/demo/signature/update', { fileId }, signer.token)
    expect((await get()).data).toBe(null)
    const [first, second] = [await demo.keepPicture(signer.userId), await demo.keepPicture(signer.userId)]
    expect((await save(first)).data).toMatchObject({ id: first, name: 'a.png' })
    expect((await save(second)).data).toMatchObject({ id: second })
    expect((await get()).data).toMatchObject({ id: second, url: expect.stringContaining(`u=${signer.userId}`) })
    expect(await demo.used('demoSignature')).toEqual([{ subjectId: signer.userId, fileId: second }])
    expect(await demo.audited('demo_signature', signer.userId)).toEqual(Array(2).fill('demo:signature:update'))
    expect((await get(demo.adminToken)).data).toBe(null)

    const document = await demo.keepPicture(signer.userId, false)
    expect(errorFields(await save(document))).toEqual(['fileId'])
    expect((await save(await demo.keepPicture(demo.there.userId))).code).toBe(codes.fileMissing.code)
    const { token } = await demo.clerk('demo:signature:query')
    const refused = await demo.call('PUT', '/demo/signature/update', { fileId: first }, token)
    expect(refused.code).toBe(codes.forbidden.code)
  })
})
