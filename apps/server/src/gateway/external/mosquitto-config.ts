import { ALL_UP, DOWN_CHANNELS, PREFIX, UP_CHANNELS } from '@tocsin/protocol/topics'
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { isMosquittoHashOf, mosquittoPasswordHash } from '#areas/device/mosquitto-password-hash'
import { StartupError } from '#config'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { SERVER_ACCOUNT } from '../http/broker-auth.ts'

/** `tls`: absolute paths of PEM files. Without it secrets travel in clear, which only loopback allows (DESIGN 6). */
export type BrokerListener = { host: string; port: number; tls?: { cert: string; key: string } }

export type MosquittoOptions = {
  db: Db
  /** Absolute; created when missing. */
  folder: string
  /** Password of the server account. */
  password: string
  /** The listeners for devices and for servers. */
  listener: BrokerListener
  servers: BrokerListener
}

/** The newest valid secret of each device that may connect. Mosquitto has one password for each username. */
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
  // %u is the username, {productKey}/{sn}, which has two levels. Each channel is listed, so that a device can retain at
  // most one message on each.
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
 * Servers have their own listener. On the listener of devices the username becomes the client id, so the connections of
 * servers, which share one username, would end each other endlessly.
 */
const config = ({ folder, listener, servers }: MosquittoOptions) => [
  'per_listener_settings true',
  'persistence false',
  // Births have the retain bit (domain 3.2), and without this setting mosquitto would disconnect the device. Servers use
  // $share, which receives no retained messages.
  'retain_available true',
  'max_packet_size 300000',
  '',
  ...listenerWith(
    listener,
    [join(folder, 'passwd'), join(folder, 'acl')],
    // The username is authenticated and the client id is not, so no device can end the connection of another.
    ['use_username_as_clientid true'],
  ),
  ...listenerWith(servers, [join(folder, 'servers.passwd'), join(folder, 'servers.acl')], []),
]

export type FileChange = { name: string; change: 'new' | 'changed' | 'unchanged' }
export type WrittenConfig = {
  /** Devices that may connect. */
  deviceCount: number
  /** Devices added to, removed from, or with another secret than in the files before. */
  added: number
  removed: number
  renewed: number
  files: FileChange[]
}

const readIfPresent = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (Object(error).code === 'ENOENT') return undefined
    throw new StartupError(
      `${file} cannot be read: ${String(error)}. Run this as the account that owns it, or as root.`,
    )
  })

/** Keeps the owner and the mode of a file: mosquitto runs as its owner, and operators may have given a group access. */
const keepOwnerAndMode = async (fresh: string, file: string): Promise<void> => {
  const before = await stat(file)
  const now = await stat(fresh)
  try {
    if (before.uid !== now.uid || before.gid !== now.gid) await chown(fresh, before.uid, before.gid)
  } catch (error) {
    throw new StartupError(
      `${file} belongs to another account and cannot be replaced for it: ${String(error)}. Run this as that account, or as root.`,
    )
  }
  await chmod(fresh, before.mode & 0o7777)
}

/** Replaces the file atomically, because mosquitto may read it at any time. A new file is readable by its owner only. */
const writeIfChanged = async (folder: string, name: string, lines: string[]): Promise<FileChange> => {
  const file = join(folder, name)
  const before = await readIfPresent(file)
  const text = lines.join('\n')
  if (before === text) return { name, change: 'unchanged' }
  const fresh = join(folder, `.${name}.${process.pid}`)
  try {
    await writeFile(fresh, text, { mode: 0o600 })
    if (before === undefined) await chmod(fresh, 0o600)
    else await keepOwnerAndMode(fresh, file)
    await rename(fresh, file)
  } finally {
    await rm(fresh, { force: true })
  }
  return { name, change: before === undefined ? 'new' : 'changed' }
}

const parseAccounts = (text: string | undefined): Map<string, string> =>
  new Map(
    (text ?? '').split('\n').flatMap((line) => {
      const at = line.indexOf(':')
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
    }),
  )

/** Keeps the hash of an unchanged password, because a new one would have another salt. */
const serverAccountLine = async (folder: string, password: string): Promise<string> => {
  const before = parseAccounts(await readIfPresent(join(folder, 'servers.passwd'))).get(SERVER_ACCOUNT)
  const hash = before !== undefined && isMosquittoHashOf(before, password) ? before : mosquittoPasswordHash(password)
  return `${SERVER_ACCOUNT}:${hash}`
}

/**
 * Writes `mosquitto.conf`, accounts and access rights for mosquitto 2 without plugins. Accounts change with the devices:
 * write again and send SIGHUP to mosquitto.
 */
export const writeMosquittoConfig = async (options: MosquittoOptions): Promise<WrittenConfig> => {
  const { db, folder, password } = options
  const accounts = await findAccounts(db)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const before = parseAccounts(await readIfPresent(join(folder, 'passwd')))
  const after = new Map(accounts.map(({ productKey, sn, brokerHash }) => [`${productKey}/${sn}`, brokerHash]))
  const lines = Array.from(after, ([name, hash]) => `${name}:${hash}`)
  const files = [
    await writeIfChanged(folder, 'passwd', [...lines, '']),
    await writeIfChanged(folder, 'acl', deviceAcl),
    await writeIfChanged(folder, 'servers.passwd', [await serverAccountLine(folder, password), '']),
    await writeIfChanged(folder, 'servers.acl', serverAcl),
    await writeIfChanged(folder, 'mosquitto.conf', config(options)),
  ]
  const names = [...after.keys()]
  return {
    deviceCount: after.size,
    added: names.filter((name) => !before.has(name)).length,
    removed: [...before.keys()].filter((name) => !after.has(name)).length,
    renewed: names.filter((name) => before.has(name) && before.get(name) !== after.get(name)).length,
    files,
  }
}
