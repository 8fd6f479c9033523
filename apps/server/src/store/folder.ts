import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type StoredObject, mapStoreErrors, type Store } from '#store/store'

const FOLDERS = 256

const missing = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'ENOENT'

const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const keptIn = async (folder: string): Promise<StoredObject[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if (missing(error)) return []
    throw error
  })
  const found = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (name) => ({ id: Number(name), at: (await stat(join(folder, name))).mtime }))
  return Promise.all(found)
}

/** Stores content as files below `root`, in subfolders by id. */
export const folderStore = (root: string): Store => {
  const folderOf = (id: number) => join(root, (id % FOLDERS).toString(16).padStart(2, '0'))
  const pathOf = (id: number) => join(folderOf(id), String(id))
  return {
    put: (id, path) =>
      mapStoreErrors(async () => {
        const folder = folderOf(id)
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const part = join(folder, `${id}.part`)
        try {
          await copyFile(path, part, constants.COPYFILE_FICLONE)
          await flush(part)
          await rename(part, pathOf(id))
        } finally {
          await rm(part, { force: true })
        }
        // The name is durable only after the folder was synced.
        await flush(folder)
        await flush(root)
      }),
    get: (id) =>
      mapStoreErrors(async () => {
        try {
          return (await open(pathOf(id), 'r')).createReadStream()
        } catch (error) {
          if (missing(error)) return undefined
          throw error
        }
      }),
    has: (id) =>
      mapStoreErrors(async () => {
        try {
          return (await stat(pathOf(id))).isFile()
        } catch (error) {
          if (missing(error)) return false
          throw error
        }
      }),
    remove: (id) => mapStoreErrors(() => rm(pathOf(id), { force: true })),
    list: async function* () {
      for (let at = 0; at < FOLDERS; at += 1) {
        const kept = await mapStoreErrors(() => keptIn(folderOf(at)))
        if (kept.length > 0) yield kept
      }
    },
  }
}
