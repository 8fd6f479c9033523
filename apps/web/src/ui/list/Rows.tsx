import { Card, Empty, Flex, Grid, Table } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { type Column, tableColumn } from '../column.tsx'
import { useDensity } from './density.ts'

export type RowsProps<Row> = {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  actions: ((row: Row) => ReactNode) | undefined
  onOpen: ((row: Row) => void) | undefined
  /** More of a row, below it. */
  expand: ((row: Row) => ReactNode) | undefined
  loading: boolean
  empty: ReactNode
}

const AsTable = <Row extends object>({
  rows,
  columns,
  rowKey,
  actions,
  onOpen,
  expand,
  loading,
  empty,
}: RowsProps<Row>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { density } = useDensity()
  const wide = Grid.useBreakpoint().xl ?? true
  const shown = columns.filter((one) => wide || !one.wideOnly).map((one) => tableColumn(one, lang))
  const last = {
    key: 'actions',
    title: t('list.operations'),
    fixed: 'end' as const,
    render: (_: unknown, row: Row) => actions?.(row),
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
      locale={{ emptyText: empty }}
      {...(expand && { expandable: { expandedRowRender: expand } })}
      {...(onOpen && { onRow: (row: Row) => ({ onClick: () => onOpen(row), style: { cursor: 'pointer' } }) })}
    />
  )
}

const OneCard = <Row,>({
  row,
  columns,
  actions,
  onOpen,
  expand,
}: Omit<RowsProps<Row>, 'rows' | 'rowKey' | 'loading' | 'empty'> & { row: Row }) => {
  const lang = useLang()
  const heading = columns.find((one) => one.main) ?? columns[0]
  const lines = columns.filter((one) => one !== heading && !one.wideOnly)
  return (
    <Card
      size="small"
      title={heading?.render(row)}
      extra={actions?.(row)}
      {...(onOpen && { onClick: () => onOpen(row) })}
    >
      <dl className="card-lines">
        {lines.map((one) => (
          <div key={one.key}>
            <dt>{one.title(lang)}</dt>
            <dd>{one.render(row)}</dd>
          </div>
        ))}
      </dl>
      {expand?.(row)}
    </Card>
  )
}

const AsCards = <Row extends object>({ rows, rowKey, loading, empty, ...rest }: RowsProps<Row>) => {
  if (rows.length === 0) return loading ? <Card loading /> : <>{empty}</>
  return (
    <Flex vertical gap="small">
      {rows.map((row) => (
        <OneCard key={rowKey(row)} row={row} {...rest} />
      ))}
    </Flex>
  )
}

/** A table, or cards where a table would not fit. */
export const Rows = <Row extends object>(props: RowsProps<Row>) =>
  Grid.useBreakpoint().md === false ? <AsCards {...props} /> : <AsTable {...props} />

export const Nothing = ({ text, next }: { text: string; next?: ReactNode }) => (
  <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text}>
    {next}
  </Empty>
)
