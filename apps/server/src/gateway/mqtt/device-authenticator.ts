import { type DeviceAddress, parseUsername } from '@tocsin/protocol/topics'
import type { AuthenticateError, Client } from 'aedes'
import { createHash } from 'node:crypto'
import type { Log } from '#config'
import { checkSecret, type CredentialResult } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import type { RefusedDevice, RefusedDeviceLog } from '../refused-devices.ts'

type Proven = Extract<CredentialResult, { device: object }>
export type DeviceAuthResult = Proven | { refused: Error & { returnCode: number } }

/** CONNACK codes of MQTT 3.1.1, table 3.1. All refusals have the same code, so that it discloses nothing. */
const NOT_AUTHORIZED = 5
const SERVER_UNAVAILABLE = 3
/** How long a verified secret is cached, so that a reconnect storm queries the database once per device. */
const BELIEVED_MS = 5000
const BELIEVED_MOST = 50_000

const refusal = (text: string, returnCode = NOT_AUTHORIZED): DeviceAuthResult => ({
  refused: Object.assign(new Error(text), { returnCode }),
})

/** The 32 bytes of a password. Secrets are always issued in this form. */
const secretOf = (password: Uint8Array | undefined): Buffer => {
  const text = Buffer.from(password ?? []).toString('latin1')
  return /^[0-9A-Za-z_-]{43}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(32)
}

const createSecretCache = (db: Db, screenDb: Db) => {
  const believed = new Map<string, { proven: Proven; until: number }>()
  return async (address: DeviceAddress, secret: Buffer): Promise<CredentialResult> => {
    const key = `${address.productKey}/${address.sn}:${createHash('sha256').update(secret).digest('base64')}`
    const known = believed.get(key)
    if (known && known.until > performance.now()) return known.proven
    const verdict = await checkSecret(db, address, secret, screenDb)
    if (believed.size >= BELIEVED_MOST) believed.clear()
    if ('device' in verdict) believed.set(key, { proven: verdict, until: performance.now() + BELIEVED_MS })
    else believed.delete(key)
    return verdict
  }
}

export type ConnectCredentials = {
  client: Pick<Client, 'id'>
  username: string | undefined
  password: Uint8Array | undefined
  ip: string
}
export type DeviceAuthenticator = (given: ConnectCredentials) => Promise<DeviceAuthResult>

/** Authenticates a CONNECT before an existing connection of the same device is ended (DESIGN 6). */
export const createDeviceAuthenticator = ({
  db,
  screenDb,
  log,
  refusedDevices,
}: {
  db: Db
  screenDb: Db
  log: Log
  refusedDevices: RefusedDeviceLog
}): DeviceAuthenticator => {
  const check = createSecretCache(db, screenDb)
  return async ({ client, username = '', password, ip }) => {
    const address = parseUsername(username)
    const refuseUnknown = (reason: RefusedDevice['reason']) => {
      const [productKey = '', sn = ''] = address ? [address.productKey, address.sn] : ['', username || client.id]
      refusedDevices.note({ sn, productKey, ip, reason })
      return refusal(`a device was refused: ${reason}`)
    }
    if (!address || client.id !== address.sn) return refuseUnknown('BAD_NAME')
    try {
      const verdict = await check(address, secretOf(password))
      return 'device' in verdict ? verdict : refuseUnknown(verdict.refused)
    } catch (error) {
      log.warn(`a device could not be checked: ${String(error)}`)
      return refusal('the database is away', SERVER_UNAVAILABLE)
    }
  }
}

/** The refusal as the type that the broker expects. */
export const asAuthenticateError = (refused: Error & { returnCode: number }): AuthenticateError => refused
