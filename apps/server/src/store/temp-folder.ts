import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A folder for files that live for one call or job. Files of a killed process are removed at the start. It is inside
 * the data folder, because temporary files are as private as stored ones.
 */
export const tempFolder = (dataDir: string, name: 'uploads' | 'sheets'): string => {
  const folder = join(dataDir, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
