import { type Lang, labelIn } from '@tocsin/contract/field'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { EnumKind } from '#texts/enum-labels.ts'
import { EnumTag, EnumLabel } from './EnumTag.tsx'
import { formatDateTime } from './time.ts'

/** A column, shown in a table or, on a phone, as a line of a card. */
export type Column<Row> = {
  key: string
  title: (lang: Lang) => string
  render: (row: Row) => ReactNode
  width?: number
  /** On a narrow screen: wraps at every word, so that all columns stay visible. */
  tight?: boolean
  /** A number that is compared with those above and below: aligned to the end of its column. */
  figure?: boolean
  /** The heading of the card. */
  main?: boolean
  /** Left out on screens below 1200 px; the detail has it. */
  wideOnly?: boolean
  /** Shown only where the user chose it. */
  optional?: boolean
}

/** How a value is shown when the column does not say. */
const plain = (value: unknown): ReactNode => {
  if (value === null || value === undefined || value === '') return '–'
  if (value instanceof Date) return <span className="stamp">{formatDateTime(value)}</span>
  if (Array.isArray(value)) return value.join(', ') || '–'
  return String(value)
}

type More<Row, Value> = Omit<Partial<Column<Row>>, 'key' | 'render'> & {
  /** The value is a word of this kind: as a coloured tag, or as plain text. */
  tag?: EnumKind
  word?: EnumKind
  show?: (value: Value, row: Row) => ReactNode
}

/** A column whose title comes from the contract; an unknown name does not compile. */
export const column = <S extends z.ZodObject, K extends keyof z.output<S> & keyof S['shape'] & string>(
  of: S,
  name: K,
  { tag, word, show, ...more }: More<z.output<S>, z.output<S>[K]> = {},
): Column<z.output<S>> => ({
  key: name,
  // See fieldIssues for the type.
  title: (lang) => labelIn(lang, of.shape[name] as z.ZodType),
  render: (row) => {
    const value = row[name]
    // Enum columns hold text, a number or nothing.
    if (tag) return <EnumTag kind={tag} value={value as string | number | null} />
    if (word) return <EnumLabel kind={word} value={value as string | number | null} />
    return show ? show(value, row) : plain(value)
  },
  ...more,
})

export const tableColumn = <Row,>(
  { key, title, render, width, figure, tight }: Column<Row>,
  lang: Lang,
): TableColumnType<Row> => ({
  key,
  title: title(lang),
  render: (_, row) => render(row),
  ...(width !== undefined && { width }),
  ...(figure && { align: 'end' as const }),
  ...(tight && { className: 'tight' }),
})
