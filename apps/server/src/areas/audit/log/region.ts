import { LOOPBACK_REGION, INTRANET } from '@tocsin/contract/audit/region'
import { isIP } from 'node:net'
import type { Actor } from '#http/route'

/** The region of an address; null when unknown. */
export type RegionOf = (address: string | null) => string | null

/** A query of a log. */
export type LogRequest<Query> = { actor: Actor; query: Query; regionOf: RegionOf }

/**
 * Networks known without a file. The operator's file may name parts of an intranet by longer prefixes, or the same
 * ones.
 */
const known: Record<string, readonly string[]> = {
  [LOOPBACK_REGION]: ['127.0.0.0/8', '::1'],
  [INTRANET]: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
}

/** 128 binary digits; an IPv4 address is mapped to IPv6, as a dual-stack listener reports it. */
const bitsOf = (address: string): string => {
  const long = isIP(address) === 4 ? `::ffff:${address}` : address.replace(/%.*/, '')
  const halves = new URL(`http://[${long}]`).hostname.slice(1, -1).split('::')
  const [head = [], tail = []] = halves.map((half) => half.split(':').filter(Boolean))
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

/** The common binary prefix of a network; undefined for an invalid network. */
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
 * Parses regions from the lines of a file, `network,region` each; the longest matching prefix applies. Empty lines and
 * lines that begin with # are ignored. Throws an error that names the invalid line.
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
    const length = lengths.find((length) => regions.has(bits.slice(0, length)))
    return length === undefined ? null : (regions.get(bits.slice(0, length)) ?? null)
  }
}

/** Networks known without a file. */
export const builtInRegions: RegionOf = parseRegionTable('')
