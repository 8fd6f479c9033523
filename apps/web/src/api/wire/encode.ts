import type { Endpoint } from '@tocsin/contract/endpoint'
import { fieldErrors } from '@tocsin/contract/issue'
import { normalizeQuery } from '@tocsin/contract/text'
import { codes } from '@tocsin/contract/codes'
import { z } from 'zod'
import { ApiError } from '../error.ts'

/** SPEC 7: nested objects and arrays by bracketed keys, nulls skipped; SPEC 5: an empty string counts as null. */
export const bracketed = (value: unknown, key = ''): [string, string][] => {
  if (value === null || value === undefined || value === '') return []
  if (typeof value !== 'object') return [[key, String(value)]]
  return Object.entries(value).flatMap(([name, item]) => bracketed(item, key ? `${key}[${name}]` : name))
}

/** SPEC 5: empty strings travel as null, at any depth. */
export const emptyToNull = (value: unknown): unknown => {
  if (value === '') return null
  if (Array.isArray(value)) return value.map(emptyToNull)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, emptyToNull(item)]))
}

/** Encodes by the contract; input that the contract rejects is reported as the server would, and never sent. */
const encode = (schema: z.ZodType, value: unknown): unknown => {
  // The value has the type that the contract demands; `never` because the schema is not known here.
  const result = z.safeEncode(schema, value as never, { reportInput: true })
  if (result.success) return result.data
  const errors = fieldErrors(schema, result.error.issues)
  throw new ApiError({ code: codes.invalid.code, msg: errors[0]?.message ?? codes.invalid.zh, errors })
}

const fillPath = (path: string, params: Record<string, unknown>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

const addressOf = (e: Endpoint, input: unknown): string => {
  const given = (input ?? {}) as { params?: unknown; query?: unknown }
  const params = e.params ? (encode(e.params, given.params ?? {}) as Record<string, unknown>) : {}
  const query = e.query ? bracketed(encode(e.query, normalizeQuery(given.query ?? {}))) : []
  const search = new URLSearchParams(query).toString()
  return fillPath(e.path, params) + (search && `?${search}`)
}

const bodyOf = (e: Endpoint, body: unknown): { body: BodyInit | null; type?: string } => {
  if (!e.body) return { body: null }
  const encoded = emptyToNull(encode(e.body, body))
  if (e.kind !== 'form') return { body: JSON.stringify(encoded), type: 'application/json' }
  return { body: formOf(encoded) }
}

const formOf = (fields: unknown): FormData => {
  const form = new FormData()
  for (const [key, value] of bracketed(fields)) form.append(key, value)
  return form
}

/** Files of an upload for each file part of its endpoint. */
export type UploadFiles = Readonly<Record<string, readonly File[]>>

/** The multipart body of an upload: fields first, so that the server knows them when the files arrive. */
export const encodeUpload = (e: Endpoint, input: unknown, files: UploadFiles): { path: string; body: FormData } => {
  const { body: fields } = (input ?? {}) as { body?: unknown }
  const form = formOf(e.body ? emptyToNull(encode(e.body, fields)) : undefined)
  for (const [part, given] of Object.entries(files)) for (const file of given) form.append(part, file, file.name)
  return { path: addressOf(e, input), body: form }
}

/** Address (without the base), body and content type of a call. Throws ApiError 400 naming the rejected fields. */
export const encodeCall = (e: Endpoint, input: unknown) => {
  const { body } = (input ?? {}) as { body?: unknown }
  return { path: addressOf(e, input), ...bodyOf(e, body) }
}
