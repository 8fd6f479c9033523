import { unwrap } from '@tocsin/contract/field'
import type { z } from 'zod'

type Path = readonly PropertyKey[]

const childOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as never)[key] : undefined

const valueAt = (value: unknown, path: Path): unknown => path.reduce(childOf, value)

/** A copy in which the field at `path` is null, or absent. An element of a list only becomes null. */
const replaceAt = (value: unknown, [key, ...rest]: Path, by: 'null' | 'absent'): unknown => {
  if (key === undefined || typeof value !== 'object' || value === null) return value
  const inner = rest.length === 0 ? null : replaceAt(childOf(value, key), rest, by)
  if (Array.isArray(value)) return value.map((item, at) => (at === Number(key) ? inner : item))
  const others = Object.entries(value).filter(([name]) => name !== key)
  return Object.fromEntries(rest.length === 0 && by === 'absent' ? others : [...others, [key, inner]])
}

type Decoded = { success: true; data: unknown } | { success: false; error: { issues: z.core.$ZodIssue[] } }

/**
 * Decodes a body in which clients write "" for an empty field (SPEC 5). Where the schema takes no empty text it means
 * null, or, where null is not allowed either, that the field is absent.
 */
export const decodeWithoutEmptyTexts = (given: unknown, decode: (value: unknown) => Decoded): Decoded => {
  let value = given
  let result = decode(value)
  let empty = failedPaths(result).filter((path) => path.length > 0 && valueAt(value, path) === '')
  for (const by of ['null', 'absent'] as const) {
    if (result.success || empty.length === 0) return result
    for (const path of empty) value = replaceAt(value, path, by)
    result = decode(value)
    const failed = new Set(failedPaths(result).map(String))
    empty = empty.filter((path) => failed.has(String(path)))
  }
  return result
}

const failedPaths = (result: Decoded): Path[] => (result.success ? [] : result.error.issues.map(({ path }) => path))

const shapeOf = (schema: z.ZodType): object => {
  let at: z.ZodType | undefined = schema
  while (at && !('shape' in at)) at = unwrap(at)
  return (at?.shape ?? {}) as object
}

/** A form sends a row back as it was read: fields of the row that the call does not change have no effect. */
export const dropReadOnlyFields = (body: z.ZodType, row: z.ZodType, given: unknown): unknown => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const [accepted, answered] = [shapeOf(body), shapeOf(row)]
  const isKept = (name: string) => Object.hasOwn(accepted, name) || !Object.hasOwn(answered, name)
  return Object.fromEntries(Object.entries(given).filter(([name]) => isKept(name)))
}
