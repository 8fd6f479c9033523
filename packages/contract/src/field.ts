import { z } from 'zod'

export type Lang = 'zh-cn' | 'en'
export type Label = { title: string; titleEn: string }

/** Chinese and English of each word of an enum; a word of the contract missing here is a compile error. */
export type EnumLabels<W extends string> = Record<W, readonly [zh: string, en: string]>

/** The word to show; one that is not known is shown as it came, the truth in code being better than none. */
export const lookupLabel = (labels: Partial<EnumLabels<string>>, value: string | number, lang: Lang): string =>
  labels[String(value)]?.[lang === 'en' ? 1 : 0] ?? String(value)

/** Names a field in both languages. The last call on every field: `.meta` is lost by any later wrapping. */
export const field = <S extends z.ZodType>(schema: S, title: string, titleEn: string): S =>
  schema.meta({ title, titleEn }) as S

/** What a wrapper (optional, nullable, default, codec) is built around, or undefined at the core. */
export const unwrap = (schema: z.ZodType): z.ZodType | undefined => {
  const def = schema.def as { innerType?: z.ZodType; in?: z.ZodType; out?: z.ZodType }
  return def.innerType ?? def.out
}

/** The label given by `field`, read through wrappers; undefined when nobody named it. */
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
