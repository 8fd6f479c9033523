import { ALL_UP, DOWN_CHANNELS, PREFIX, UP_CHANNELS } from '@tocsin/protocol/topics'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { mosquittoPasswordHash } from '#areas/device/mosquitto-password-hash'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { SERVER_ACCOUNT } from '../http/broker-auth.ts'

/** `tls`: files in PEM, absolute; without it secrets come in clear, which is for loopback alone (DESIGN 6). */
export type BrokerListener = { host: string; port: number; tls?: { cert: string; key: string } }

export type MosquittoOptions = {
  db: Db
  /** Absolute; made when missing. */
  folder: string
  /** Of the server's own account. */
  password: string
  /** Where devices connect, and where servers do. */
  listener: BrokerListener
  servers: BrokerListener
}

/** The newest valid secret of each device that may connect: mosquitto knows one password a name. */
const findAccounts = (db: Db) =>
  unscoped(db, 'the accounts of a broker')
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .innerJoin('deviceCredential', 'deviceCredential.deviceId', 'device.id')
    .distinctOn('device.id')
    .select(['deviceModel.productKey', 'device.sn', 'deviceCredential.brokerHash'])
    .where('device.lifecycle', '!=', 'RETIRED')
    .where((eb) =>
      eb.or([eb('deviceCredential.expiresAt', 'is', null), eb('deviceCredential.expiresAt', '>', sql<Date>`now()`)]),
    )
    .orderBy('device.id')
    .orderBy('deviceCredential.id', 'desc')
    .execute()

const deviceAcl = [
  // %u is the name, {productKey}/{sn}: two levels. Each channel by its name: what a device has retained is no more than
  // one message a channel.
  ...UP_CHANNELS.map((channel) => `pattern write ${PREFIX}/%u/up/${channel}`),
  `pattern read ${PREFIX}/%u/down/#`,
  '',
]

const serverAcl = [
  `user ${SERVER_ACCOUNT}`,
  `topic read ${ALL_UP}`,
  ...DOWN_CHANNELS.map((channel) => `topic write ${PREFIX}/+/+/down/${channel}`),
  '',
]

const listenerWith = ({ host, port, tls }: BrokerListener, [passwd, acl]: [string, string], more: string[]) => [
  `listener ${port} ${host}`,
  'allow_anonymous false',
  `password_file ${passwd}`,
  `acl_file ${acl}`,
  ...(tls ? [`certfile ${tls.cert}`, `keyfile ${tls.key}`] : []),
  ...more,
  '',
]

/**
 * Servers have a listener of their own: on that of devices a name is the clientId, and the connections of servers, all
 * of one name, would end each other for ever.
 */
const config = ({ folder, listener, servers }: MosquittoOptions) => [
  'per_listener_settings true',
  'persistence false',
  // A birth comes with the retain bit (domain 3.2), and without this its device would lose the link. Servers subscribe
  // with $share, to which nothing retained is sent.
  'retain_available true',
  'max_packet_size 300000',
  '',
  ...listenerWith(
    listener,
    [join(folder, 'passwd'), join(folder, 'acl')],
    // The name is proven and the clientId is not: nobody ends the connection of another.
    ['use_username_as_clientid true'],
  ),
  ...listenerWith(servers, [join(folder, 'servers.passwd'), join(folder, 'servers.acl')], []),
]

/** Never half a file under its name: mosquitto may read it at this moment. Only its owner reads it. */
const put = async (folder: string, name: string, lines: string[]) => {
  const fresh = join(folder, `.${name}.${process.pid}`)
  await writeFile(fresh, lines.join('\n'), { mode: 0o600 })
  await chmod(fresh, 0o600)
  await rename(fresh, join(folder, name))
}

/**
 * Writes `mosquitto.conf` with its names and rights for mosquitto 2 without plugins. Accounts change with the devices: write
 * again and send mosquitto SIGHUP. @returns how many devices may connect.
 */
export const writeMosquittoConfig = async (options: MosquittoOptions): Promise<number> => {
  const { db, folder, password } = options
  const accounts = await findAccounts(db)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lines = accounts.map(({ productKey, sn, brokerHash: hash }) => `${productKey}/${sn}:${hash}`)
  await put(folder, 'passwd', [...lines, ''])
  await put(folder, 'acl', deviceAcl)
  await put(folder, 'servers.passwd', [`${SERVER_ACCOUNT}:${mosquittoPasswordHash(password)}`, ''])
  await put(folder, 'servers.acl', serverAcl)
  await put(folder, 'mosquitto.conf', config(options))
  return accounts.length
}
