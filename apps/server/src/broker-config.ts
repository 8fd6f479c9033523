import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig, StartupError } from './config.ts'
import { loopback, mqttTls } from './config-values.ts'
import { openDb, openPool } from './db/db.ts'
import { registerMasterKey, loadMasterKey as readMasterKey } from './db/master-key.ts'
import { type BrokerListener, writeMosquittoConfig } from './gateway/external/mosquitto-config.ts'
import { deriveBrokerSecret } from './gateway/gateway.ts'
import { SERVER_ACCOUNT } from './gateway/http/broker-auth.ts'

const usage = `npm run broker-config -- <folder> [host:port] [host:port of the servers' listener]
Writes mosquitto.conf with names and rights for mosquitto 2 into the folder, from the devices in DATABASE_URL.
Devices connect to the first address, servers to the second: the next port, unless it is named.
On any other address than a loopback one both speak TLS: 'host:port?cert=/path/to.crt&key=/path/to.key'.
Run it again when devices were added, retired or got a new secret, and send mosquitto SIGHUP. After an update that
changes mosquitto.conf restart mosquitto instead, and give every server the MQTT_URL that is printed.`

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

const run = async () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [folder, at = '127.0.0.1:1883', serversAt] = positionals
  if (folder === undefined) throw new StartupError(usage)
  const listener = endpoint(at)
  const config = readConfig(process.env)
  if (config.databaseUrl === undefined) {
    throw new StartupError(
      'An external broker goes with an external database: set DATABASE_URL. (The embedded database has the embedded broker.)',
    )
  }
  const pool = openPool({ connectionString: config.databaseUrl, max: 1 }, 60)
  try {
    const masterKey = readMasterKey(config.masterKey, config.dataDir)
    await registerMasterKey(pool, masterKey)
    const password = deriveBrokerSecret(masterKey, 'broker-password')
    const servers = serversAt === undefined ? { ...listener, port: listener.port + 1 } : endpoint(serversAt)
    const count = await writeMosquittoConfig({ db: openDb(pool), folder: resolve(folder), password, listener, servers })
    say(`${count} devices. The files are for the account that runs mosquitto: chown them to it.`)
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
