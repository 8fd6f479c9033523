import { readConfig, StartRefusal } from './config.ts'
import { startDemo } from './demo.ts'
import { openLog } from './log.ts'
import { type Running, startServer } from './server.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

const greet = ({ url, mqttPort, adminPassword }: Running) => {
  say(`\n  Tocsin 校警联  ${url}${mqttPort ? `   devices: mqtt port ${mqttPort}` : ''}`)
  if (adminPassword) say(`  First sign-in: admin / ${adminPassword}   (shown once; must be changed)`)
  say('')
}

/** Ctrl-C arrives twice under npm: the first stops everything in order, the others are ignored. */
const stopOnSignal = (stop: () => Promise<void>) => {
  let stopping = false
  const end = () => {
    if (stopping) return
    stopping = true
    void stop().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
}

const start = async () => {
  const config = readConfig(process.env, { demo: process.argv.includes('--demo') })
  const log = openLog(config.logLevel)
  // A bug of ours must not leave half a server: end, and be started again.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  const running = await startServer(config, log)
  const demo = config.demo ? await startDemo(running, say) : undefined
  stopOnSignal(async () => {
    await demo?.stop()
    await running.stop()
  })
  greet(running)
}

try {
  await start()
} catch (error) {
  if (!(error instanceof StartRefusal)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
