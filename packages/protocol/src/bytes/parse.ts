import { EventId } from '../message-header.ts'
import { looksLikeCbor, readCbor } from './cbor.ts'

export type ParseReason =
  | 'TOO_LARGE'
  | 'NOT_UTF8'
  | 'NOT_JSON'
  | 'NOT_CBOR'
  | 'TOO_DEEP'
  | 'FORBIDDEN_KEY'
  | 'FORBIDDEN_TEXT'
  | 'FORBIDDEN_NUMBER'

export type Parsed = { ok: true; value: unknown } | { ok: false; reason: ParseReason; field?: string }
/**
 * The value under `uncheckedKey` in a list item is checked by itself with `checkLimits`; here only its depth counts.
 */
export type ParseLimits = { maxBytes: number; maxDepth: number; uncheckedKey?: string }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const POLLUTING = new Set(['__proto__', 'constructor', 'prototype'])

type Read = { ok: true; value: unknown } | { ok: false; reason: ParseReason }

const readJson = (bytes: Uint8Array): Read => {
  let text: string
  try {
    // Firmware in C sends the NUL that ends its text, editors write a byte order mark: neither is part of the message.
    text = utf8
      .decode(bytes)
      .replace(/^\uFEFF/, '')
      .replace(/\0+$/, '')
  } catch {
    return { ok: false, reason: 'NOT_UTF8' }
  }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, reason: 'NOT_JSON' }
  }
}

const read = (bytes: Uint8Array): Read => {
  if (!looksLikeCbor(bytes)) return readJson(bytes)
  try {
    return { ok: true, value: readCbor(bytes) }
  } catch {
    return { ok: false, reason: 'NOT_CBOR' }
  }
}

/**
 * Parses strict JSON, or the same in CBOR, from untrusted bytes. Never throws. Rejects what PostgreSQL or an object
 * merge could not handle.
 */
export const parse = (bytes: Uint8Array, limits: ParseLimits): Parsed => {
  if (bytes.byteLength > limits.maxBytes) return { ok: false, reason: 'TOO_LARGE' }
  const said = read(bytes)
  if (!said.ok) return said
  return checkLimits(said.value, limits)
}

/** The same for a parsed value. */
export const checkLimits = (value: unknown, limits: ParseLimits): Parsed => {
  const fault = findFault(value, [], limits)
  return fault ? refused(fault) : { ok: true, value }
}

const KEY = 'eventId'
const inJson = /"eventId"\s*:\s*"([0-9A-Za-z_-]{16,40})"/
/** The CBOR text that begins here, if it is such an id: its length is in its head or in the next byte. */
const idAt = (latin: string, at: number): string | undefined => {
  const head = latin.charCodeAt(at)
  const long = head === 0x78
  const from = at + (long ? 2 : 1)
  const length = long ? latin.charCodeAt(at + 1) : head & 31
  return head >> 5 === 3 ? EventId.safeParse(latin.slice(from, from + length)).data : undefined
}
const inCbor = (latin: string): string | undefined => {
  for (let key = latin.indexOf(KEY); key >= 0; key = latin.indexOf(KEY, key + 1)) {
    const found = idAt(latin, key + KEY.length)
    if (found !== undefined) return found
  }
  return undefined
}
/** Finds the event id in bytes that are no valid message, so that the device learns that they were received. */
export const eventIdIn = (bytes: Uint8Array): string | null => {
  const latin = Buffer.from(bytes).toString('latin1')
  const found = looksLikeCbor(bytes) ? inCbor(latin) : undefined
  // The first byte may be the only wrong one.
  return found ?? inJson.exec(latin)?.[1] ?? null
}

/** A path as one line of safe text, because it is logged and its parts come from the sender. */
export const formatPath = (path: readonly PropertyKey[]): string | undefined =>
  path.length === 0 ? undefined : path.map(String).join('.').slice(0, 64).toWellFormed()

type Fault = { reason: ParseReason; path: string[] }

const refused = (fault: Fault): Parsed => {
  const field = formatPath(fault.path)
  return { ok: false, reason: fault.reason, ...(field !== undefined && { field }) }
}

/** jsonb and text accept neither U+0000 nor a lone surrogate; the driver would replace the latter silently. */
const badText = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

const findDepth = (value: unknown, path: string[], maxDepth: number): Fault | null => {
  if (typeof value !== 'object' || value === null) return null
  if (path.length === maxDepth) return { reason: 'TOO_DEEP', path }
  for (const [key, inner] of Object.entries(value)) {
    const fault = findDepth(inner, [...path, key], maxDepth)
    if (fault) return fault
  }
  return null
}

const findFault = (value: unknown, path: string[], limits: ParseLimits): Fault | null => {
  if (typeof value === 'string') return badText(value) ? { reason: 'FORBIDDEN_TEXT', path } : null
  // 1e400 parses as Infinity
  if (typeof value === 'number') return Number.isFinite(value) ? null : { reason: 'FORBIDDEN_NUMBER', path }
  if (typeof value !== 'object' || value === null) return null
  if (path.length === limits.maxDepth) return { reason: 'TOO_DEEP', path }
  for (const [key, inner] of Object.entries(value)) {
    if (POLLUTING.has(key)) return { reason: 'FORBIDDEN_KEY', path: [...path, key] }
    if (badText(key)) return { reason: 'FORBIDDEN_TEXT', path }
    const apart = path.length === 1 && key === limits.uncheckedKey
    const fault = apart ? findDepth(inner, [...path, key], limits.maxDepth) : findFault(inner, [...path, key], limits)
    if (fault) return fault
  }
  return null
}
