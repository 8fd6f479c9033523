import fc from 'fast-check'
import type { RandomSource } from './random.ts'

/** The part of JSON Schema that the OpenAPI document uses. */
export type Schema = {
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  type?: string | string[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

/** The value of every secret field; logs and responses are searched for it. */
export const SECRET = 'Fuzzed-secret-42'
const secretName = /password|secret|token|captchaCode|^code$|verifier|ticket/i

const words = ['值班', 'north gate', '一号楼', 'x', 'A-1', '张三', 'plain text'] as const

const matching = new Map<string, fc.Arbitrary<string>>()
/** Cached per pattern: a pattern that excludes character classes takes most of a second. */
const matchesOf = (pattern: string): fc.Arbitrary<string> => {
  const made = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'))
  matching.set(pattern, made)
  return made
}

const textOf = (
  { format, pattern, minLength = 0, maxLength = 200 }: Schema,
  name: string,
  random: RandomSource,
): string => {
  if (format === 'date') return '2026-03-01'
  if (format === 'date-time') return '2026-03-01T08:00:00Z'
  if (format === 'ids') return `${1 + random.next(random.one(4) ? 1000 : 25)}`
  if (format === 'email') return `u${random.next(1_000_000)}@example.com`
  if (pattern) {
    const fits = (text: string) => text.length >= minLength && text.length <= maxLength
    const [text = ''] = fc.sample(matchesOf(pattern).filter(fits), { numRuns: 1, seed: random.next(2 ** 31) })
    return text
  }
  if (secretName.test(name)) return SECRET
  const text = `${random.pick(words)}${random.next(1000)}`
  return text.padEnd(minLength, '长').slice(0, maxLength)
}

const numberOf = ({ minimum = 1, maximum = 1_000_000 }: Schema, name: string, random: RandomSource): number => {
  // Existing ids, more often than not.
  if (/(^id|Id|Ids)$/.test(name)) return 1 + random.next(random.one(4) ? 1000 : 25)
  if (name === 'version') return 1 + random.next(3)
  // Integers fit where decimals are limited too.
  const low = Math.ceil(Math.max(minimum, -1000))
  return low + random.next(Math.max(1, Math.min(Math.floor(maximum) - low + 1, 1000)))
}

const listOf = (schema: Schema, name: string, random: RandomSource): unknown[] => {
  if (schema.prefixItems) {
    const pair = schema.prefixItems.map((item) => valueOf(item, name, random))
    // A time range starts before it ends.
    return /(Time|At)$/.test(name) ? pair.toSorted((a, b) => Number(a) - Number(b)) : pair
  }
  const length = Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + random.next(3))
  return Array.from({ length }, () => valueOf(schema.items ?? {}, name, random))
}

const objectOf = ({ properties = {}, required = [] }: Schema, random: RandomSource): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name) || random.one(2))
      .map(([name, schema]) => [name, valueOf(schema, name, random)]),
  )

/** Generates a value that the schema allows. */
export const valueOf = (schema: Schema, name: string, random: RandomSource): unknown => {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return valueOf(random.pick(choices), name, random)
  if ('const' in schema) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
  if (type === 'string') return textOf(schema, name, random)
  if (type === 'integer' || type === 'number') return numberOf(schema, name, random)
  if (type === 'boolean') return random.one(2)
  if (type === 'array') return listOf(schema, name, random)
  if (type === 'object') return objectOf(schema, random)
  return null
}
