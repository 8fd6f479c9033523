import { StartupError } from '../src/config.ts'
import { startEmbeddedPostgres } from '../src/db/embedded/start.ts'

// A server of the database alone, for tests that kill it: prints one JSON line when it is up, ends on SIGTERM.
const [dataDir = '', checkout = '', given = 'given'] = process.argv.slice(2)
const say = (text: string) => process.stderr.write(`${text}\n`)

try {
  const embedded = await startEmbeddedPostgres({
    dataDir,
    dataDirGiven: given === 'given',
    checkout,
    log: { info: say, warn: say, error: say },
  })
  process.on('SIGTERM', () => void embedded.stop().then(() => process.exit(0)))
  process.stdout.write(`${JSON.stringify({ pid: embedded.pid(), app: embedded.app, dataDir: embedded.dataDir })}\n`)
  setInterval(() => {}, 60_000)
} catch (error) {
  say(error instanceof StartupError ? error.message : String(error))
  process.exit(1)
}
