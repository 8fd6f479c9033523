import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repoRoot } from '../apps/server/src/config.ts'

type Entry = { optionalDependencies?: Record<string, string> }

// npm omits packages of other platforms from the lock file when the registry in use does not carry them; then `npm ci`
// rejects that lock file everywhere. Add the missing part by hand: version, os, cpu, libc, optional.
it('names every optional package in the lock file, so that npm ci accepts it on a fresh machine', () => {
  // Format of package-lock.json, version 3.
  const { packages } = JSON.parse(readFileSync(join(repoRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>
  }
  const named = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
  expect(wanted.length).toBeGreaterThan(0)
  expect(wanted.filter((name) => !named.has(name))).toEqual([])
})
