import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repoRoot } from '../src/config.ts'

/** Compiles the server's modules once for all processes that tests start: killed processes leave no cache behind. */
export const setup = () => {
  const read = `await import(${JSON.stringify(join(repoRoot, 'apps/server/src/server.ts'))}); process.exit()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', read], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the server's modules could not be read:\n${stderr}`)
}
