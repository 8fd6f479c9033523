import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A folder for files that are there for one call or job, emptied of what a killed process left. In the data folder: what
 * passes through is as private as what stays.
 */
export const tempFolder = (dataDir: string, name: 'uploads' | 'sheets'): string => {
  const folder = join(dataDir, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
