import { type Lang, labelIn } from '@tocsin/contract/field'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { z } from 'zod'
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

/** A date to the minute on one line, to the second on hover. */
const Stamp = ({ at, exact }: { at: Date; exact: boolean }) => {
  const text = formatDateTime(at)
  return (
    <span className="stamp" title={text}>
      {exact ? text : text.slice(0, 16)}
    </span>
  )
}

/** How a value is shown when the column does not say. */
const plain = (value: unknown, exact: boolean): ReactNode => {
  if (value === null || value === undefined || value === '') return '–'
  if (value instanceof Date) return <Stamp at={value} exact={exact} />
  if (Array.isArray(value)) return value.join(', ') || '–'
  return String(value)
}

const isNumber = (schema: unknown): boolean => {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return isNumber(schema.unwrap())
  return schema instanceof z.ZodNumber
}

type More<Row, Value> = Omit<Partial<Column<Row>>, 'key' | 'render'> & {
  /** The value is a word of this kind: as a coloured tag, or as plain text. */
  tag?: EnumKind
  word?: EnumKind
  show?: (value: Value, row: Row) => ReactNode
  /** A time to the second, as of alarms and logs. */
  exact?: boolean
}

/** A column whose title comes from the contract; an unknown name does not compile. */
export const column = <S extends z.ZodObject, K extends keyof z.output<S> & keyof S['shape'] & string>(
  of: S,
  name: K,
  { tag, word, show, exact = false, ...more }: More<z.output<S>, z.output<S>[K]> = {},
): Column<z.output<S>> => ({
  key: name,
  // See fieldIssues for the type.
  title: (lang) => labelIn(lang, of.shape[name] as z.ZodType),
  render: (row) => {
    const value = row[name]
    // Enum columns hold text, a number or nothing.
    if (tag) return <EnumTag kind={tag} value={value as string | number | null} />
    if (word) return <EnumLabel kind={word} value={value as string | number | null} />
    return show ? show(value, row) : plain(value, exact)
  },
  ...(!tag && !word && !show && isNumber(of.shape[name]) && { figure: true }),
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
