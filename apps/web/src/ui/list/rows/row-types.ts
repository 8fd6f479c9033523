import type { ReactNode } from 'react'
import type { Column } from '../../column.tsx'

/** Rows selected for a bulk action. */
export type RowPicking<Row> = {
  keys: readonly (string | number)[]
  onPick: (keys: (string | number)[]) => void
  /** Why a row cannot be chosen. */
  why: (row: Row) => string | undefined
  /** The accessible name of a row. */
  name: (row: Row) => string
}

/** The order of the rows, which the server makes: a column, with a minus the largest first. */
export type RowSorting = {
  names: readonly string[]
  orderBy: string | undefined
  onSort: (orderBy: string | undefined) => void
}

export type RowsProps<Row> = {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  actions: ((row: Row) => ReactNode) | undefined
  onOpen: ((row: Row) => void) | undefined
  /** More of a row, below it. */
  expand: ((row: Row) => ReactNode) | undefined
  picking?: RowPicking<Row> | undefined
  sorting?: RowSorting | undefined
  /** Nothing is loaded yet. */
  loading?: boolean
  empty: ReactNode
}
