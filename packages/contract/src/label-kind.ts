import { z } from 'zod'
import { unwrap } from './field.ts'

const kinds = z.registry<{ kind: string }>()

/** Names the table of labels of an enum, such as `deviceKind`; wrappers of the schema keep it. */
export const labelled = <S extends z.ZodType>(schema: S, kind: string): S => {
  kinds.add(schema, { kind })
  return schema
}

/** The table of labels of a field, of the items of a list too. */
export const labelKindOf = (schema: z.ZodType): string | undefined => {
  const kind = kinds.get(schema)?.kind
  if (kind !== undefined) return kind
  const { element } = schema.def as { element?: z.ZodType }
  const inner = element ?? unwrap(schema)
  return inner && labelKindOf(inner)
}
