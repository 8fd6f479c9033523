import type { Endpoint } from '@tocsin/contract/endpoint'
import { fieldErrors } from '@tocsin/contract/issue'
import { codes } from '@tocsin/contract/codes'
import { normalizeQuery } from '@tocsin/contract/text'
import { z } from 'zod'
import { decodeWithoutEmptyTexts, dropReadOnlyFields } from '#http/decode/body'
import { OVERSIZED_QUERY } from '#http/decode/query'
import { toQueryShape } from '#http/decode/query-shape'
import { ValidationError, BusinessError } from '#http/business-error'

const storable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Finds text that PostgreSQL cannot store: NUL, and halves of a surrogate pair (trust 4). */
const unstorableAt = (value: unknown, depth = 0): PropertyKey[] | undefined => {
  if (typeof value === 'string') return storable(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > 20) return []
  for (const [key, item] of Object.entries(value)) {
    if (!storable(key)) return []
    const found = unstorableAt(item, depth + 1)
    if (found) return [Array.isArray(value) ? Number(key) : key, ...found]
  }
  return undefined
}

/** Throws an error that names the field, or, for a value without a name, only says that it is invalid. */
const refuseUnstorable = (schema: z.ZodType, given: unknown) => {
  const path = unstorableAt(given)
  if (!path) return
  if (path.length === 0) throw new BusinessError(codes.invalid)
  throw new ValidationError(fieldErrors(schema, [{ code: 'invalid_format', format: 'text', path, message: '' }]))
}

const decode = (schema: z.ZodType, given: unknown): unknown => {
  refuseUnstorable(schema, given)
  const result = decodeWithoutEmptyTexts(given, (value) => z.safeDecode(schema, value as never, { reportInput: true }))
  if (result.success) return result.data
  throw new ValidationError(fieldErrors(schema, result.error.issues))
}

const decodeBody = ({ row }: Endpoint, body: z.ZodType, given: unknown): unknown =>
  decode(body, row ? dropReadOnlyFields(body, row, given) : given)

type Given = { params: unknown; query: unknown; body: unknown }

/** Decodes the input of a call. Throws ValidationError with the fields, or BusinessError. */
export const decodeInput = (e: Endpoint, given: Given): Record<string, unknown> => {
  const query = given.query as Record<string, unknown>
  if (OVERSIZED_QUERY in query) throw new BusinessError(codes.tooDeep)
  return {
    ...(e.params && { params: decode(e.params, given.params) }),
    ...(e.query && { query: decode(e.query, toQueryShape(e.query, normalizeQuery(query))) }),
    ...(e.body && { body: decodeBody(e, e.body, given.body ?? {}) }),
  }
}
