export type JsonReason =
  | 'TOO_LARGE'
  | 'NOT_UTF8'
  | 'NOT_JSON'
  | 'TOO_DEEP'
  | 'FORBIDDEN_KEY'
  | 'FORBIDDEN_TEXT'
  | 'FORBIDDEN_NUMBER'

export type Parsed = { ok: true; value: unknown } | { ok: false; reason: JsonReason; field?: string }
export type JsonLimits = { maxBytes: number; maxDepth: number }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const POLLUTING = new Set(['__proto__', 'constructor', 'prototype'])

/** Strict JSON from untrusted bytes. Never throws; what PostgreSQL or an object merge would choke on is refused here. */
export const parseJson = (bytes: Uint8Array, limits: JsonLimits): Parsed => {
  if (bytes.byteLength > limits.maxBytes) return { ok: false, reason: 'TOO_LARGE' }
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { ok: false, reason: 'NOT_UTF8' }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, reason: 'NOT_JSON' }
  }
  const fault = findFault(value, [], limits.maxDepth)
  return fault ? refused(fault) : { ok: true, value }
}

/** A path as one line of safe text: it is logged and shown, and its parts may come from the sender. */
export const fieldOf = (path: readonly PropertyKey[]): string | undefined =>
  path.length === 0 ? undefined : path.map(String).join('.').slice(0, 64).toWellFormed()

type Fault = { reason: JsonReason; path: string[] }

const refused = (fault: Fault): Parsed => {
  const field = fieldOf(fault.path)
  return { ok: false, reason: fault.reason, ...(field !== undefined && { field }) }
}

/** jsonb and text take neither U+0000 nor a lone surrogate; the driver would replace the latter in silence. */
const badText = (text: string): boolean => text.includes('\0') || !text.isWellFormed()

const findFault = (value: unknown, path: string[], depthLeft: number): Fault | null => {
  if (typeof value === 'string') return badText(value) ? { reason: 'FORBIDDEN_TEXT', path } : null
  // 1e400 parses as Infinity
  if (typeof value === 'number') return Number.isFinite(value) ? null : { reason: 'FORBIDDEN_NUMBER', path }
  if (typeof value !== 'object' || value === null) return null
  if (depthLeft === 0) return { reason: 'TOO_DEEP', path }
  for (const [key, inner] of Object.entries(value)) {
    if (POLLUTING.has(key)) return { reason: 'FORBIDDEN_KEY', path: [...path, key] }
    if (badText(key)) return { reason: 'FORBIDDEN_TEXT', path }
    const fault = findFault(inner, [...path, key], depthLeft - 1)
    if (fault) return fault
  }
  return null
}
