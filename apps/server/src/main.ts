import type { Logger } from 'pino'
import { type Config, readConfig, StartupError } from './config.ts'
import { parseLoadSize, startDemo } from '../seed/start-demo.ts'
import { installCrashHandler } from './crash-handler.ts'
import { openLog } from './log.ts'
import { type RunningServer, startServer } from './server.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

const greet = ({ url, mqttPort, dataDir }: RunningServer) => {
  say(`\n  Tocsin 校警联  ${url}${mqttPort ? `   devices: mqtt port ${mqttPort}` : ''}`)
  say(`  Data: ${dataDir}`)
}

/**
 * Under npm Ctrl-C arrives twice: the first stops everything in order, the others are ignored. One that arrives during
 * the start takes effect after it, when it is known what to stop.
 */
const stopOnSignal = (started: Promise<{ stop: () => Promise<void> }>) => {
  const ending = new AbortController()
  const end = () => {
    if (ending.signal.aborted) return
    ending.abort()
    // A failed start ends by itself.
    void started.then(
      ({ stop }) => stop().then(() => process.exit(0)),
      () => undefined,
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  return ending.signal
}

const startAll = async (config: Config, log: Logger, onAdmin: (password: string) => void) => {
  const crowd = parseLoadSize(process.argv, config.demo)
  const running = await startServer(config, log, onAdmin)
  try {
    const demo = config.demo ? await startDemo(running, say, crowd) : undefined
    const stop = async () => {
      await demo?.stop()
      await running.stop()
    }
    return { running, stop }
  } catch (error) {
    await running.stop()
    throw error
  }
}

type Listening = { code?: unknown; syscall?: unknown; address?: unknown; port?: unknown }

/** Reasons outside of the program why a start fails. */
const refusalOf = (error: unknown): string | undefined => {
  if (error instanceof StartupError) return error.message
  const { code, syscall, address, port } = Object(error) as Listening
  if (syscall !== 'listen') return undefined
  const at = `${String(address)}:${String(port)}`
  if (code === 'EADDRINUSE') return `${at} is taken by another process. End it, or set another address.`
  return code === 'EACCES' ? `${at} may not be listened on by this account. Set another address.` : undefined
}

const start = async () => {
  const config = readConfig(process.env, { demo: process.argv.includes('--demo') })
  const log = openLog(config.logLevel)
  const admin: { password?: string } = {}
  const started = startAll(config, log, (password) => {
    admin.password = password
  })
  const up: { stop?: () => Promise<void> } = {}
  installCrashHandler(log, () => up.stop)
  const ending = stopOnSignal(started)
  try {
    const { running, ...all } = await started
    up.stop = all.stop
    if (!ending.aborted) greet(running)
  } finally {
    // Also after a failed or interrupted start: the administrator is in the database, and nobody else will ever learn
    // the password.
    if (admin.password) say(`  First sign-in: admin / ${admin.password}   (shown once; must be changed)\n`)
  }
}

try {
  await start()
} catch (error) {
  const refusal = refusalOf(error)
  if (refusal === undefined) throw error
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 1
}
