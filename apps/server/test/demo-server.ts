import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configurations } from '../src/areas/settings/routes.ts'
import { docsRoutes } from '../src/areas/demo/docs.ts'
import { demoRoutes } from '../src/areas/demo/routes.ts'
import { insertFile } from '../src/areas/files/store-file.ts'
import { initFileStore } from '../src/areas/files/init-file-store.ts'
import { invalidateSettings } from '../src/settings/settings-cache.ts'
import { startAdminServer } from './admin-server.ts'
import { testPrefix } from './kill-leftovers.ts'

/** Server with the administration and the calls of the demo pages. */
export const startDemoServer = async () => {
  const folder = mkdtempSync(join(tmpdir(), testPrefix))
  initFileStore({ s3Url: undefined, dataDir: folder, masterKey: Buffer.alloc(32, 7) })
  const admin = await startAdminServer((db) => {
    const demos = demoRoutes({ db })
    const mounted = demos.map(({ endpoint }) => endpoint)
    return [
      ...configurations.routes({ db, keys: { setting: new Uint8Array(32) } }),
      ...demos,
      ...docsRoutes({ db, version: '9.9.9' }, mounted),
    ]
  })
  await admin.site.app.listen({ host: '127.0.0.1', port: 0 })
  // Listening on a port always has an address.
  const { port } = admin.site.app.server.address() as AddressInfo
  const turn = async (value: 'true' | 'false') => {
    const { id } = await admin.site.db
      .selectFrom('config')
      .select('id')
      .where('key', '=', 'site.demo')
      .executeTakeFirstOrThrow()
    return admin.call('PUT', '/infra/config/update', { id, value })
  }
  await turn('true')
  let drawn = 1000
  return {
    ...admin,
    turn,
    base: `http://127.0.0.1:${port}/admin-api`,
    /** A row of a file without its content. */
    keepPicture: async (owner: number, image = true) => {
      drawn += 1
      const given = { name: 'a.png', type: 'image/png', size: 9, owner, purpose: 'DRAFT' as const, image }
      return (await insertFile(admin.site.db, { id: drawn, sha256: Buffer.alloc(32) }, given)).id
    },
    used: (subject: string) =>
      admin.site.db.selectFrom('fileUse').select(['subjectId', 'fileId']).where('subject', '=', subject).execute(),
    close: async () => {
      await admin.end()
      invalidateSettings()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type DemoServer = Awaited<ReturnType<typeof startDemoServer>>
