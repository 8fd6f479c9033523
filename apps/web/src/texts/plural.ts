/** The words of a text like `{n, plural(one: alarm; other: alarms)}`. */
export type PluralWords = { one: string; other: string }

/** A count with its noun, for English: other languages of the product have no plural. */
export const formatPlural = (count: number | string, words: PluralWords): string =>
  `${count} ${String(count) === '1' ? words.one : words.other}`
