import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig, StartupError } from './config.ts'
import { loopback, mqttTls } from './config-values.ts'
import { openDb, openPool } from './db/db.ts'
import { registerMasterKey, loadMasterKey } from './db/master-key.ts'
import { type BrokerListener, writeMosquittoConfig, type WrittenConfig } from './gateway/external/mosquitto-config.ts'
import { deriveBrokerSecret } from './gateway/gateway.ts'
import { SERVER_ACCOUNT } from './gateway/http/broker-auth.ts'

const usage = `npm run broker-config -- <folder> [host:port] [host:port of the servers' listener]

Writes mosquitto.conf, accounts and access rights for mosquitto 2 into the folder, from the devices in DATABASE_URL.
Start the server once before, so that the database has its tables.

  <folder>     is created if it is missing; files in it keep their owner and mode
  host:port    where devices connect, 127.0.0.1:1883 if omitted
  host:port    where servers connect; if omitted, the next port of the same host
  --help       prints this text

On any other address than a loopback one both speak TLS: 'host:port?cert=/path/to.crt&key=/path/to.key'.
Run it again when devices were added, retired or got a new secret. It prints what has changed, and whether mosquitto
needs SIGHUP or a restart.
`

const say = (text: string) => process.stdout.write(`${text}\n`)

const endpoint = (text: string): BrokerListener => {
  const { data: at, error } = mqttTls.safeParse(text)
  if (!at) throw new StartupError(`${text} is not what it should be: it ${error.issues[0]?.message}.`)
  const { host, port, cert, key } = at
  if (cert !== undefined && key !== undefined) return { host, port, tls: { cert: resolve(cert), key: resolve(key) } }
  if (loopback(at)) return { host, port }
  throw new StartupError(
    `${text} is not a loopback address, and secrets would cross the network in clear: name a certificate and its key, ${text}?cert=/path/to.crt&key=/path/to.key.`,
  )
}

const urlOf = ({ host, port, tls }: BrokerListener, password: string) =>
  `${tls ? 'mqtts' : 'mqtt'}://${SERVER_ACCOUNT}:${password}@${host.includes(':') ? `[${host}]` : host}:${port}`

const parseCommandLine = () => {
  try {
    return parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } })
  } catch (error) {
    throw new StartupError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}

const assertMigrated = async (pool: ReturnType<typeof openPool>) => {
  const { rows } = await pool.query<{ migrated: boolean }>(
    `select to_regclass('device') is not null and to_regclass('secret') is not null as migrated`,
  )
  if (rows[0]?.migrated) return
  throw new StartupError(
    'The database of DATABASE_URL has no tables yet. Start the server once with the same DATABASE_URL and without MQTT_URL (npm start), stop it, and run this again.',
  )
}

const printChanges = ({ deviceCount, added, removed, renewed, files }: WrittenConfig) => {
  const count = (n: number) => `${n} ${n === 1 ? 'device' : 'devices'}`
  say(`${count(deviceCount)} may connect (${added} added, ${removed} removed, ${renewed} with a new secret).`)
  for (const { name, change } of files) say(`  ${name}: ${change}`)
  const isChanged = (name: string) => files.some((file) => file.name === name && file.change !== 'unchanged')
  if (files.every(({ change }) => change === 'new'))
    return say('The files are for the account that runs mosquitto: chown them to it once.')
  if (isChanged('mosquitto.conf')) return say('Restart mosquitto: a SIGHUP does not reload its listeners.')
  return say(
    files.some(({ change }) => change !== 'unchanged')
      ? 'Send SIGHUP to mosquitto.'
      : 'Nothing has changed: mosquitto can go on.',
  )
}

const run = async () => {
  const { positionals, values } = parseCommandLine()
  if (values.help) return say(usage)
  const [folder, at = '127.0.0.1:1883', serversAt, ...rest] = positionals
  if (folder === undefined || rest.length > 0) throw new StartupError(usage)
  const listener = endpoint(at)
  const config = readConfig(process.env)
  if (config.databaseUrl === undefined) {
    throw new StartupError(
      'An external broker goes with an external database: set DATABASE_URL. (The embedded database has the embedded broker.)',
    )
  }
  const pool = openPool({ connectionString: config.databaseUrl, max: 1 }, 60)
  try {
    await assertMigrated(pool)
    const masterKey = loadMasterKey(config.masterKey, config.dataDir)
    await registerMasterKey(pool, masterKey)
    const password = deriveBrokerSecret(masterKey, 'broker-password')
    const servers = serversAt === undefined ? { ...listener, port: listener.port + 1 } : endpoint(serversAt)
    printChanges(await writeMosquittoConfig({ db: openDb(pool), folder: resolve(folder), password, listener, servers }))
    say(`Start it: mosquitto -c ${resolve(folder, 'mosquitto.conf')}`)
    say(`Every server: MQTT_URL=${urlOf(servers, password)}`)
    if (servers.tls)
      say('  and, where the authority of the certificate is your own, NODE_EXTRA_CA_CERTS with its file.')
    say('EMQX instead: POST /device-api/v1/broker/auth and /device-api/v1/broker/acl with')
    say(`  Authorization: Bearer ${deriveBrokerSecret(masterKey, 'broker-token')}`)
  } finally {
    await pool.end()
  }
}

try {
  await run()
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
