import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The folder in which files arrive, emptied of what a killed process left. */
export const uploadFolder = (dataDir: string): string => {
  const folder = join(dataDir, 'uploads')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
