import { Card, Empty, Flex, Table, type TableProps } from 'antd'
import { type Key, type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { type Column, tableColumn } from '../../column.tsx'
import { useMedium, useVeryWide } from '../../responsive/media.ts'
import { useDensity } from '../density.ts'
import type { RowPicking, RowSorting, RowsProps } from './row-types.ts'
import { RowCard } from './RowCard.tsx'
import { OpeningRow, RowName, type RowOpening } from './row-opening.tsx'
import { skipColumnMeasuring } from './skip-column-measuring.ts'
import '../list.css'

/** antd's row selection. */
export const selectionOf = <Row extends object>(
  { keys, onPick, why, name }: RowPicking<Row>,
  label: (name: string) => string,
) => ({
  selectedRowKeys: [...keys],
  fixed: true,
  // The name column sticks beside it, see ui.css.
  columnWidth: 40,
  // Keys are those of `rowKey`.
  onChange: (next: Key[]) => onPick(next as (string | number)[]),
  getCheckboxProps: (row: Row) => {
    const reason = why(row)
    return { disabled: reason !== undefined, 'aria-label': label(name(row)), ...(reason && { title: reason }) }
  },
})

/** antd's properties of a column that can be sorted. */
type ColumnSorter = { sorter?: true; sortOrder?: 'ascend' | 'descend' | null }

const sorterOf = ({ key }: { key: string }, sorting: RowSorting | undefined): ColumnSorter => {
  if (!sorting?.names.includes(key)) return {}
  const { orderBy } = sorting
  const sortOrder = orderBy === key ? ('ascend' as const) : orderBy === `-${key}` ? ('descend' as const) : null
  return { sorter: true, sortOrder }
}

/** antd reports the column and its next order; no order restores the usual one. */
const changeSort = ({ onSort }: RowSorting, columnKey: Key | undefined, order: string | null | undefined) =>
  onSort(order ? `${order === 'descend' ? '-' : ''}${String(columnKey)}` : undefined)

/** Columns before the name of a row. */
const NUMBERS = new Set(['index', 'id'])

/** The first column stays in view, and its cell opens the row. */
const nameColumn = <Row,>(
  { render }: Column<Row>,
  { className }: { className?: string | undefined },
  onOpen: ((row: Row) => void) | undefined,
) => ({
  className: className ? `${className} first-column` : 'first-column',
  render: (_: unknown, row: Row) => <RowName onOpen={onOpen && (() => onOpen(row))}>{render(row)}</RowName>,
})

const components = { body: { ...skipColumnMeasuring.body, row: OpeningRow } }

const AsTable = <Row extends object>({
  rows,
  columns,
  rowKey,
  actions,
  onOpen,
  expand,
  picking,
  sorting,
  loading = false,
  empty,
}: RowsProps<Row>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { density } = useDensity()
  const wide = useVeryWide()
  // The same object while its inputs are: a refetch renders only the cells that changed.
  const shown = useMemo(() => {
    const fitting = columns.filter((column) => wide || !column.wideOnly)
    const name = fitting.find(({ key }) => !NUMBERS.has(key))
    return fitting.map((column) => {
      const plain = { ...tableColumn(column, lang), ...sorterOf(column, sorting) }
      return column === name ? { ...plain, ...nameColumn(column, plain, onOpen) } : plain
    })
  }, [columns, wide, lang, sorting, onOpen])
  const last = {
    key: 'actions',
    title: t('list.operations'),
    fixed: 'end' as const,
    render: (_: unknown, row: Row) => actions?.(row),
  }
  const onChange: NonNullable<TableProps<Row>['onChange']> = (_page, _filters, sorter) => {
    if (sorting && !Array.isArray(sorter)) changeSort(sorting, sorter.columnKey, sorter.order)
  }
  return (
    <Table<Row>
      size={density}
      rowKey={rowKey}
      columns={actions ? [...shown, last] : shown}
      dataSource={rows}
      loading={loading}
      pagination={false}
      scroll={{ x: 'max-content' }}
      components={components}
      className={picking ? 'has-picking' : ''}
      locale={{ emptyText: empty }}
      {...(picking && { rowSelection: selectionOf(picking, (name) => t('list.pick', { name })) })}
      onChange={onChange}
      {...(expand && { expandable: { expandedRowRender: expand } })}
      {...(onOpen && { onRow: (row: Row): RowOpening => ({ onOpen: () => onOpen(row) }) })}
    />
  )
}

const AsCards = <Row extends object>({ rows, rowKey, loading, empty, sorting: _order, ...rest }: RowsProps<Row>) => {
  if (rows.length === 0) return loading ? <Card loading /> : <>{empty}</>
  return (
    <Flex vertical gap="small">
      {rows.map((row) => (
        <RowCard key={rowKey(row)} id={rowKey(row)} row={row} {...rest} />
      ))}
    </Flex>
  )
}

/** A table, or cards where a table would not fit. */
export const Rows = <Row extends object>(props: RowsProps<Row>) =>
  useMedium() ? <AsTable {...props} /> : <AsCards {...props} />

export const EmptyList = ({ text, next }: { text: string; next?: ReactNode }) => (
  <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text}>
    {next}
  </Empty>
)
