import type { FormInstance } from 'antd'
import type { Lang } from '@tocsin/contract/field'
import { type FieldError, fieldErrors, fieldErrorText, issueText } from '@tocsin/contract/issue'
import { z } from 'zod'

/** An empty field means "nothing", which the contract writes as null, an empty list, or leaves out. */
const settle = (schema: z.ZodType, value: unknown): unknown => {
  if (value !== '' && value !== undefined && value !== null) return value
  return [null, undefined, []].find((nothing) => schema.safeParse(nothing).success)
}

/** The errors of one field by the contract, none when it is valid. */
export const fieldErrorTexts = (of: z.ZodObject, name: string, value: unknown, lang: Lang): string[] => {
  // The shape's own type says $ZodType; all our schemas are made by zod's classic build.
  const schema = of.shape[name] as z.ZodType
  const result = z.safeEncode(schema, settle(schema, value) as never, { reportInput: true })
  if (result.success) return []
  const issues = result.error.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] }))
  // A missing part of a compound value goes by its name.
  return fieldErrors(of, issues).map((error) => (error.field === name ? fieldErrorText : issueText)(error, lang))
}

/** Every field of the draft, empty ones as null. */
export const toDraft = <S extends z.ZodObject>(of: S, values: Record<string, unknown>): z.output<S> => {
  const fields = Object.entries(of.shape).map(([name, schema]) => [name, settle(schema as z.ZodType, values[name])])
  // Validated again when the call is encoded; the form's rules have already rejected what does not fit.
  return Object.fromEntries(fields) as z.output<S>
}

/** The same for the rows of a Form.List. */
export const toDrafts = <S extends z.ZodObject>(of: S, values: unknown): z.output<S>[] =>
  Array.isArray(values) ? values.map((value) => toDraft(of, value as Record<string, unknown>)) : []

/** Marks the fields that the server rejected. @returns the errors whose field the form does not have. */
export const markErrors = (form: FormInstance, errors: readonly FieldError[], lang: Lang): FieldError[] => {
  // A field that nobody touched is only in the list of shown ones.
  const known = new Set(Object.keys({ ...form.getFieldsValue(true), ...form.getFieldsValue() }))
  const mine = errors.filter(({ field }) => known.has(field.split('.')[0] ?? ''))
  const textOf = (error: FieldError) => (error.field.includes('.') ? issueText : fieldErrorText)(error, lang)
  form.setFields(mine.map((error) => ({ name: error.field.split('.')[0], errors: [textOf(error)] })))
  return errors.filter((error) => !mine.includes(error))
}

export const isRequired = (schema: z.ZodType): boolean =>
  ![undefined, null, []].some((nothing) => schema.safeParse(nothing).success)
