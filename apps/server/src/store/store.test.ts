import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bucket, openBucket } from '../../test/bucket.ts'
import { testPrefix } from '../../test/kill-leftovers.ts'
import { folderStore } from './folder.ts'
import { s3Store } from './s3.ts'
import { type Store, StoreUnavailableError } from './store.ts'

let folder: string
let bucket: Bucket
let source: string
const content = randomBytes(300_000)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), `${testPrefix}store-`))
  bucket = await openBucket()
  source = join(folder, 'source')
  writeFileSync(source, content)
})
afterAll(async () => {
  await bucket.remove()
  rmSync(folder, { recursive: true, force: true })
})

const everything = async (store: Store) => {
  const found = []
  for await (const batch of store.list()) found.push(...batch)
  return found
}

const drivers: [string, () => Store][] = [
  ['a folder', () => folderStore(join(folder, 'files'))],
  ['a bucket', () => s3Store(bucket.url)],
]

describe.each(drivers)('%s', (_name, open) => {
  it('returns stored content byte for byte and leaves the source alone', async () => {
    const store = open()
    await store.put(7, source)
    const stream = await store.get(7)
    expect(stream && (await buffer(stream)).equals(content)).toBe(true)
    expect(await store.has(7)).toBe(true)
    expect(existsSync(source)).toBe(true)
  })

  it('has nothing under an unknown id, and deletes it without an error', async () => {
    const store = open()
    expect(await store.get(4_000_000_000)).toBeUndefined()
    expect(await store.has(4_000_000_000)).toBe(false)
    await expect(store.remove(4_000_000_000)).resolves.toBeUndefined()
  })

  it('no longer has deleted content', async () => {
    const store = open()
    await store.put(8, source)
    await store.remove(8)
    expect(await store.has(8)).toBe(false)
    expect(await store.get(8)).toBeUndefined()
  })

  it('lists every file with its time', async () => {
    const store = open()
    for (const id of [256, 512, 1025]) await store.put(id, source)
    const found = await everything(store)
    expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual([7, 256, 512, 1025])
    for (const { at } of found) expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(60_000)
  })

  it('stores nothing of an unreadable source', async () => {
    const store = open()
    await expect(store.put(9, join(folder, 'missing'))).rejects.toThrow(StoreUnavailableError)
    expect(await store.has(9)).toBe(false)
  })
})

describe('a folder', () => {
  it('leaves no part of a file that could not be written completely', async () => {
    const root = join(folder, 'crowded')
    const store = folderStore(root)
    await store.put(1, source)
    // A folder is at the path of the file.
    rmSync(join(root, '01', '1'))
    mkdirSync(join(root, '01', '1', 'in-the-way'), { recursive: true })
    await expect(store.put(1, source)).rejects.toThrow(StoreUnavailableError)
    expect(readdirSync(join(root, '01'))).toEqual(['1'])
    expect(await store.has(1)).toBe(false)
  })
})

describe('an unreachable bucket', () => {
  it('makes every call report it, and works again when it is back', async () => {
    const store = s3Store(bucket.url)
    await bucket.stop()
    await expect(store.put(20, source)).rejects.toThrow(StoreUnavailableError)
    await expect(store.get(7)).rejects.toThrow(StoreUnavailableError)
    await expect(store.has(7)).rejects.toThrow(StoreUnavailableError)
    await expect(store.remove(7)).rejects.toThrow(StoreUnavailableError)
    await expect(everything(store)).rejects.toThrow(StoreUnavailableError)
    await bucket.start()
    expect(await store.has(20)).toBe(false)
    expect(await store.has(7)).toBe(true)
  })

  it('is also a bucket that does not exist', async () => {
    const store = s3Store(bucket.url.replace('/tocsin', '/nowhere'))
    await expect(store.put(21, source)).rejects.toThrow(StoreUnavailableError)
    expect(await s3Store(bucket.url).has(21)).toBe(false)
  })
})
