import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { testPrefix } from './kill-leftovers.ts'

/** An object storage on loopback with one bucket. */
export const openBucket = async () => {
  const directory = mkdtempSync(join(tmpdir(), `${testPrefix}s3-`))
  const configureBuckets = [{ name: 'tocsin', configs: [] }]
  const options = { address: '127.0.0.1', silent: true, directory, configureBuckets }
  let server: S3rver | undefined = new S3rver({ ...options, port: 0 })
  const { port } = await server.run()
  const stop = async () => {
    await server?.close()
    server = undefined
  }
  return {
    /** The value of S3_URL, with the keys that s3rver knows. */
    url: `http://S3RVER:S3RVER@127.0.0.1:${port}/tocsin`,
    stop,
    start: async () => {
      server = new S3rver({ ...options, port })
      await server.run()
    },
    remove: async () => {
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
export type Bucket = Awaited<ReturnType<typeof openBucket>>
