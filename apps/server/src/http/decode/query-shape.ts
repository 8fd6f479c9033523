import type { z } from 'zod'

type Shape = Record<string, z.ZodType>

/** Sent by clients with every list, or to defeat a cache. A call that does not know them ignores them. */
const ignoredParameters: ReadonlySet<string> = new Set(['_t', 'pageNo', 'pageNum', 'pageSize'])

/** What a parameter holds on the wire: one value, a list of any length, or a pair with fixed places. */
type Arity = 'one' | 'list' | 'tuple'

const arityOf = (schema: z.ZodType): Arity => {
  const {
    type,
    innerType,
    in: sent,
    options,
  } = schema.def as {
    type: string
    innerType?: z.ZodType
    in?: z.ZodType
    options?: z.ZodType[]
  }
  if (type === 'tuple') return 'tuple'
  if (type === 'array') return 'list'
  const inner = innerType ?? sent
  if (inner) return arityOf(inner)
  return options?.map(arityOf).find((arity) => arity !== 'one') ?? 'one'
}

/** @returns undefined for a list of empty texts alone. A value that is repeated unchanged is one value. */
const simplifyList = (schema: z.ZodType | undefined, values: unknown[]): unknown => {
  const filled = values.filter((value) => value !== '')
  if (filled.length === 0) return undefined
  const arity = schema ? arityOf(schema) : 'one'
  if (arity === 'tuple') return values
  return arity === 'one' && filled.every((value) => value === filled[0]) ? filled[0] : filled
}

/** The parameters of a query by the shape of its schema: without empty and ignored ones. */
export const toQueryShape = ({ shape }: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> => {
  const known = shape as Shape
  const entries = Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined
    if (!schema && ignoredParameters.has(name)) return []
    const simple = Array.isArray(value) ? simplifyList(schema, value) : value
    return simple === undefined ? [] : [[name, simple]]
  })
  return Object.fromEntries(entries)
}
