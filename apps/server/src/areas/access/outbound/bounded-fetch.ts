import { lookup } from 'node:dns/promises'
import { BlockList } from 'node:net'

/** Servers that answer codes, tokens or keys need a few KB; more is a fault or an attack. */
export const MAX_RESPONSE_BYTES = 1_000_000
const TIMEOUT_MS = 10_000

/**
 * Addresses that no configured server has: unspecified, link-local (also the metadata services of clouds), multicast
 * and reserved. Private and loopback addresses are allowed, because closed networks have nothing else.
 */
const blocked = new BlockList()
blocked.addSubnet('0.0.0.0', 8)
blocked.addSubnet('169.254.0.0', 16)
blocked.addSubnet('224.0.0.0', 3)
blocked.addAddress('100.100.100.200')
blocked.addAddress('::', 'ipv6')
blocked.addAddress('fd00:ec2::254', 'ipv6')
blocked.addSubnet('fe80::', 10, 'ipv6')
blocked.addSubnet('ff00::', 8, 'ipv6')

const assertAllowed = async (url: URL): Promise<void> => {
  if (!/^https?:$/.test(url.protocol)) throw new Error(`${url.protocol} is no address to fetch`)
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  for (const { address, family } of await lookup(host, { all: true }))
    if (blocked.check(address, family === 6 ? 'ipv6' : 'ipv4')) throw new Error(`${url.host} has a forbidden address`)
}

const readBounded = async (response: Response): Promise<Buffer<ArrayBuffer> | null> => {
  if (!response.body) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (size > MAX_RESPONSE_BYTES) throw new Error(`the answer is longer than ${MAX_RESPONSE_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const rejectWhenAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/**
 * Every call of a configured server (sign-in providers, text messages): an allowed address, no redirect, one deadline
 * for name, headers and body, and a bounded body, which is read completely before this returns.
 */
export const fetchBounded = async (address: string, init: RequestInit = {}): Promise<Response> => {
  const url = new URL(address)
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline
  await Promise.race([assertAllowed(url), rejectWhenAborted(signal)])
  const response = await fetch(url, { ...init, redirect: init.redirect ?? 'error', signal })
  const body = await readBounded(response)
  const { status, statusText, headers } = response
  return new Response(body?.length ? body : null, { status, statusText, headers })
}
