import type { Occurrence } from '@tocsin/contract/alarm/record'

/** Fields of a message that carry order and identity, or that have columns of their own. */
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

/** The details of a signal beyond its code: name of a fault, confidence of a keyword, reason of a decoding error. */
export const toSignalDetail = (body: object | null): Said => Object.fromEntries(facts(body ?? {}))

/** Number of characters, enough to recognise the message. */
export const MAX_RAW_CHARS = 2000

const isNoText = /[^\P{Cc}\t\n\r]|\ufffd/gu

/** Bytes as text with a placeholder for unprintable ones; as hexadecimal pairs when those are more than a tenth. */
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
