import { Card, Checkbox, Empty, Flex, Table, type TableProps } from 'antd'
import { type Key, type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { type Column, tableColumn } from '../column.tsx'
import { useMedium, useVeryWide } from '../responsive/media.ts'
import { useDensity } from './density.ts'
import { skipColumnMeasuring } from './skip-column-measuring.ts'

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

/** antd's row selection. */
export const selectionOf = <Row extends object>(
  { keys, onPick, why, name }: RowPicking<Row>,
  label: (name: string) => string,
) => ({
  selectedRowKeys: [...keys],
  fixed: true,
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
  const shown = useMemo(
    () =>
      columns
        .filter((column) => wide || !column.wideOnly)
        .map((column) => ({ ...tableColumn(column, lang), ...sorterOf(column, sorting) })),
    [columns, wide, lang, sorting],
  )
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
      components={skipColumnMeasuring}
      locale={{ emptyText: empty }}
      {...(picking && { rowSelection: selectionOf(picking, (name) => t('list.pick', { name })) })}
      onChange={onChange}
      {...(expand && { expandable: { expandedRowRender: expand } })}
      {...(onOpen && { onRow: (row: Row) => ({ onClick: () => onOpen(row), style: { cursor: 'pointer' } }) })}
    />
  )
}

const PickBox = <Row,>({ row, id, picking }: { row: Row; id: string | number; picking: RowPicking<Row> }) => {
  const { t } = useTranslation()
  const { keys, onPick, why, name } = picking
  const reason = why(row)
  return (
    <Checkbox
      checked={keys.includes(id)}
      disabled={reason !== undefined}
      aria-label={t('list.pick', { name: name(row) })}
      {...(reason && { title: reason })}
      onClick={(event) => event.stopPropagation()}
      onChange={({ target }) => onPick(target.checked ? [...keys, id] : keys.filter((key) => key !== id))}
    />
  )
}

const OneCard = <Row,>({
  row,
  id,
  columns,
  actions,
  onOpen,
  expand,
  picking,
}: Omit<RowsProps<Row>, 'rows' | 'rowKey' | 'loading' | 'empty' | 'sorting'> & { row: Row; id: string | number }) => {
  const lang = useLang()
  const heading = columns.find((column) => column.main) ?? columns[0]
  const lines = columns.filter((column) => column !== heading && !column.wideOnly)
  return (
    <Card
      size="small"
      title={
        picking ? (
          <Flex gap="small" align="center">
            <PickBox row={row} id={id} picking={picking} />
            {heading?.render(row)}
          </Flex>
        ) : (
          heading?.render(row)
        )
      }
      extra={actions?.(row)}
      {...(onOpen && { onClick: () => onOpen(row) })}
    >
      <dl className="card-lines">
        {lines.map((line) => (
          <div key={line.key}>
            <dt>{line.title(lang)}</dt>
            <dd>{line.render(row)}</dd>
          </div>
        ))}
      </dl>
      {expand?.(row)}
    </Card>
  )
}

const AsCards = <Row extends object>({ rows, rowKey, loading, empty, sorting: _order, ...rest }: RowsProps<Row>) => {
  if (rows.length === 0) return loading ? <Card loading /> : <>{empty}</>
  return (
    <Flex vertical gap="small">
      {rows.map((row) => (
        <OneCard key={rowKey(row)} id={rowKey(row)} row={row} {...rest} />
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
