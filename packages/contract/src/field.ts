import { z } from 'zod'

export type Lang = 'zh-cn' | 'en'
export type Label = { title: string; titleEn: string }

/** Chinese and English label of each enum value; a missing value is a compile error. */
export type EnumLabels<W extends string> = Record<W, readonly [zh: string, en: string]>

/** The label of a value; an unknown value is shown unchanged, which is better than nothing. */
export const lookupLabel = (labels: Partial<EnumLabels<string>>, value: string | number, lang: Lang): string =>
  labels[String(value)]?.[lang === 'en' ? 1 : 0] ?? String(value)

/** Labels a field in both languages. It must be the last call on a field: `.meta` is lost by any later wrapping. */
export const field = <S extends z.ZodType>(schema: S, title: string, titleEn: string): S =>
  schema.meta({ title, titleEn }) as S

/** The inner schema of a wrapper (optional, nullable, default, codec), or undefined at the core. */
export const unwrap = (schema: z.ZodType): z.ZodType | undefined => {
  const def = schema.def as { innerType?: z.ZodType; in?: z.ZodType; out?: z.ZodType }
  return def.innerType ?? def.out
}

/** The label given by `field`, read through wrappers; undefined without one. */
export const labelOf = (schema: z.ZodType): Label | undefined => {
  for (let s: z.ZodType | undefined = schema; s; s = unwrap(s)) {
    const meta = s.meta() as Partial<Label> | undefined
    if (meta?.title && meta.titleEn) return { title: meta.title, titleEn: meta.titleEn }
  }
  return undefined
}

export const labelIn = (lang: Lang, schema: z.ZodType): string => {
  const label = labelOf(schema)
  return (lang === 'en' ? label?.titleEn : label?.title) ?? ''
}

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

const dicts = z.registry<{ type: string }>()

/** The values of a text, or of a list of texts, are entries of this dictionary; wrappers of the schema keep it. */
export const inDict = <S extends z.ZodType>(schema: S, type: string): S => {
  dicts.add(schema, { type })
  return schema
}

/** The dictionary of a field, of the items of a list too. */
export const dictTypeOf = (schema: z.ZodType): string | undefined => {
  const type = dicts.get(schema)?.type
  if (type !== undefined) return type
  const { element } = schema.def as { element?: z.ZodType }
  const inner = element ?? unwrap(schema)
  return inner && dictTypeOf(inner)
}

/** The dictionaries of the fields of a draft. */
export const dictTypesOf = ({ shape }: z.ZodObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const type = dictTypeOf(schema as z.ZodType)
      return type === undefined ? [] : [[name, type] as const]
    }),
  )

const hints = new Map<string, Label>()

/**
 * A pattern with what it asks for, as people read it after "should be": `6 to 20 letters or digits, for example GATE01`.
 * An error of a field with this pattern shows it.
 */
export const pattern = (regex: RegExp, title: string, titleEn: string): RegExp => {
  hints.set(String(regex), { title, titleEn })
  return regex
}

const dates: Partial<Record<string, Label>> = {
  date: { title: '日期，例如 2026-11-30', titleEn: 'a date such as 2026-11-30' },
  datetime: { title: '日期和时间，例如 2026-11-30 08:00', titleEn: 'a date and time such as 2026-11-30 08:00' },
}

/** What the format of a rejected value asks for, where it is known. */
export const hintOf = (issue: z.core.$ZodIssueInvalidStringFormat): { hint?: Label } => {
  const hint = issue.pattern === undefined ? undefined : hints.get(issue.pattern)
  const found = hint ?? dates[issue.format]
  return found ? { hint: found } : {}
}
