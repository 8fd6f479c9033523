import { useQuery } from '@tanstack/react-query'
import { CodegenColumn, type CodegenDetail, type CodegenFullDetail } from '@tocsin/contract/codegen/codegen'
import { type Lang, labelIn } from '@tocsin/contract/field'
import { dictTypes } from '@tocsin/contract/settings/dict'
import { Alert, Card, Flex, Grid, Table, Tag, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { LongText } from '#ui/LongText.tsx'
import { useTreeDrag } from '#ui/tree/tree-drag.ts'
import { ColumnCell } from './ColumnCell.tsx'
import { type Move, OrderCell, type Placed, useColumnOrder } from './ColumnOrder.tsx'
import { type Editable, flags, isFlag, isOffered } from './columns-form.ts'
import { FlagAll } from './FlagAll.tsx'
import '#ui/list/screens.css'
import '../codegen.css'

/** Data that only the database has. */
export type Unchosen = Pick<CodegenFullDetail, 'looked' | 'leftOut'>

const About = ({ column }: { column: CodegenColumn }) => {
  const { t } = useTranslation()
  return (
    <Flex vertical gap={2}>
      <Typography.Text strong className="breaks">
        {column.columnName}
      </Typography.Text>
      <Typography.Text type="secondary" className="breaks">
        {column.dataType}
      </Typography.Text>
      {column.comment !== null && column.comment !== column.title && <LongText text={column.comment} width={200} />}
      <Flex wrap gap={4}>
        {!column.nullable && <Tag>{t('codegen.notNull')}</Tag>}
        {column.single && <Tag color="blue">{t('codegen.unique')}</Tag>}
        {column.refers !== null && <Tag color="purple">→ {column.refers}</Tag>}
      </Flex>
    </Flex>
  )
}

type Cell = { name: Editable; width: number }
const cells: readonly Cell[] = [
  { name: 'title', width: 150 },
  { name: 'titleEn', width: 150 },
  { name: 'inList', width: 60 },
  { name: 'inCreate', width: 60 },
  { name: 'inUpdate', width: 60 },
  { name: 'required', width: 60 },
  { name: 'formType', width: 120 },
  { name: 'dictType', width: 170 },
  { name: 'inQuery', width: 60 },
  { name: 'queryType', width: 110 },
  { name: 'example', width: 130 },
]

const cellsOf = (looked: boolean) => cells.filter(({ name }) => isOffered(name, looked))

const titleOf = (name: keyof typeof CodegenColumn.shape, lang: Lang): string => labelIn(lang, CodegenColumn.shape[name])

/** A setting of all columns, with a checkbox for the whole column. */
const Head = ({ name, columns }: { name: Editable; columns: readonly CodegenColumn[] }) => {
  const title = titleOf(name, useLang())
  if (!isFlag(name)) return title
  return (
    <Flex vertical gap={4}>
      {title}
      <FlagAll flag={name} columns={columns} title={title} />
    </Flex>
  )
}

type Props = {
  columns: readonly CodegenColumn[]
  rows: readonly Placed[]
  move: Move
  looked: boolean
  cell: (name: Editable, at: number) => ReactNode
}

const AsTable = ({ columns, rows, move, looked, cell }: Props) => {
  const lang = useLang()
  const { handle, target } = useTreeDrag(rows, { holds: () => false, move })
  return (
    <Table<Placed>
      size="small"
      rowKey="id"
      className="code-columns"
      pagination={false}
      scroll={{ x: 'max-content' }}
      dataSource={rows}
      onRow={target}
      columns={[
        {
          key: 'sort',
          title: titleOf('sort', lang),
          fixed: 'start',
          width: 90,
          render: (_, row) => <OrderCell row={row} rows={rows} move={move} handle={handle(row)} />,
        },
        {
          key: 'about',
          title: titleOf('columnName', lang),
          fixed: 'start',
          width: 180,
          render: (_, { column }) => <About column={column} />,
        },
        ...cellsOf(looked).map(({ name, width }) => ({
          key: name,
          title: <Head name={name} columns={columns} />,
          width,
          render: (_: unknown, { at }: Placed) => cell(name, at),
        })),
      ]}
    />
  )
}

const AsCards = ({ columns, rows, move, looked, cell }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Flex vertical gap="middle">
      <Card size="small" title={t('codegen.every')}>
        <Flex wrap gap="middle">
          {flags
            .filter((name) => isOffered(name, looked))
            .map((name) => (
              <Head key={name} name={name} columns={columns} />
            ))}
        </Flex>
      </Card>
      {rows.map((row) => (
        <Card key={row.id} size="small">
          <Flex justify="space-between" align="start">
            <About column={row.column} />
            <OrderCell row={row} rows={rows} move={move} />
          </Flex>
          <div className="code-column" style={{ marginTop: 8 }}>
            {cellsOf(looked).map(({ name }) => (
              <div key={name}>
                <div>
                  <Typography.Text type="secondary">{titleOf(name, lang)}</Typography.Text>
                </div>
                {cell(name, row.at)}
              </div>
            ))}
          </div>
        </Card>
      ))}
    </Flex>
  )
}

/** Columns without settings, with the reason. */
const LeftOut = ({ of: { looked, leftOut } }: { of: Unchosen }) => {
  const { t } = useTranslation()
  return (
    <Alert
      type="info"
      style={{ marginTop: 16 }}
      title={t(looked ? 'codegen.unshown' : 'codegen.leftOut')}
      description={
        <ul className="code-left">
          {leftOut.map(({ columnName, dataType, nullable, preset, comment }) => (
            <li key={columnName}>
              <strong>{columnName}</strong> <code>{dataType}</code> {!nullable && <Tag>{t('codegen.notNull')}</Tag>}
              {preset !== null && <code>default {preset}</code>} {comment}
            </li>
          ))}
        </ul>
      }
    />
  )
}

type FieldsProps = { detail: CodegenDetail; of: Unchosen }

/** The second tab: each column of the table, and where it appears. */
export const ColumnFields = ({ detail: { columns }, of }: FieldsProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const wide = Grid.useBreakpoint().md ?? true
  const { data = [] } = useQuery({ ...queryFor(dictTypes.simpleList), staleTime: 60_000 })
  const dicts = data.map(({ name, type }) => ({ value: type, label: `${name} ${type}` }))
  const cell = (name: Editable, at: number) => {
    const column = columns[at]
    if (!column) return null
    const label = `${column.columnName}: ${titleOf(name, lang)}`
    return <ColumnCell column={column} at={at} name={name} label={label} dicts={dicts} />
  }
  const order = useColumnOrder(columns)
  const Shown = wide ? AsTable : AsCards
  return (
    <>
      {of.looked && <Alert type="info" showIcon title={t('codegen.lookedHelp')} style={{ marginBottom: 16 }} />}
      <Shown columns={columns} looked={of.looked} cell={cell} {...order} />
      {of.leftOut.length > 0 && <LeftOut of={of} />}
    </>
  )
}
