import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV = 12
const TAG = 16

/** AES-256-GCM with a 32-byte key: iv, tag, text. A changed bit makes decryption fail. */
export const encrypt = (key: Uint8Array, bytes: Uint8Array): Buffer => {
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const text = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

/** Decrypts. Returns undefined for anything that this key did not encrypt. */
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
