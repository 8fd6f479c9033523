import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

const code = /\.(ts|tsx|mjs|css|sql)$/

/** Every tracked or new source file, relative to the root, except ignored ones. */
export const sourceFiles: string[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => code.test(file))
  .filter((file) => {
    try {
      return readFileSync(join(root, file)).length >= 0
    } catch {
      return false
    }
  })

export const read = (file: string): string => readFileSync(join(root, file), 'utf8')
export const isTest = (file: string): boolean => /\.(test|e2e)\.tsx?$/.test(file) || /(^|\/)(test|e2e)\//.test(file)
