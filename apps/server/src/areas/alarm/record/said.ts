import type { Occurrence } from '@tocsin/contract/alarm/record'

/** What a message carries for order and identity, and what stands in columns of its own. */
const elsewhere = new Set(
  'v eventId boot seq ts upMs mode code kind zone replay sig press.count keyword.pack condition from to'.split(' '),
)

type Said = Occurrence['said']

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const facts = (part: object, prefix = ''): [string, Said[string]][] =>
  Object.entries(part).flatMap(([key, value]) => {
    const name = `${prefix}${key}`
    if (elsewhere.has(name)) return []
    if (isPlain(value)) return [[name, value]]
    const nested = prefix === '' && typeof value === 'object' && value !== null && !Array.isArray(value)
    return nested ? facts(value, `${key}.`) : []
  })

/** What a signal said beyond its code: a fault's name, a keyword's certainty, why it could not be read. */
export const saidOf = (body: object | null): Said => Object.fromEntries(facts(body ?? {}))

/** Enough to recognise what was sent, in characters. */
export const RAW_MOST = 2000

/** Bytes as text: what is no text shows as the sign for that. */
export const rawOf = (raw: Uint8Array | null): string | null =>
  raw === null ? null : Buffer.from(raw).toString('utf8').slice(0, RAW_MOST)
