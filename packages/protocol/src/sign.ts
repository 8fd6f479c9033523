import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type DeviceAddress, parseUsername, usernameOf } from './topics.ts'

export const SIGN_HEADERS = { device: 'X-Dev', ts: 'X-Ts', nonce: 'X-Nonce', sign: 'X-Sign' } as const

export type SignedRequest = {
  method: string
  /** Request target with the query, exactly as sent. */
  path: string
  nonce: string
  body: Uint8Array
}

/** `ts` is the device's clock in ms, recorded for skew only; it is not signed and admits nothing. */
export type SignHeaders = { device: DeviceAddress; ts: number; nonce: string; sign: string }

/** HKDF-SHA256(secret, no salt, info 'http'): 32 bytes. The server stores it encrypted instead of the secret. */
export const httpKey = (secret: Uint8Array): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'http', 32))

/** X-Sign: HMAC-SHA256 over method, path, nonce and SHA-256 of the body in hex, as base64url without padding. */
export const sign = (key: Uint8Array, request: SignedRequest): string => digest(key, request).toString('base64url')

export const verifySign = (key: Uint8Array, request: SignedRequest, given: string): boolean => {
  const bytes = SIGN.test(given) ? Buffer.from(given, 'base64url') : Buffer.alloc(0)
  return bytes.length === 32 && timingSafeEqual(bytes, digest(key, request))
}

/** The four headers a device sends; `nonce` is 16 to 64 characters of base64url, new for every request. */
export const signedHeaders = (
  key: Uint8Array,
  device: DeviceAddress,
  ts: number,
  request: SignedRequest,
): Record<string, string> => {
  if (!NONCE.test(request.nonce)) throw new RangeError('nonce must be 16 to 64 characters of base64url')
  return {
    [SIGN_HEADERS.device]: usernameOf(device),
    [SIGN_HEADERS.ts]: String(ts),
    [SIGN_HEADERS.nonce]: request.nonce,
    [SIGN_HEADERS.sign]: sign(key, request),
  }
}

/** `headers` with lower-case names, as node:http returns them. `field` names the first missing or invalid header. */
export const readSignHeaders = (
  headers: Record<string, string | string[] | undefined>,
): { ok: true; value: SignHeaders } | { ok: false; field: string } => {
  const read = (name: string): string => {
    const value = headers[name.toLowerCase()]
    return typeof value === 'string' ? value : ''
  }
  const device = parseUsername(read(SIGN_HEADERS.device))
  if (!device) return { ok: false, field: SIGN_HEADERS.device }
  const ts = read(SIGN_HEADERS.ts)
  if (!/^-?\d+$/.test(ts)) return { ok: false, field: SIGN_HEADERS.ts }
  const nonce = read(SIGN_HEADERS.nonce)
  if (!NONCE.test(nonce)) return { ok: false, field: SIGN_HEADERS.nonce }
  const given = read(SIGN_HEADERS.sign)
  if (!SIGN.test(given)) return { ok: false, field: SIGN_HEADERS.sign }
  return { ok: true, value: { device, ts: Number(ts), nonce, sign: given } }
}

const NONCE = /^[0-9A-Za-z_-]{16,64}$/
const SIGN = /^[0-9A-Za-z_-]{43}$/

const digest = (key: Uint8Array, { method, path, nonce, body }: SignedRequest): Buffer => {
  const bodyHash = createHash('sha256').update(body).digest('hex')
  return createHmac('sha256', key).update([method.toUpperCase(), path, nonce, bodyHash].join('\n')).digest()
}
