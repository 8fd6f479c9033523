import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV = 12
const TAG = 16

/** AES-256-GCM under a key of 32 bytes: iv, tag, text. Whoever changes a bit of it gets nothing back. */
export const encrypt = (key: Uint8Array, bytes: Uint8Array): Buffer => {
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const text = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

/** What was sealed; undefined for anything that this key did not seal. */
export const decrypt = (key: Uint8Array, sealed: Uint8Array): Buffer | undefined => {
  if (sealed.length < IV + TAG) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV), { authTagLength: TAG })
  decipher.setAuthTag(sealed.subarray(IV, IV + TAG))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()])
  } catch {
    return undefined
  }
}
