import { httpKey } from '@tocsin/protocol/sign'
import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '#db/db'
import { encrypt } from '#db/encryption'
import { mosquittoPasswordHash } from './mosquitto-password-hash.ts'

/** What the database keeps of a device's secret: SHA-256 of its 32 bytes, not of their base64url spelling. */
export const secretHash = (secret: Uint8Array): Buffer => createHash('sha256').update(secret).digest()

/**
 * Gives a device a secret, valid beside those it has.
 * @param key for sealing; derived from the master key for 'device-http-key'.
 * @returns the secret as base64url: shown once, kept nowhere.
 */
export const createCredential = async (
  trx: Db,
  key: Uint8Array,
  deviceId: number,
  secret: Uint8Array = randomBytes(32),
): Promise<string> => {
  const password = Buffer.from(secret).toString('base64url')
  await trx
    .insertInto('deviceCredential')
    .values({
      deviceId,
      secretHash: secretHash(secret),
      httpKeySealed: encrypt(key, httpKey(secret)),
      brokerHash: mosquittoPasswordHash(password),
    })
    .execute()
  return password
}
