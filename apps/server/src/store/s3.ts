import { S3mini } from 's3mini'
import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type StoredObject, mapStoreErrors, type Store } from '#store/store'

/** Longer than the largest file takes on a slow connection. */
const TIMEOUT_MS = 60_000
const BATCH = 500
const PREFIX = 'files/'

const clientOf = (address: string): S3mini => {
  const url = new URL(address)
  const [accessKeyId, secretAccessKey] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  const region = url.searchParams.get('region') ?? 'auto'
  const endpoint = `${url.origin}${url.pathname.replace(/\/$/, '')}`
  return new S3mini({ accessKeyId, secretAccessKey, endpoint, region, requestAbortTimeout: TIMEOUT_MS })
}

/** Reads a response body; the types of fetch and of streams describe the same thing differently. */
const bodyOf = (response: Response): Readable => Readable.fromWeb(response.body as ReadableStream)

/**
 * Stores content as objects of a bucket: `https://key:secret@host/bucket`, with `?region=` where the storage has
 * regions.
 */
export const s3Store = (address: string): Store => {
  const client = clientOf(address)
  const keyOf = (id: number) => `${PREFIX}${id}`
  return {
    put: (id, path) =>
      mapStoreErrors(async () => {
        // One PUT is atomic. The blob is read from the disk while it is sent.
        const blob = await openAsBlob(path)
        await client.putObject(keyOf(id), blob, 'application/octet-stream', undefined, undefined, blob.size)
      }),
    get: (id) =>
      mapStoreErrors(async () => {
        const response = await client.getObjectResponse(keyOf(id))
        return response ? bodyOf(response) : undefined
      }),
    has: (id) => mapStoreErrors(async () => (await client.objectExists(keyOf(id))) === true),
    remove: (id) => mapStoreErrors(async () => void (await client.deleteObject(keyOf(id)))),
    list: async function* () {
      let next: string | undefined
      do {
        const found = await mapStoreErrors(() => client.listObjectsPaged('/', PREFIX, BATCH, next))
        const kept = (found?.objects ?? []).flatMap(({ Key, LastModified }): StoredObject[] => {
          const id = Number(Key.slice(PREFIX.length))
          return Number.isSafeInteger(id) && id > 0 ? [{ id, at: new Date(LastModified) }] : []
        })
        if (kept.length > 0) yield kept
        next = found?.nextContinuationToken
      } while (next)
    },
  }
}
