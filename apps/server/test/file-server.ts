import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { fileRoutes } from '../src/areas/files/routes.ts'
import { configureFileStore } from '../src/areas/files/file-store.ts'
import { profileRoutes } from '../src/areas/access/people/profile/routes.ts'
import { userRoutes } from '../src/areas/access/people/routes.ts'
import { folderStore } from '../src/store/folder.ts'
import { s3Store } from '../src/store/s3.ts'
import type { Store } from '../src/store/store.ts'
import { startAdminServer } from './admin-server.ts'
import { openBucket } from './bucket.ts'
import type { ApiResponse } from './console.ts'
import { testPrefix } from './kill-leftovers.ts'

const linkKey = randomBytes(32)

/** A plain picture of one colour. */
export const makePicture = (
  width = 64,
  height = 48,
  format: 'png' | 'jpeg' | 'gif' | 'webp' = 'png',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } })
    .toFormat(format)
    .toBuffer()

type Sent = { name?: string; type?: string; part?: string; path?: string; token?: string; method?: 'POST' | 'PUT' }

/** The administration with files, over real HTTP: in a folder, and optionally in a bucket. */
export const startFileServer = async () => {
  const root = mkdtempSync(join(tmpdir(), `${testPrefix}files-`))
  // Uploads arrive in a temporary folder of the test, which shows what they leave there.
  const arriving = join(root, 'arriving')
  mkdirSync(arriving)
  const earlier = process.env['TMPDIR']
  process.env['TMPDIR'] = arriving
  const admin = await startAdminServer((db) =>
    [fileRoutes, profileRoutes, userRoutes].flatMap((routes) => routes({ db })),
  )
  const bucket = await openBucket()
  let store: Store
  const use = (next: Store) => {
    store = next
    configureFileStore({ store, linkKey, sheets: arriving })
  }
  const inFolder = () => use(folderStore(join(root, 'files')))
  inFolder()
  await admin.site.app.listen({ host: '127.0.0.1', port: 0 })
  // Listening on a port always has an address.
  const { port } = admin.site.app.server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}/admin-api`

  const post = async (
    form: FormData,
    { path = '/infra/file/upload', token = admin.adminToken, method = 'POST' }: Sent,
  ) => {
    const headers = token ? { authorization: `Bearer ${token}` } : undefined
    const response = await fetch(base + path, { method, body: form, ...(headers && { headers }) })
    const answer = (await response.json()) as Omit<ApiResponse, 'status' | 'cookie'>
    return { ...answer, status: response.status, cookie: undefined }
  }
  const upload = (content: Uint8Array | string, sent: Sent = {}) => {
    const { name = 'note.txt', type = 'application/octet-stream', part = 'file' } = sent
    const form = new FormData()
    form.append(part, new Blob([content as BlobPart], { type }), name)
    return post(form, sent)
  }
  return {
    ...admin,
    port,
    base,
    bucket,
    inFolder,
    inBucket: () => use(s3Store(bucket.url)),
    store: () => store,
    post,
    upload,
    /** Downloads the file of a link like a browser. */
    fetchLink: (link: unknown, token?: string) =>
      fetch(new URL(String(link), base), token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    rows: () => admin.all.selectFrom('file').selectAll().orderBy('id').execute(),
    /** All content of the store. */
    contents: async () => {
      const found: number[] = []
      for await (const batch of store.list()) found.push(...batch.map(({ id }) => id))
      return found.sort((a, b) => a - b)
    },
    /** Files that uploads left on the disk. */
    leftovers: () => readdirSync(arriving).filter((name) => name.startsWith('upload-')),
    close: async () => {
      await admin.end()
      await bucket.remove()
      if (earlier === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = earlier
      rmSync(root, { recursive: true, force: true })
    },
  }
}
export type FileServer = Awaited<ReturnType<typeof startFileServer>>
