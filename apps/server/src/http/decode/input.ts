import type { Endpoint } from '@tocsin/contract/endpoint'
import { fieldErrors } from '@tocsin/contract/issue'
import { codes } from '@tocsin/contract/codes'
import { z } from 'zod'
import { REFUSED_QUERY } from '#http/decode/query'
import { BadInput, Refusal } from '#http/refusal'

/** Text that PostgreSQL cannot keep as it is: NUL, and halves of a surrogate pair (trust 4). */
const unstorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  if (depth > 20) return true
  return Object.entries(value).some(([key, item]) => unstorable(key, depth) || unstorable(item, depth + 1))
}

const decode = (schema: z.ZodType, given: unknown): unknown => {
  if (unstorable(given)) throw new Refusal(codes.invalid)
  const result = z.safeDecode(schema, given as never, { reportInput: true })
  if (result.success) return result.data
  throw new BadInput(fieldErrors(schema, result.error.issues))
}

type Given = { params: unknown; query: unknown; body: unknown }

/** Decodes what a call carries. Throws BadInput naming the fields, or Refusal. */
export const decodeInput = (e: Endpoint, given: Given): Record<string, unknown> => {
  const query = given.query as Record<string, unknown>
  if (REFUSED_QUERY in query) throw new Refusal(codes.tooDeep)
  return {
    ...(e.params && { params: decode(e.params, given.params) }),
    ...(e.query && { query: decode(e.query, query) }),
    ...(e.body && { body: decode(e.body, given.body ?? {}) }),
  }
}
