import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { once } from 'node:events'
import { connect } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorFields } from '../../../test/admin-server.ts'
import { type Colour, makeBmp } from '../../../test/bmp.ts'
import { heicPicture } from '../../../test/heic.ts'
import { type FileServer, startFileServer, makePicture } from '../../../test/file-server.ts'

let site: FileServer
let me: { token: string; userId: number }

beforeAll(async () => {
  site = await startFileServer()
  me = await site.clerk()
})
afterAll(() => site.close())

const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

/** A rejected upload leaves nothing behind. */
const unchanged = async (work: () => Promise<void>) => {
  const [rows, contents] = [(await site.rows()).length, await site.contents()]
  await work()
  expect((await site.rows()).length).toBe(rows)
  expect(await site.contents()).toEqual(contents)
  expect(site.leftovers()).toEqual([])
}

describe('an upload', () => {
  it.each(['/infra/file/upload', '/api/v1/files'])('by %s stores the file, its owner and a link', async (path) => {
    const { code, data } = await site.upload(pdf, { path, name: '值班表.pdf', token: me.token })
    expect(code).toBe(200)
    expect(data).toMatchObject({ name: '值班表.pdf', size: pdf.length, type: 'application/pdf' })
    const [row] = (await site.rows()).slice(-1)
    expect(row).toMatchObject({
      id: data.id,
      purpose: 'DRAFT',
      ownerId: me.userId,
      deptId: site.here.deptId,
      image: false,
      expiresAt: null,
    })
    expect(site.leftovers()).toEqual([])
    expect(await site.audited('file', Number(data.id))).toEqual(['infra:file:create'])
    const answer = await site.fetchLink(data.url)
    expect(Buffer.from(await answer.arrayBuffer()).equals(pdf)).toBe(true)
    const encoded = encodeURIComponent('值班表.pdf')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="file.pdf"; filename*=UTF-8''${encoded}`,
    )
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/)
  })

  it('is rejected without a session before any byte of it is read', async () => {
    await unchanged(async () => {
      const socket = connect(site.port, '127.0.0.1')
      const head = 'POST /admin-api/infra/file/upload HTTP/1.1\r\nhost: t\r\ncontent-length: 900000\r\n'
      socket.write(`${head}content-type: multipart/form-data; boundary=b\r\n\r\n`)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toMatch(/"code":401/)
      socket.destroy()
    })
  })

  it('into the library requires its permission', async () => {
    await unchanged(async () => {
      expect((await site.upload(pdf, { path: '/infra/file/create', name: 'a.pdf', token: me.token })).code).toBe(403)
    })
    const clerk = await site.clerk('infra:file:create')
    const { code, data } = await site.upload(pdf, { path: '/infra/file/create', name: 'a.pdf', token: clerk.token })
    expect(code).toBe(200)
    expect((await site.rows()).find(({ id }) => id === data.id)).toMatchObject({ purpose: 'LIBRARY' })
  })

  it.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['..\\..\\windows\\system.txt', 'system.txt'],
    ['a/../../b.txt', 'b.txt'],
    ['name\u202Etxt.exe.txt', 'nametxt.exe.txt'],
    [' .a.txt. ', 'a.txt'],
    ['名'.repeat(300) + '.txt', `${'名'.repeat(196)}.txt`],
  ])('takes the name %j for data only', async (given, kept) => {
    const { data } = await site.upload('hello', { name: given, token: me.token })
    expect(data.name).toBe(kept)
    expect(await site.store().has(Number(data.id))).toBe(true)
  })

  it('makes a picture of AVIF', async () => {
    const avif = await sharp(await makePicture(40, 30))
      .avif()
      .toBuffer()
    const { data } = await site.upload(avif, { name: 'photo.avif', token: me.token })
    expect(data).toMatchObject({ type: 'image/webp', name: 'photo.webp' })
  })

  it('makes a picture of HEIC, also under another name', async () => {
    const { data } = await site.upload(heicPicture, { name: 'IMG_0001.jpg', token: me.token })
    expect(data).toMatchObject({ type: 'image/jpeg', name: 'IMG_0001.jpg' })
    const content = Buffer.from(await (await site.fetchLink(data.url)).arrayBuffer())
    const { data: pixels, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 64, height: 32, channels: 3 })
    const at = (column: number) => [...pixels.subarray((16 * 64 + column) * 3, (16 * 64 + column) * 3 + 3)]
    const [red, , blueOfRed] = at(8) as [number, number, number]
    const [redOfBlue, , blue] = at(56) as [number, number, number]
    expect([red > 180, blueOfRed < 90, redOfBlue < 70, blue > 160]).toEqual([true, true, true, true])
  })

  it.each([
    [24, 1],
    [32, 1],
    [8, 1],
    [24, -1],
  ] as const)('makes a picture of BMP with %i bits, its rows in the direction %i', async (depth, direction) => {
    const colours: Colour[][] = [
      [
        [200, 10, 20],
        [0, 255, 0],
        [1, 2, 3],
      ],
      [
        [0, 0, 255],
        [255, 255, 255],
        [90, 80, 70],
      ],
    ]
    const { data } = await site.upload(makeBmp(depth, colours, direction), { name: '扫描.bmp', token: me.token })
    expect(data).toMatchObject({ type: 'image/png', name: '扫描.png' })
    const content = Buffer.from(await (await site.fetchLink(data.url)).arrayBuffer())
    expect([...(await sharp(content).removeAlpha().raw().toBuffer())]).toEqual(colours.flat(2))
  })

  it.each([
    ['an OFD document', Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64'), 'notice.ofd'],
    ['a WPS document', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), 'notice.wps'],
  ])('keeps %s as a file under its name', async (_what, content, name) => {
    const { code, data } = await site.upload(content, { name, token: me.token })
    expect({ code, name: data?.['name'] }).toEqual({ code: 200, name })
  })

  it.each([
    ['UTF-8', Buffer.from('姓名,电话\n王,138\n')],
    ['what spreadsheets in China save', Buffer.from([0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0x31, 0x0a])],
  ])('takes text in %s', async (_encoding, content) => {
    const { data } = await site.upload(content, { name: 'list.csv', token: me.token })
    expect(data).toMatchObject({ type: 'text/plain', name: 'list.csv' })
  })
})

describe('a rejection names the field and leaves nothing', () => {
  const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(40)])
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  it.each([
    ['of 0 bytes', Buffer.alloc(0), 'a.txt', '文件不能为空'],
    ['a program', exe, 'a.txt', '文件的类型不支持'],
    ['a program called a picture', exe, 'a.png', '文件的内容不是图片'],
    ['SVG', Buffer.from(svg), 'a.svg', '文件的类型不支持'],
    ['SVG called a picture', Buffer.from(svg), 'a.png', '文件的内容不是图片'],
    ['a page', Buffer.from('<html><script>1</script></html>'), 'a.html', '文件的类型不支持'],
    ['a PDF called text', pdf, 'a.txt', '文件的类型不支持'],
    ['a broken HEIC', heic, 'IMG_0001.heic', '文件格式不正确'],
    ['half a BMP', makeBmp(24, [[[9, 9, 9]]]).subarray(0, 55), 'a.bmp', '文件格式不正确'],
    ['bytes called text', Buffer.from([1, 2, 3, 0, 255]), 'a.txt', '文件的类型不支持'],
  ])('%s', async (_what, content, name, message) => {
    await unchanged(async () => {
      const answer = await site.upload(content, { name, token: me.token })
      expect(answer.code).toBe(400)
      expect(errorFields(answer)).toEqual(['file'])
      expect(answer.msg).toContain(message)
    })
  })

  it('rejects half a picture', async () => {
    const half = (await makePicture(300, 300, 'jpeg')).subarray(0, 700)
    await unchanged(async () => {
      expect((await site.upload(half, { name: 'a.jpg', token: me.token })).msg).toBe('文件格式不正确')
    })
  })

  it('rejects a missing file, another part, an unknown field and JSON', async () => {
    await unchanged(async () => {
      const empty = new FormData()
      empty.append('note', 'x')
      expect(errorFields(await site.post(empty, { token: me.token }))).toEqual(['file'])
      for (const part of ['other', 'constructor'])
        expect(errorFields(await site.upload('x', { part, token: me.token }))).toEqual([part])
      const inherited = new FormData()
      inherited.append('toString', 'x')
      expect(errorFields(await site.post(inherited, { token: me.token }))).toEqual(['toString'])
      const two = new FormData()
      for (const name of ['a.txt', 'b.txt']) two.append('file', new Blob(['x']), name)
      const answer = await site.post(two, { token: me.token })
      expect(answer.msg).toBe('文件不能超过 1 个')
      expect(errorFields(await site.call('POST', '/infra/file/upload', { file: 'x' }, me.token))).toEqual(['file'])
    })
  })

  it('rejects one byte more than the limit, with and without a declared size', async () => {
    const limit = 5 * 1024 * 1024
    await unchanged(async () => {
      const path = '/profile/update-avatar'
      const over = Buffer.alloc(limit + 1, 1)
      const answer = await site.upload(over, { path, part: 'avatarFile', name: 'a.png', token: me.token })
      expect(answer.msg).toBe('头像不能大于 5 MB')
      expect(errorFields(answer)).toEqual(['avatarFile'])
      const result = await site.upload(Buffer.alloc(limit * 2, 1), { path, part: 'avatarFile', token: me.token })
      expect(errorFields(result)).toEqual(['avatarFile'])
    })
  })

  it('rejects a picture of too many pixels in a few bytes', async () => {
    const chunk = (type: string, data: Buffer) => {
      const body = Buffer.concat([Buffer.from(type), data])
      const sum = Buffer.alloc(4)
      sum.writeUInt32BE(crc32(body))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(data.length)
      return Buffer.concat([length, body, sum])
    }
    const size = Buffer.alloc(13)
    size.writeUInt32BE(30_000, 0)
    size.writeUInt32BE(30_000, 4)
    size.set([1, 0, 0, 0, 0], 8)
    const bomb = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', size),
      chunk('IDAT', deflateSync(Buffer.alloc(3751 * 30_000))),
      chunk('IEND', Buffer.alloc(0)),
    ])
    expect(bomb.length).toBeLessThan(200_000)
    await unchanged(async () => {
      const answer = await site.upload(bomb, { name: 'small.png', token: me.token })
      expect(answer.msg).toBe('文件不能大于 40 MP')
    })
  })
})

describe('a picture', () => {
  it('is re-encoded without its location and hidden data', async () => {
    const taken = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .jpeg()
      .toBuffer()
    const sent = Buffer.concat([taken, Buffer.from('<script>hidden</script>')])
    const { data } = await site.upload(sent, { name: 'phone.jpg', token: me.token })
    const answer = await site.fetchLink(data.url)
    const got = Buffer.from(await answer.arrayBuffer())
    expect(got.includes('hidden') || got.includes('secret place')).toBe(false)
    expect(await sharp(got).metadata()).toMatchObject({ format: 'jpeg', width: 20, height: 10 })
    expect(answer.headers.get('content-disposition')).toMatch(/^inline;/)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  })

  it.each([
    ['gif', 'moving.gif', 'image/png', 'moving.png'],
    ['webp', 'a.webp', 'image/webp', 'a.webp'],
    ['png', 'wrong.jpg', 'image/png', 'wrong.png'],
  ] as const)('of %s called %s is %s', async (format, name, type, kept) => {
    const { data } = await site.upload(await makePicture(10, 10, format), { name, token: me.token })
    expect(data).toMatchObject({ type, name: kept })
  })

  it('is scaled down to the size of a screen', async () => {
    const { data } = await site.upload(await makePicture(5000, 1000, 'jpeg'), { name: 'wide.jpg', token: me.token })
    const answer = await site.fetchLink(data.url)
    expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width: 4096, height: 819 })
  })
})

describe('an aborted upload', () => {
  it('leaves neither a temporary file nor a row', async () => {
    await unchanged(async () => {
      const socket = connect(site.port, '127.0.0.1')
      const head = `POST /admin-api/infra/file/upload HTTP/1.1\r\nhost: t\r\nauthorization: Bearer ${me.token}\r\n`
      socket.write(`${head}content-length: 2000000\r\ncontent-type: multipart/form-data; boundary=b\r\n\r\n`)
      socket.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
      socket.write(Buffer.alloc(500_000, 97))
      await expect.poll(() => site.leftovers().length).toBe(1)
      socket.destroy()
      await expect.poll(() => site.leftovers()).toEqual([])
    })
  })
})

describe('uploads of one user', () => {
  it('are limited to sixty files a minute, and five hundred unused ones a day, over all calls', async () => {
    const [hasty, other] = [await site.clerk('infra:file:create'), await site.clerk()]
    const files = () => site.all.updateTable('file').where('ownerId', '=', hasty.userId)
    const upload = async (path: string, token = hasty.token) =>
      (await site.upload(pdf, { path, name: 'a.pdf', token })).code
    expect(await upload('/infra/file/upload')).toBe(200)
    const { id, ...row } = (await site.rows()).at(-1) ?? expect.unreachable()
    expect(id).toBeGreaterThan(0)
    const add = (n: number) =>
      site.all
        .insertInto('file')
        .values(Array.from({ length: n }, () => row))
        .execute()
    const refusedAll = async () => {
      for (const path of ['/infra/file/upload', '/api/v1/files', '/infra/file/create'])
        expect(await upload(path)).toBe(codes.fileTooMany.code)
      expect(await upload('/infra/file/upload', other.token)).toBe(200)
    }
    await add(58)
    expect(await upload('/api/v1/files')).toBe(200)
    await refusedAll()
    await files().set({ createdAt: sql<Date>`created_at - interval '1 minute'` }).execute()
    expect(await upload('/infra/file/upload')).toBe(200)
    await add(439)
    await files().set({ createdAt: sql<Date>`now() - interval '23 hours'` }).execute()
    await refusedAll()
    await files().set({ createdAt: sql<Date>`now() - interval '25 hours'` }).execute()
    expect(await upload('/infra/file/upload')).toBe(200)
  })
})

describe('an object store', () => {
  it('accepts no file that would exceed the quota of its owner', async () => {
    const { token, userId } = await site.clerk()
    const { data } = await site.upload(pdf, { name: 'a.pdf', token })
    const grow = (size: number) =>
      site.all.updateTable('file').set({ size }).where('id', '=', Number(data.id)).execute()
    await grow(1024 * 1024 * 1024 - pdf.length)
    expect((await site.upload(pdf, { name: 'b.pdf', token })).code).toBe(200)
    await unchanged(async () => {
      expect((await site.upload(pdf, { name: 'c.pdf', token })).code).toBe(codes.fileQuota.code)
    })
    await site.all.deleteFrom('file').where('ownerId', '=', userId).execute()
  })

  it('stores files like a folder, and reports when it is unavailable', async () => {
    site.inBucket()
    const { data } = await site.upload(pdf, { name: 'a.pdf', token: me.token })
    expect(Buffer.from(await (await site.fetchLink(data.url)).arrayBuffer()).equals(pdf)).toBe(true)
    const rows = (await site.rows()).length
    await site.bucket.stop()
    const away = await site.upload(pdf, { name: 'b.pdf', token: me.token })
    expect(away).toMatchObject({ status: 503, code: 503, msg: '文件存储暂不可用，请稍后重试' })
    const link = await site.fetchLink(data.url)
    expect([link.status, await link.json()]).toMatchObject([503, { msg: '文件存储暂不可用，请稍后重试' }])
    expect((await site.rows()).length).toBe(rows)
    expect(site.leftovers()).toEqual([])
    await site.bucket.start()
    expect((await site.upload(pdf, { name: 'b.pdf', token: me.token })).code).toBe(200)
    site.inFolder()
  })
})
