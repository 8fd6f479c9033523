import { unwrap } from '@tocsin/contract/field'
import { z } from 'zod'

/** The draft of a child row, where a field holds rows of another table. */
export const childDraft = (schema: z.ZodType): z.ZodObject | undefined => {
  const inner = unwrap(schema)
  if (inner) return childDraft(inner)
  const element = schema instanceof z.ZodArray ? schema.element : undefined
  return element instanceof z.ZodObject ? element : undefined
}
