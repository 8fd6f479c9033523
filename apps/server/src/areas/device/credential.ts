import { httpKey } from '@tocsin/protocol/sign'
import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '#db/db'
import { encrypt } from '#db/encryption'
import { mosquittoPasswordHash } from './mosquitto-password-hash.ts'

/** The stored form of a device's secret: SHA-256 of its 32 bytes, not of their base64url spelling. */
export const secretHash = (secret: Uint8Array): Buffer => createHash('sha256').update(secret).digest()

/**
 * Creates a secret for a device, valid beside the existing ones.
 * @param key for encryption; derived from the master key for 'device-http-key'
 * @returns the secret as base64url: shown once, never stored
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
