import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { insertFile } from '../src/areas/files/store-file.ts'
import { initFileStore } from '../src/areas/files/init-file-store.ts'
import type { Db } from '../src/db/db.ts'
import { testPrefix } from './kill-leftovers.ts'

export type TestFiles = {
  /** The row of a picture, or of a text, without content. @returns its id. */
  made: (db: Db, owner: number, image: boolean) => Promise<number>
  close: () => void
}

/** A file store whose files are rows only. */
export const openFiles = (): TestFiles => {
  const folder = mkdtempSync(join(tmpdir(), testPrefix))
  initFileStore({ s3Url: undefined, dataDir: folder, masterKey: Buffer.alloc(32, 7) })
  let drawn = 1000
  return {
    made: async (db, owner, image) => {
      drawn += 1
      const description = image ? { name: 'a.png', type: 'image/png' } : { name: 'a.txt', type: 'text/plain' }
      const stored = { id: drawn, sha256: Buffer.alloc(32) }
      return (await insertFile(db, stored, { ...description, size: 9, owner, purpose: 'DRAFT', image })).id
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
