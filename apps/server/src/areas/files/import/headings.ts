import { labelOf } from '@tocsin/contract/field'
import type { z } from 'zod'
import type { AnyImporter } from './importer.ts'

/** Which column holds which field; a field without a column is absent. */
export type Headings = ReadonlyMap<string, number>

/** A note in brackets at the end of a heading, such as 手机号码（11位）. */
const suffix = /[（([【〔［][^（）()[\]【】〔〕［］]*[）)\]】〕］]$/

const strip = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\s*:]/g, '')
    .toLowerCase()

/** A heading as it is compared: width, blanks, marks, letter case and notes in brackets do not count. */
export const normalizeHeading = (text: string): string => {
  let plain = strip(text)
  for (;;) {
    const shorter = plain.replace(suffix, '')
    if (shorter === plain || shorter === '') return plain
    plain = shorter
  }
}

const spellings = ({ sheet, otherHeadings = {} }: AnyImporter) =>
  Object.entries(sheet.shape).map(([field, schema]) => {
    const label = labelOf(schema as z.ZodType)
    return [
      field,
      [label?.title ?? '', label?.titleEn ?? '', ...(otherHeadings[field] ?? [])].map(normalizeHeading),
    ] as const
  })

/** Reads the headings. Of two columns for one field the one with the more exact heading counts. */
export const readHeadings = (importer: AnyImporter, cells: readonly string[]): Headings => {
  const heads = cells.map(normalizeHeading)
  const found = new Map<string, number>()
  for (const [field, known] of spellings(importer)) {
    const name = known.find((item) => item !== '' && heads.includes(item))
    if (name !== undefined) found.set(field, heads.indexOf(name))
  }
  importer.adjustHeadings?.(found, heads)
  return found
}

/** The texts of a line by field; empty cells are left out. */
export const cellsByField = (headings: Headings, cells: readonly string[]): Record<string, string> =>
  Object.fromEntries([...headings].flatMap(([field, at]) => (cells[at] ? [[field, cells[at]]] : [])))

/** The letters of a column, `A` for 0. */
const letters = (at: number): string =>
  (at < 26 ? '' : letters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))

/** The columns that no field was read from: their headings, or their letters where they have none. */
export const nameColumns = (columns: Iterable<number>, heads: readonly string[]): string[] =>
  [...columns].sort((a, b) => a - b).map((at) => heads[at] || letters(at))
