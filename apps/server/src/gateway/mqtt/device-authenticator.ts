import { decodeUp } from '@tocsin/protocol/decode'
import { type DeviceAddress, parseUsername, upTopic } from '@tocsin/protocol/topics'
import type { AuthenticateError, Client, ConnectPacket } from 'aedes'
import { createHash } from 'node:crypto'
import type { Log } from '#config'
import { checkSecret, type KnownDevice, type CredentialResult } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import type { RefusedDevice, RefusedDeviceLog } from '../refused-devices.ts'

export type DeviceAuthResult = { device: KnownDevice } | { refused: Error & { returnCode: number } }

/** CONNACK codes of MQTT 3.1.1, table 3.1. One for every refusal, so that it tells nothing. */
const NOT_AUTHORIZED = 5
const SERVER_UNAVAILABLE = 3
/** How long a proven secret is believed without asking again: a storm of reconnects asks once per device. */
const BELIEVED_MS = 5000
const BELIEVED_MOST = 50_000

const refusal = (text: string, returnCode = NOT_AUTHORIZED): DeviceAuthResult => ({
  refused: Object.assign(new Error(text), { returnCode }),
})

/** The 32 bytes of a password; nothing that a device could have been given has another form. */
const secretOf = (password: Uint8Array | undefined): Buffer => {
  const text = Buffer.from(password ?? []).toString('latin1')
  return /^[0-9A-Za-z_-]{43}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(32)
}

/** Only "I am gone", said of itself. Any other will is dropped: only identity refuses a device. */
export const isOwnWill = (address: DeviceAddress, will: NonNullable<ConnectPacket['will']>): boolean => {
  const payload: unknown = will.payload
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload))
  const said = decodeUp('state', bytes)
  return will.topic === upTopic(address, 'state') && said.ok && !said.message.online
}

const createSecretCache = (db: Db) => {
  const believed = new Map<string, { device: KnownDevice; until: number }>()
  return async (address: DeviceAddress, secret: Buffer): Promise<CredentialResult> => {
    const key = `${address.productKey}/${address.sn}:${createHash('sha256').update(secret).digest('base64')}`
    const known = believed.get(key)
    if (known && known.until > performance.now()) return { device: known.device }
    const verdict = await checkSecret(db, address, secret)
    if (believed.size >= BELIEVED_MOST) believed.clear()
    if ('device' in verdict) believed.set(key, { device: verdict.device, until: performance.now() + BELIEVED_MS })
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

/** Decides who may connect as whom, before anybody else's connection is touched (DESIGN 6). */
export const createDeviceAuthenticator = ({
  db,
  log,
  strangers,
}: {
  db: Db
  log: Log
  strangers: RefusedDeviceLog
}): DeviceAuthenticator => {
  const check = createSecretCache(db)
  return async ({ client, username = '', password, ip }) => {
    const address = parseUsername(username)
    const strange = (reason: RefusedDevice['reason']) => {
      const [productKey = '', sn = ''] = address ? [address.productKey, address.sn] : ['', username || client.id]
      strangers.note({ sn, productKey, ip, reason })
      return refusal(`a device was refused: ${reason}`)
    }
    if (!address || client.id !== address.sn) return strange('BAD_NAME')
    try {
      const verdict = await check(address, secretOf(password))
      return 'device' in verdict ? verdict : strange(verdict.refused)
    } catch (error) {
      log.warn(`a device could not be checked: ${String(error)}`)
      return refusal('the database is away', SERVER_UNAVAILABLE)
    }
  }
}

/** The refusal in the form the broker takes. */
export const asAuthenticateError = (refused: Error & { returnCode: number }): AuthenticateError => refused
