import { auditFields } from '@tocsin/contract/audit-fields'
import { labelIn } from '@tocsin/contract/field'
import { useMemo } from 'react'
import type { Column } from '../column.tsx'
import { formatDateTime } from '../time.ts'
import { type ColumnChoice, useColumnChoices } from './column-choice.ts'

const times = ['createTime', 'updateTime'] as const
type TimeName = (typeof times)[number]

export const INDEX = 'index'

/** The place of a row in the whole list (SPEC 3). */
const indexColumn = <Row extends object>(rows: readonly Row[], offset: number): Column<Row> => {
  const places = new Map(rows.map((row, at) => [row, offset + at + 1]))
  return {
    key: INDEX,
    title: (lang) => (lang === 'en' ? 'No.' : '序号'),
    render: (row) => places.get(row) ?? '',
    figure: true,
    optional: true,
  }
}

const timeColumn = <Row extends object>(name: TimeName): Column<Row> => ({
  key: name,
  title: (lang) => labelIn(lang, auditFields[name]),
  // The column is offered only where rows have the field.
  render: (row) => formatDateTime((row as Record<TimeName, Date>)[name]),
  optional: true,
})

/** Whether a column is shown: as chosen, else as the list has it. */
export const isColumnShown = ({ key, optional }: Pick<Column<never>, 'key' | 'optional'>, choice: ColumnChoice) =>
  choice[key] ?? !optional

const has = (row: object | undefined, name: TimeName): boolean => row !== undefined && Object.hasOwn(row, name)

type List<Row> = { columns: readonly Column<Row>[]; rows: readonly Row[] | undefined; offset: number }

const none: ColumnChoice = {}

/** All columns of a list with those common to all lists, and those that are shown. The list is named by its address. */
export const useColumns = <Row extends object>(list: string, { columns, rows = [], offset }: List<Row>) => {
  const choice = useColumnChoices(({ lists }) => lists[list] ?? none)
  const [created, updated] = times.map((name) => has(rows[0], name))
  // The numbers change with the rows; without them the columns stay the same objects.
  const numbered = choice[INDEX] ? rows : undefined
  return useMemo(() => {
    const known = new Set(columns.map(({ key }) => key))
    const found = times.filter((name) => !known.has(name) && (name === 'createTime' ? created : updated))
    const all = [indexColumn(numbered ?? [], offset), ...columns, ...found.map((name) => timeColumn<Row>(name))]
    const shown = all
      .filter((item) => isColumnShown(item, choice))
      .map((item) => (choice[item.key] && item.wideOnly ? { ...item, wideOnly: false } : item))
    return { all, shown, choice }
  }, [columns, numbered, offset, created, updated, choice])
}
