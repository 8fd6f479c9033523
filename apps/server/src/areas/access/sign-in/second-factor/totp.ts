import { createHmac, randomInt } from 'node:crypto'

/** Loaded with the first code, not at start. */
const otp = () => import('otplib')

/** A secret of 160 bits in base32, and the address that an authenticator reads from a QR code. */
export const newSecret = async (issuer: string, label: string): Promise<{ secret: string; uri: string }> => {
  const { generateSecret, generateURI } = await otp()
  const secret = generateSecret()
  return { secret, uri: generateURI({ issuer, label, secret }) }
}

/** One step of 30 s before and after is accepted too: clocks of phones differ. */
const TOLERANCE_SEC = 30

/** The step that a code belongs to, if it is valid and later than `after`. */
export const matchTotpStep = async (secret: string, code: string, after: number): Promise<number | undefined> => {
  if (!/^\d{6}$/.test(code)) return undefined
  const { verify } = await otp()
  const result = await verify({ secret, token: code, epochTolerance: TOLERANCE_SEC, afterTimeStep: after })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

const RECOVERY_CODES = 10
const LENGTH = 10
/** 32 characters that cannot be confused: 50 bits per code. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const text = Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('')
    return `${text.slice(0, LENGTH / 2)}-${text.slice(LENGTH / 2)}`
  })

/** As typed, in any spelling. */
export const recoveryHash = (key: Uint8Array, userId: number, code: string): Buffer =>
  createHmac('sha256', key)
    .update(`recovery ${userId} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
    .digest()
