import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { deriveKey } from '#db/master-key'

/** How long an imported user can set the first password. */
export const ACTIVATION_DAYS = 14

let key: KeyObject | undefined

/** Called once by each process that imports users or shows codes. */
export const startActivation = (masterKey: Buffer): void => {
  // A key object is prepared once; raw bytes would be prepared again for each code.
  key = createSecretKey(deriveKey(masterKey, 'activation'))
}

// The alphabet of Crockford's Base32: no two letters are confused when a code is read out.
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
const LETTER_BITS = 5

/**
 * The code of the user imported from this line: 80 bits derived from the key of this installation. Only its hash is
 * stored, and an import that was interrupted produces the same codes again.
 */
export const activationCode = (jobId: number, line: number): string => {
  if (!key) throw new Error('activation codes have no key in this process: call startActivation at its start')
  const bytes = createHmac('sha256', key).update(`${jobId}.${line}`).digest()
  const bits = bytes.readBigUInt64BE(0) | (BigInt(bytes.readUInt16BE(8)) << 64n)
  return Array.from({ length: LENGTH }, (_, at) => letters[Number((bits >> BigInt(at * LETTER_BITS)) & 31n)]).join('')
}

/** The stored hash of a code. Accepts lower case, blanks, hyphens, O for 0, and I or L for 1. */
export const activationHash = (code: string): Buffer => {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return hash('sha256', plain, 'buffer')
}
