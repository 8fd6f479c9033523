import { type Lang, labelIn } from '@tocsin/contract/field'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { EnumKind } from '#texts/enum-labels.ts'
import { EnumTag, EnumLabel } from './EnumTag.tsx'
import { formatDateTime } from './time.ts'

/** A column as the list shows it in a table and, on a phone, as a line of a card. */
export type Column<Row> = {
  key: string
  title: (lang: Lang) => string
  render: (row: Row) => ReactNode
  width?: number
  /** On a screen that is not wide: in as many lines as it has words, so that all columns stay in sight. */
  tight?: boolean
  /** A number that is compared with those above and below it: set at the end of its column. */
  figure?: boolean
  /** The heading of the card. */
  main?: boolean
  /** Left out on screens below 1200 px; the detail has it. */
  wideOnly?: boolean
}

/** The day above the time: a day by itself would break at its hyphens. */
const inTwo = (text: string) => {
  const [day, time] = text.split(' ')
  return (
    <>
      <span>{day}</span> <span>{time}</span>
    </>
  )
}

/** How a value is shown when the column does not say. */
const plain = (value: unknown, tight = false): ReactNode => {
  if (value === null || value === undefined || value === '') return '—'
  if (value instanceof Date) {
    const text = formatDateTime(value)
    return <span className="stamp">{tight ? inTwo(text) : text}</span>
  }
  if (Array.isArray(value)) return value.join(', ')
  return String(value)
}

type More<Row, Value> = Omit<Partial<Column<Row>>, 'key' | 'render'> & {
  /** The value is a word of this kind: as a coloured tag, or as plain text. */
  tag?: EnumKind
  word?: EnumKind
  show?: (value: Value, row: Row) => ReactNode
}

/** A column whose title comes from the contract; a name it does not have does not compile. */
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
    return show ? show(value, row) : plain(value, more.tight)
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
