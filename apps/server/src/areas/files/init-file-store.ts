import { join } from 'node:path'
import { deriveKey } from '#db/master-key'
import { folderStore } from '#store/folder'
import { s3Store } from '#store/s3'
import { configureFileStore } from './file-store.ts'

type Given = {
  /** Undefined: a folder below `dataDir`. */
  s3Url: string | undefined
  dataDir: string
  masterKey: Buffer
}

/** Configures the file store of this process; all servers of one database sign links alike. */
export const initFileStore = ({ s3Url, dataDir, masterKey }: Given): void =>
  configureFileStore({
    store: s3Url ? s3Store(s3Url) : folderStore(join(dataDir, 'files')),
    linkKey: deriveKey(masterKey, 'file-link'),
    sheets: join(dataDir, 'sheets'),
  })
