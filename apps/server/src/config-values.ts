import { BlockList, isIP } from 'node:net'
import { z } from 'zod'

/** `host` as node:net expects it, without brackets; port 0 means any free one. */
export type ListenAddress = { host: string; port: number }

const parseListener = (text: string): ListenAddress | undefined => {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  return host && port <= 65_535 ? { host, port } : undefined
}

/** A schema over text whose `parse` returns undefined for invalid input. */
const parsed = <T>(parse: (text: string) => T | undefined, complaint: string) =>
  z.string().transform((text, context): T => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue(complaint)
    return z.NEVER
  })

export const listener = parsed(parseListener, 'is host:port, like 127.0.0.1:8080 or [::1]:8080')

const parseMqttTls = (text: string) => {
  const [address = '', query] = text.split('?')
  const at = parseListener(address)
  const files = new URLSearchParams(query)
  const [cert, key] = [files.get('cert'), files.get('key')]
  if (!at || [...files.keys()].some((name) => name !== 'cert' && name !== 'key')) return undefined
  if ((cert === null) !== (key === null)) return undefined
  return cert && key ? { ...at, cert, key } : at
}

type MqttTls = ListenAddress & { cert?: string; key?: string }
export const mqttTls = parsed<MqttTls>(
  parseMqttTls,
  'is host:port, or host:port?cert=/path/to.crt&key=/path/to.key with both files in PEM',
)

const parseUrl = (text: string, protocols: string[]): string | undefined => {
  const url = URL.parse(text)
  return url && protocols.includes(url.protocol) ? text : undefined
}

const parseOrigin = (text: string): string | undefined => {
  const url = parseUrl(text, ['http:', 'https:']) && URL.parse(text)
  return url && url.href === `${url.origin}/` ? url.origin : undefined
}
export const origin = parsed(parseOrigin, 'is where browsers find us, like https://alarm.example, without a path')

export const databaseUrl = parsed(
  (text) => parseUrl(text, ['postgres:', 'postgresql:']),
  'is like postgres://user:password@host:5432/database',
)
export const brokerUrl = parsed(
  (text) => parseUrl(text, ['mqtt:', 'mqtts:']),
  'is like mqtt://user:password@host:1883 or mqtts://host:8883',
)

const parseS3 = (text: string): string | undefined => {
  const url = URL.parse(parseUrl(text, ['http:', 'https:']) ?? '')
  return url?.username && url.password && /^\/[^/]+\/?$/.test(url.pathname) ? text : undefined
}
export const s3Url = parsed(parseS3, 'is like https://key:secret@host/bucket, with ?region=… where it has regions')

const isNetwork = (text: string): boolean => {
  const [address = '', bits, more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
const parseProxies = (text: string): string[] | undefined => {
  const networks = text.split(',').map((part) => part.trim())
  return networks.every(isNetwork) ? networks : undefined
}
export const proxies = parsed(parseProxies, 'is a list of addresses or networks, like 10.0.0.5,192.168.0.0/16')

const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
export const timeZone = z.string().refine(isTimeZone, 'is an IANA time zone, like Asia/Shanghai')

const parseKey = (text: string): Buffer | undefined => {
  const key = Buffer.from(text, 'base64')
  // Buffer.from skips invalid characters, so the round trip decides.
  return key.length === 32 && key.toString('base64') === text ? key : undefined
}
export const masterKey = parsed(parseKey, 'is 32 random bytes in base64, as "openssl rand -base64 32" prints them')

const loopbacks = new BlockList()
loopbacks.addSubnet('127.0.0.0', 8, 'ipv4')
loopbacks.addAddress('::1', 'ipv6')

/** Whether only this machine can connect to the listener. */
export const loopback = ({ host }: ListenAddress): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && loopbacks.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6'))
