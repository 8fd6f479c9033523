import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig, StartRefusal } from './config.ts'
import { openDb, openPool } from './db/db.ts'
import { checkMasterKey, masterKey as readMasterKey } from './db/master-key.ts'
import { writeMosquitto } from './gateway/external/mosquitto.ts'
import { brokerSecret } from './gateway/gateway.ts'
import { SERVER_ACCOUNT } from './gateway/http/broker-auth.ts'

const usage = `npm run broker-config -- <folder> [host:port] [host:port of the servers' listener]
Writes mosquitto.conf with names and rights for mosquitto 2 into the folder, from the devices in DATABASE_URL.
Devices connect to the first address, servers to the second: the next port, unless it is named.
Run it again when devices were added, retired or got a new secret, and send mosquitto SIGHUP. After an update that
changes mosquitto.conf restart mosquitto instead, and give every server the MQTT_URL that is printed.`

const say = (text: string) => process.stdout.write(`${text}\n`)

const endpoint = (text: string) => {
  const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(text) ?? []
  if (host === '') throw new StartRefusal(`${text} is not host:port.`)
  return { host, port: Number(port) }
}

const textOf = ({ host, port }: { host: string; port: number }) => `${host.includes(':') ? `[${host}]` : host}:${port}`

const run = async () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [folder, at = '127.0.0.1:1883', serversAt] = positionals
  if (folder === undefined) throw new StartRefusal(usage)
  const config = readConfig(process.env)
  if (config.databaseUrl === undefined) {
    throw new StartRefusal(
      'An external broker goes with an external database: set DATABASE_URL. (The embedded database has the embedded broker.)',
    )
  }
  const pool = openPool({ connectionString: config.databaseUrl, max: 1 }, 60)
  try {
    const masterKey = readMasterKey(config.masterKey, config.dataDir)
    await checkMasterKey(pool, masterKey)
    const password = brokerSecret(masterKey, 'broker-password')
    const listener = endpoint(at)
    const servers = serversAt === undefined ? { host: listener.host, port: listener.port + 1 } : endpoint(serversAt)
    const count = await writeMosquitto({ db: openDb(pool), folder: resolve(folder), password, listener, servers })
    say(`${count} devices. The files are for the account that runs mosquitto: chown them to it.`)
    say(`Start it: mosquitto -c ${resolve(folder, 'mosquitto.conf')}`)
    say(`Every server: MQTT_URL=mqtt://${SERVER_ACCOUNT}:${password}@${textOf(servers)}`)
    say('EMQX instead: POST /device-api/v1/broker/auth and /device-api/v1/broker/acl, from another machine with')
    say(`  Authorization: Bearer ${brokerSecret(masterKey, 'broker-token')}`)
  } finally {
    await pool.end()
  }
}

try {
  await run()
} catch (error) {
  if (!(error instanceof StartRefusal)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
