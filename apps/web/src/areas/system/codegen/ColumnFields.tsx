import { useQuery } from '@tanstack/react-query'
import { CodegenColumn, type CodegenDetail } from '@tocsin/contract/system/codegen/codegen'
import { type Lang, labelIn } from '@tocsin/contract/field'
import { dictTypes } from '@tocsin/contract/system/dict'
import { Card, Flex, Grid, Table, Tag, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { ColumnCell } from './ColumnCell.tsx'
import { type Editable, flags, isFlag } from './columns-form.ts'
import { FlagAll } from './FlagAll.tsx'
import './codegen.css'

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
      <span>
        {!column.nullable && <Tag>{t('codegen.notNull')}</Tag>}
        {column.single && <Tag color="blue">{t('codegen.unique')}</Tag>}
        {column.refers !== null && <Tag color="purple">→ {column.refers}</Tag>}
      </span>
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
  { name: 'sort', width: 80 },
]

const titleOf = (name: keyof typeof CodegenColumn.shape, lang: Lang): string => labelIn(lang, CodegenColumn.shape[name])

/** What a column of the table says, with a box for all of it. */
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

type Props = { columns: readonly CodegenColumn[]; cell: (name: Editable, at: number) => ReactNode }

const AsTable = ({ columns, cell }: Props) => {
  const lang = useLang()
  return (
    <Table
      size="small"
      rowKey="id"
      className="code-columns"
      pagination={false}
      scroll={{ x: 'max-content' }}
      dataSource={[...columns]}
      columns={[
        {
          key: 'about',
          title: titleOf('columnName', lang),
          fixed: 'start',
          width: 180,
          render: (_, column: CodegenColumn) => <About column={column} />,
        },
        ...cells.map(({ name, width }) => ({
          key: name,
          title: <Head name={name} columns={columns} />,
          width,
          render: (_: unknown, _column: CodegenColumn, at: number) => cell(name, at),
        })),
      ]}
    />
  )
}

const AsCards = ({ columns, cell }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Flex vertical gap="middle">
      <Card size="small" title={t('codegen.every')}>
        <Flex wrap gap="middle">
          {flags.map((name) => (
            <Head key={name} name={name} columns={columns} />
          ))}
        </Flex>
      </Card>
      {columns.map((column, at) => (
        <Card key={column.id} size="small">
          <About column={column} />
          <div className="code-column" style={{ marginTop: 8 }}>
            {cells.map(({ name }) => (
              <div key={name}>
                <div>
                  <Typography.Text type="secondary">{titleOf(name, lang)}</Typography.Text>
                </div>
                {cell(name, at)}
              </div>
            ))}
          </div>
        </Card>
      ))}
    </Flex>
  )
}

/** The second tab: each column of the table, and where it appears. */
export const ColumnFields = ({ detail: { columns } }: { detail: CodegenDetail }) => {
  const lang = useLang()
  const wide = Grid.useBreakpoint().md ?? true
  const { data = [] } = useQuery({ ...read(dictTypes.simpleList), staleTime: 60_000 })
  const dicts = data.map(({ name, type }) => ({ value: type, label: `${name} ${type}` }))
  const cell = (name: Editable, at: number) => {
    const column = columns[at]
    if (!column) return null
    const label = `${column.columnName}: ${titleOf(name, lang)}`
    return <ColumnCell column={column} at={at} name={name} label={label} dicts={dicts} />
  }
  const Shown = wide ? AsTable : AsCards
  return <Shown columns={columns} cell={cell} />
}
