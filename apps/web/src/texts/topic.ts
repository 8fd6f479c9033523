import type { Lang } from '@tocsin/contract/field'

/** One text in both languages; a key that lacks one does not compile. */
export type TextPair = readonly [zh: string, en: string]
/** The texts of one subject by their keys. */
export type Topic = Record<string, TextPair>

/** The same topics with plain texts, as the translation library reads them. */
export type TextsOf<T extends Record<string, Topic>> = { [A in keyof T]: { [K in keyof T[A]]: string } }

/** The texts of one language. */
export const pickLanguage = <T extends Record<string, Topic>>(topics: T, lang: Lang): TextsOf<T> => {
  const index = lang === 'en' ? 1 : 0
  const entries = Object.entries(topics).map(([name, topic]) => [
    name,
    Object.fromEntries(Object.entries(topic).map(([key, pair]) => [key, pair[index]])),
  ])
  return Object.fromEntries(entries)
}
