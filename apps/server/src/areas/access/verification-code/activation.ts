import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { deriveKey } from '#db/master-key'

/** An imported user has so long to choose his first password. */
export const ACTIVATION_DAYS = 14

let key: KeyObject | undefined

/** Said once by each process that imports or shows codes. */
export const startActivation = (masterKey: Buffer): void => {
  // As bytes it would be looked through anew for each code, which takes longer than the code.
  key = createSecretKey(deriveKey(masterKey, 'activation'))
}

// Crockford's letters: none is taken for another when a code is read out.
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
const LETTER_BITS = 5

/**
 * The code of the user made from this line: 80 bits that only this installation can tell, so that nothing but its hash
 * is ever written, and an import that was interrupted gives out the same ones.
 */
export const activationCode = (jobId: number, line: number): string => {
  if (!key) throw new Error('activation codes have no key in this process: call startActivation at its start')
  const bytes = createHmac('sha256', key).update(`${jobId}.${line}`).digest()
  const bits = bytes.readBigUInt64BE(0) | (BigInt(bytes.readUInt16BE(8)) << 64n)
  return Array.from({ length: LENGTH }, (_, at) => letters[Number((bits >> BigInt(at * LETTER_BITS)) & 31n)]).join('')
}

/** What is kept of a code, however it was typed: in small letters, with blanks or hyphens, O for 0, I or L for 1. */
export const activationHash = (code: string): Buffer => {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return hash('sha256', plain, 'buffer')
}
