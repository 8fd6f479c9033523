import { LOOPBACK_REGION, INTRANET } from '@tocsin/contract/audit/region'
import { isIP } from 'node:net'
import type { Actor } from '#http/route'

/** Where an address lies; null when nothing says so. */
export type RegionOf = (address: string | null) => string | null

/** A question about a log. */
export type LogRequest<Query> = { actor: Actor; query: Query; regionOf: RegionOf }

/** What needs no file. Its operator names parts of an intranet by longer prefixes, or the same. */
const known: Record<string, readonly string[]> = {
  [LOOPBACK_REGION]: ['127.0.0.0/8', '::1'],
  [INTRANET]: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
}

/** As 128 digits, an IPv4 address as IPv6 spells it, which is also how a listener on both tells it. */
const bitsOf = (address: string): string => {
  const long = isIP(address) === 4 ? `::ffff:${address}` : address.replace(/%.*/, '')
  const halves = new URL(`http://[${long}]`).hostname.slice(1, -1).split('::')
  const [head = [], tail = []] = halves.map((half) => half.split(':').filter(Boolean))
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

/** The digits that all addresses of a network begin with; undefined for what is no network. */
const prefixOf = (network: string): string | undefined => {
  const [address = '', bits, more] = network.split('/')
  const version = isIP(address)
  const full = version === 4 ? 32 : 128
  const length = bits === undefined ? full : /^\d{1,3}$/.test(bits) ? Number(bits) : full + 1
  return version === 0 || more !== undefined || length > full
    ? undefined
    : bitsOf(address).slice(0, 128 - full + length)
}

const LINE = /^([^,]+),(.+)$/

const readLine = (line: string, no: number): [prefix: string, region: string] => {
  const [, network = '', region = ''] = LINE.exec(line) ?? []
  const prefix = prefixOf(network.trim())
  if (prefix === undefined || !region.trim()) throw new Error(`line ${no} is not like 10.20.0.0/16,朝阳分局`)
  return [prefix, region.trim()]
}

/**
 * Regions by the lines of a file, `network,region` each; the longest prefix that fits says it. Empty lines and those
 * that begin with # say nothing. Throws what is wrong with which line.
 */
export const parseRegionTable = (text: string): RegionOf => {
  const regions = new Map<string, string>()
  for (const [region, networks] of Object.entries(known))
    for (const network of networks) regions.set(prefixOf(network) ?? '', region)
  for (const [at, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim()
    if (line && !line.startsWith('#')) regions.set(...readLine(line, at + 1))
  }
  const lengths = [...new Set([...regions.keys()].map((prefix) => prefix.length))].sort((a, b) => b - a)
  return (address) => {
    if (!address || isIP(address) === 0) return null
    const bits = bitsOf(address)
    const length = lengths.find((one) => regions.has(bits.slice(0, one)))
    return length === undefined ? null : (regions.get(bits.slice(0, length)) ?? null)
  }
}

/** What needs no file. */
export const builtInRegions: RegionOf = parseRegionTable('')
