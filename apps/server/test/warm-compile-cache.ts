import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repoRoot } from '../src/config.ts'

/**
 * Compiles the server's modules once for all processes that tests start: killed processes leave no cache behind. This one
 * writes the cache and kills itself, because an exit can wait forever for the threads of the compiler (nodejs/node#54918).
 */
export const setup = () => {
  const read = `
    import { flushCompileCache } from 'node:module'
    await import(${JSON.stringify(join(repoRoot, 'apps/server/src/server.ts'))})
    flushCompileCache()
    process.kill(process.pid, 'SIGKILL')`
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', read], { encoding: 'utf8' })
  if (signal !== 'SIGKILL') throw new Error(`the server's modules could not be read:\n${stderr}`)
}
