import { createSign, generateKeyPairSync } from 'node:crypto'

// Just enough DER (X.690) for a self-signed certificate (RFC 5280): a TLS listener cannot be tested without one.
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const short = body.length < 0x80
  const length = short ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const text = (tag: number, value: string) => der(tag, Buffer.from(value))
const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'))
const SUBJECT_ALT_NAME = der(0x06, Buffer.from('551d11', 'hex'))
const UTF8 = 0x0c
const UTC_TIME = 0x17
const LOOPBACK = der(0x87, Buffer.from([127, 0, 0, 1]))

const stamp = (ms: number) => `${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`
const DAY_MS = 86_400_000

/** A certificate for 127.0.0.1 and its key, in PEM, valid from yesterday to tomorrow. */
export const createCertificate = (): { cert: string; key: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, text(UTF8, 'tocsin test'))))
  const validity = [Date.now() - DAY_MS, Date.now() + DAY_MS].map((ms) => text(UTC_TIME, stamp(ms)))
  const extensions = der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, sequence(LOOPBACK)))))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(...validity),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = createSign('sha256').update(content).sign(privateKey)
  const whole = sequence(content, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n')
  const cert = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  return { cert, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}
