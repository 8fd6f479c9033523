// Builtins of Node 20 only, like install.mjs.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot, environment, node, exitWithMessage } from './install.mjs'

const sources = ['apps/web', 'packages/contract', 'package-lock.json']
const stamp = join(repoRoot, 'apps/web/dist/.sources')
const generated = new Set(['dist', 'node_modules'])

const filesOf = (path) => {
  const entries = readdirSync(join(repoRoot, path), { withFileTypes: true }).filter(({ name }) => !generated.has(name))
  return entries.flatMap((entry) => {
    const inside = `${path}/${entry.name}`
    return entry.isDirectory() ? filesOf(inside) : [inside]
  })
}

// Compares content, because git changes file times when it switches branches.
const fingerprint = () => {
  const hash = createHash('sha256')
  const files = sources.flatMap((path) => (path.endsWith('.json') ? [path] : filesOf(path))).sort()
  for (const file of files) {
    const content = readFileSync(join(repoRoot, file))
    hash.update(`${file}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Builds the web app unless dist was built from exactly these sources. */
export const buildWeb = () => {
  if (!existsSync(join(repoRoot, 'apps/web/vite.config.ts'))) {
    console.log('The web app has no vite.config.ts: not built.')
    return
  }
  const now = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  console.log('Building the web app …')
  const vite = join(repoRoot, 'node_modules/vite/bin/vite.js')
  // Set also under a test runner, because libraries behave differently with NODE_ENV=test.
  const env = { ...environment, NODE_ENV: 'production' }
  const built = spawnSync(node, [vite, 'build', 'apps/web'], { cwd: repoRoot, env, stdio: 'inherit' })
  if (built.status !== 0) exitWithMessage('The web app could not be built; the messages are above.')
  // Written last, so that an interrupted build is not reused.
  writeFileSync(stamp, now)
}
