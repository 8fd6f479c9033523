import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repoRoot } from '../../apps/server/src/config.ts'

/**
 * Builds the web app when its sources changed since the last build; in a process of its own, because the build ends its
 * process.
 */
export const buildWhenStale = (): void => {
  const build = `import(${JSON.stringify(join(repoRoot, 'tools/build-web.mjs'))}).then((made) => made.buildWeb())`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', build], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the web app could not be built:\n${stdout}${stderr}`)
}

/** Runs once before all browser tests, so that no two of them build. */
export const setup = buildWhenStale
