import { existsSync } from 'node:fs'
import programs from '../../../tools/programs.json' with { type: 'json' }

/** The path of a program that tests need. Without it the test fails: it does not skip. */
export const program = (name: keyof typeof programs): string => {
  const { variable, paths } = programs[name]
  const found = [process.env[variable], ...paths].find((path) => path && existsSync(path))
  if (!found) throw new Error(`${name} was not found: install it, or set ${variable} to its path.`)
  return found
}
