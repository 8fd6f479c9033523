// npm start and npm run demo. Builtins of Node 20 only; the server itself runs on the Node that npm installed.
import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build-web.mjs'
import { repoRoot, environment, install, node } from './install.mjs'

const flags = process.argv.slice(2)
const parent = process.ppid

/** Under root: the user, group and data directory of the server, found by resolve-run-user.ts; otherwise nothing. */
const place = () => {
  if (process.getuid?.() !== 0) return {}
  const script = join(repoRoot, 'apps/server/src/resolve-run-user.ts')
  const found = spawnSync(node, [script, ...flags], {
    cwd: repoRoot,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (found.status !== 0) process.exit(found.status ?? 1)
  return JSON.parse(found.stdout)
}

install()
buildWeb()

const { uid, gid, dataDir } = place()
/** Where Node stores compiled code for the next start: in a folder of the server's own user. */
const compiled = uid === undefined ? join(repoRoot, 'node_modules/.cache/node') : join(dataDir, 'compiled')
const serverEnvironment = {
  NODE_COMPILE_CACHE: compiled,
  ...environment,
  ...(dataDir && { TOCSIN_DATA: dataDir, HOME: dataDir }),
}
/** The exit code of a bug (apps/server/src/crash-handler.ts), and the signals of a crash. */
const bug = 70
const crashes = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP']
/**
 * Two halves of 16 MiB for new objects. By default V8 takes two of 64 MiB under load, a tenth of what the server may need
 * in an overload (decision 038).
 */
const nodeFlags = ['--max-semi-space-size=16']
let server
let isRequested = false
let pausing

/**
 * Starts the server, and restarts it after a bug or a crash: at once after a long run, with a growing delay after a
 * short one. A rejected first start is not retried. A rejected start after a crash is, because the database may be
 * unavailable too.
 */
const run = (pauseMs, again = false) => {
  const began = Date.now()
  server = spawn(node, [...nodeFlags, join(repoRoot, 'apps/server/src/main.ts'), ...flags], {
    cwd: repoRoot,
    stdio: 'inherit',
    env: serverEnvironment,
    ...(uid !== undefined && { uid, gid }),
  })
  server.on('error', (error) => {
    console.error(`The server could not be started: ${error.message}`)
    process.exit(1)
  })
  server.on('exit', (code, signal) => {
    const crashed = code === bug || crashes.includes(signal) || (again && code === 1)
    if (isRequested || !crashed) process.exit(code ?? 128 + constants.signals[signal])
    const waitMs = Date.now() - began > 60_000 ? 1_000 : pauseMs
    console.error(`The server ended by a fault (${signal ?? code}) and is started again in ${waitMs / 1_000} s.`)
    pausing = setTimeout(() => {
      pausing = undefined
      run(Math.min(waitMs * 2, 30_000), true)
    }, waitMs)
  })
}

const stop = (signal) => {
  if (pausing) process.exit(bug)
  isRequested = true
  server.kill(signal)
}
// Ctrl-C reaches the server twice, from the terminal and from here: it handles the first and ignores the second.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))

// A SIGTERM to npm ends npm and its shell without reaching their children, which must not outlive them.
if (environment.npm_lifecycle_event)
  setInterval(() => {
    if (process.ppid !== parent && !isRequested) stop('SIGTERM')
  }, 500)
run(1_000)
