import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from './port.ts'

const checkout = join(import.meta.dirname, '../..')

export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type NodeOptions = {
  /** Absolute; the node's own. */
  dataDir: string
  /** DATABASE_URL, TOCSIN_MASTER_KEY, TOCSIN_FAULT_AT …; nothing of the caller's environment reaches the server. */
  settings?: Record<string, string>
}

/** One server as operators run it: a process of its own, started again at the same ports. */
export type ServerNode = {
  /** `http://127.0.0.1:port` */
  http: string
  /** `mqtt://127.0.0.1:port` */
  mqtt: string
  /** Resolves when it serves; rejects with its last words when it ends before. `settings` count for this start only. */
  start: (settings?: Record<string, string>) => Promise<void>
  pid: () => number
  running: () => boolean
  /** How the process ended; of one never started it stays pending. */
  ended: () => Promise<Ending>
  send: (signal: NodeJS.Signals) => void
  kill: () => Promise<Ending>
  /** SIGTERM and wait. */
  stop: () => Promise<Ending>
  /** Everything all its processes printed. */
  output: () => string
  /** What it printed of errors that nobody caught (trust Z10). */
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

/** The last line of the greeting: everything listens by then. */
const greeting = 'devices: mqtt port'

/** A caller that fails leaves no server behind: told to stop, it ends its PostgreSQL as well. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM')
})

const launch = (state: State, env: NodeJS.ProcessEnv, extra: string[]): Promise<void> => {
  const child = spawn(process.execPath, [...extra, join(checkout, 'apps/server/src/main.ts')], {
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
