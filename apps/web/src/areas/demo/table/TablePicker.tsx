import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { Page } from '@tocsin/contract/page'
import { DownOutlined } from '@ant-design/icons'
import { Button, Flex, Table, Tag } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { AppPopover } from '#ui/overlay/AppPopover.tsx'
import { type Column, tableColumn } from '#ui/column.tsx'
import { useDebouncedValue } from '#ui/list/use-debounced-value.ts'
import { SearchBox } from '#ui/tree/SearchBox.tsx'
import '../demo.css'

type Asked = { keyword: string; pageNo: number; pageSize: number }

/** The configuration of a table picker. */
export type TableSource<Row> = {
  source: (
    item: Asked,
  ) => Pick<UseQueryOptions<Page<Row>, Error, Page<Row>, readonly unknown[]>, 'queryKey' | 'queryFn'>
  columns: readonly Column<Row>[]
  idOf: (row: Row) => number
  nameOf: (row: Row) => string
}

/** The part of a row that the form stores. */
export type PickedRow = { id: number; name: string }

type Props<Row> = {
  of: TableSource<Row>
  value: readonly PickedRow[]
  onChange: (value: readonly PickedRow[]) => void
  multiple?: boolean
  label: string
}

const PAGE_SIZE = 5

const toggled = (chosen: readonly PickedRow[], row: PickedRow, multiple: boolean): readonly PickedRow[] => {
  if (!multiple) return [row]
  return chosen.some(({ id }) => id === row.id) ? chosen.filter(({ id }) => id !== row.id) : [...chosen, row]
}

/** Rows selected on other pages stay selected. */
const withPage = (
  chosen: readonly PickedRow[],
  page: readonly PickedRow[],
  ids: ReadonlySet<number>,
): readonly PickedRow[] => [
  ...chosen.filter(({ id }) => !page.some((item) => item.id === id) || ids.has(id)),
  ...page.filter(({ id }) => ids.has(id) && !chosen.some((item) => item.id === id)),
]

type PanelProps<Row> = Omit<Props<Row>, 'label'> & { onDone: (value: readonly PickedRow[]) => void }

const Panel = <Row extends object>({ of, value, multiple = false, onDone }: PanelProps<Row>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [chosen, setChosen] = useState(value)
  const [text, setText] = useState('')
  const [pageNo, setPageNo] = useState(1)
  const keyword = useDebouncedValue(text.trim())
  const item = { keyword, pageNo, pageSize: PAGE_SIZE }
  const { data, isFetching } = useQuery({ ...of.source(item), placeholderData: keepPreviousData })
  const rows = data?.list ?? []
  const picked = (row: Row): PickedRow => ({ id: of.idOf(row), name: of.nameOf(row) })
  return (
    <Flex vertical gap="small" className="demo-picker">
      <SearchBox
        autoFocus
        label={t('demo.pickSearch')}
        value={text}
        onChange={(typed) => {
          setText(typed)
          setPageNo(1)
        }}
      />
      <Table<Row>
        size="small"
        rowKey={of.idOf}
        columns={of.columns.map((column) => tableColumn(column, lang))}
        dataSource={rows}
        loading={isFetching || keyword !== text.trim()}
        rowSelection={{
          type: multiple ? 'checkbox' : 'radio',
          preserveSelectedRowKeys: true,
          selectedRowKeys: chosen.map(({ id }) => id),
          onChange: (keys) =>
            setChosen((before) =>
              multiple
                ? withPage(before, rows.map(picked), new Set(keys.map(Number)))
                : rows.filter((row) => keys.includes(of.idOf(row))).map(picked),
            ),
          getCheckboxProps: (row) => ({ 'aria-label': of.nameOf(row) }),
        }}
        onRow={(row) => ({
          onClick: ({ target }) => {
            // The checkbox beside it has done so already.
            if (target instanceof Element && target.closest('.ant-table-selection-column')) return
            setChosen((before) => toggled(before, picked(row), multiple))
          },
        })}
        pagination={{
          current: pageNo,
          pageSize: PAGE_SIZE,
          total: data?.total ?? 0,
          showSizeChanger: false,
          size: 'small',
          onChange: setPageNo,
        }}
      />
      <Flex gap="small" justify="end" align="center">
        <span className="demo-picked-count" aria-live="polite">
          {t('demo.pickCount', { n: chosen.length })}
        </span>
        <Button size="small" disabled={chosen.length === 0} onClick={() => setChosen([])}>
          {t('demo.pickClear')}
        </Button>
        <Button size="small" type="primary" onClick={() => onDone(chosen)}>
          {t('list.confirm')}
        </Button>
      </Flex>
    </Flex>
  )
}

const Chosen = ({ value, onChange }: Pick<Props<object>, 'value' | 'onChange'>): ReactNode => (
  <Flex wrap gap={4}>
    {value.map(({ id, name }) => (
      <Tag key={id} closable onClose={() => onChange(value.filter((item) => item.id !== id))}>
        {name}
      </Tag>
    ))}
  </Flex>
)

/** Selects rows of a long list over several pages in a popover. The selection applies on confirmation. */
export const TablePicker = <Row extends object>({ of, value, onChange, multiple = false, label }: Props<Row>) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const done = (next: readonly PickedRow[]) => {
    onChange(next)
    setOpen(false)
  }
  return (
    <Flex vertical gap="small" align="flex-start">
      <AppPopover
        open={open}
        onOpenChange={setOpen}
        placement="bottomLeft"
        destroyOnHidden
        content={<Panel of={of} value={value} onChange={onChange} multiple={multiple} onDone={done} />}
      >
        <Button aria-haspopup="dialog" aria-expanded={open} icon={<DownOutlined />} iconPlacement="end">
          {value.length > 0 ? t('demo.picked', { n: value.length }) : label}
        </Button>
      </AppPopover>
      <Chosen value={value} onChange={onChange} />
    </Flex>
  )
}
