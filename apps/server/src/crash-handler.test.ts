import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { EXIT_BUG } from './crash-handler.ts'

const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)

/** A program that throws an uncaught error. */
const run = (stop: string) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { installCrashHandler } from ${module('./crash-handler.ts')}
       import { openLog } from ${module('./log.ts')}
       const log = openLog('fatal')
       installCrashHandler(log, () => ${stop})
       setTimeout(() => { throw new Error('first') })
       setTimeout(() => Promise.reject(new Error('second')), 20)
       setInterval(() => undefined, 1000)`,
    ],
    { encoding: 'utf8' },
  )

it('shuts down in order after a bug, whatever else fails meanwhile', () => {
  const { status, stdout } = run(
    `() => new Promise((done) => setTimeout(() => { console.log('in order'); done() }, 200))`,
  )
  expect(status).toBe(EXIT_BUG)
  for (const said of ['first', 'second', 'in order']) expect(stdout).toContain(said)
})

it('asks for no restart if the server never ran', () => {
  const { status, stdout } = run('undefined')
  expect(status).toBe(1)
  expect(stdout).toContain('first')
})

it.each(['() => new Promise(() => undefined)', `() => Promise.reject(new Error('third'))`])(
  'ends also where ending hangs or fails: %s',
  (stop) => expect(run(stop).status).toBe(EXIT_BUG),
)
