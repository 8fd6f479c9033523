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
export const toSignalDetail = (body: object | null): Said => Object.fromEntries(facts(body ?? {}))

/** Enough to recognise what was sent, in characters. */
export const MAX_RAW_CHARS = 2000

const isNoText = /[^\P{Cc}\t\n\r]|\ufffd/gu

/** Bytes as text, with a sign for what is none; as hexadecimal pairs where that is more than a tenth of it. */
export const formatRawBytes = (raw: Uint8Array | null): string | null => {
  if (raw === null) return null
  const bytes = Buffer.from(raw)
  const text = bytes.toString('utf8').slice(0, MAX_RAW_CHARS)
  if ((text.match(isNoText)?.length ?? 0) * 10 <= text.length) return text
  return bytes
    .subarray(0, MAX_RAW_CHARS / 4)
    .toString('hex')
    .replaceAll(/(..)(?=.)/g, '$1 ')
}
