import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from './port.ts'

const checkout = join(import.meta.dirname, '../..')

export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type NodeOptions = {
  /** Absolute path of the node's own data directory. */
  dataDir: string
  /** DATABASE_URL, TOCSIN_MASTER_KEY, TOCSIN_FAULT_AT …; nothing of the caller's environment reaches the server. */
  settings?: Record<string, string>
}

/** A server like in production: a process of its own that restarts on the same ports. */
export type ServerNode = {
  /** `http://127.0.0.1:port` */
  http: string
  /** `mqtt://127.0.0.1:port` */
  mqtt: string
  /** Resolves when it serves; rejects with its last output when it ends before. `settings` apply to this start only. */
  start: (settings?: Record<string, string>) => Promise<void>
  pid: () => number
  running: () => boolean
  /** The exit of the process; pending when it was never started. */
  ended: () => Promise<Ending>
  send: (signal: NodeJS.Signals) => void
  kill: () => Promise<Ending>
  /** Sends SIGTERM and waits. */
  stop: () => Promise<Ending>
  /** The output of all its processes. */
  output: () => string
  /** The uncaught errors in its output (trust Z10). */
  uncaught: () => string[]
}

type State = { child: ChildProcess | undefined; ended: Promise<Ending>; said: string }

const environment = ({ dataDir, settings }: NodeOptions, ports: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  NODE_ENV: 'test',
  TOCSIN_DATA: dataDir,
  TOCSIN_LOG_LEVEL: 'warn',
  TOCSIN_ADMIN_PASSWORD: 'not-used-by-fault-tests',
  ...ports,
  ...settings,
})

/** The last line of the start: all listeners are open by then. */
const greeting = 'devices: mqtt port'

/** A failing caller leaves no server behind: on SIGTERM it ends its PostgreSQL as well. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM')
})

/** As `tools/start.mjs` starts the server. */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=16']

const launch = (state: State, env: NodeJS.ProcessEnv, extra: string[]): Promise<void> => {
  const child = spawn(process.execPath, [...nodeFlags, ...extra, join(checkout, 'apps/server/src/main.ts')], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  state.child = child
  children.add(child)
  let words = ''
  state.ended = new Promise((done) => child.once('close', (code, signal) => done({ code, signal })))
  void state.ended.then(() => children.delete(child))
  return new Promise((up, failed) => {
    const hear = (bytes: Buffer) => {
      state.said += String(bytes)
      words = (words + String(bytes)).slice(-4000)
      if (words.includes(greeting)) up()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('error', failed)
    void state.ended.then(({ code, signal }) =>
      failed(new Error(`the server ended with ${code ?? signal} before it served: ${words.trim()}`)),
    )
  })
}

export const createNode = async (options: NodeOptions & { nodeFlags?: string[] }): Promise<ServerNode> => {
  const [web, mqtt] = [await freePort(), await freePort()]
  const ports = {
    TOCSIN_HTTP: `127.0.0.1:${web}`,
    TOCSIN_MQTT: `127.0.0.1:${mqtt}`,
    TOCSIN_OPS: '127.0.0.1:0',
  }
  const state: State = { child: undefined, ended: new Promise(() => {}), said: '' }
  const running = () => !!state.child && state.child.exitCode === null && state.child.signalCode === null
  const end = (signal: NodeJS.Signals): Promise<Ending> => {
    state.child?.kill(signal)
    return state.ended
  }
  return {
    http: `http://127.0.0.1:${web}`,
    mqtt: `mqtt://127.0.0.1:${mqtt}`,
    start: (settings = {}) => launch(state, { ...environment(options, ports), ...settings }, options.nodeFlags ?? []),
    pid: () => {
      const pid = state.child?.pid
      if (pid === undefined) throw new Error('this server was never started')
      return pid
    },
    running,
    ended: () => state.ended,
    send: (signal) => void state.child?.kill(signal),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    output: () => state.said,
    uncaught: () => state.said.split('\n').filter((line) => /uncaughtException|unhandledRejection/.test(line)),
  }
}
