import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined } from '@ant-design/icons'
import type { CodegenColumn } from '@tocsin/contract/codegen/codegen'
import { Button, Flex, Form } from 'antd'
import { type HTMLAttributes, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type TreePlace, siblingStep } from '#ui/tree/tree.ts'
import type { Values } from './columns-form.ts'

/** A column at its position in the user's order, with its index in the form. Columns do not nest. */
export type Placed = { id: number; parentId: null; at: number; column: CodegenColumn }
export type Move = (row: Placed, to: TreePlace) => void

/** The columns in their order, and the functions that change it. */
export const useColumnOrder = (columns: readonly CodegenColumn[]): { rows: readonly Placed[]; move: Move } => {
  const form = Form.useFormInstance<Values>()
  const [rows, setRows] = useState<readonly Placed[]>(() => {
    // The form's order may differ from the order in which they were read.
    const sortOf = ({ at, column }: Placed): number => form.getFieldValue(['columns', at, 'sort']) ?? column.sort
    return columns
      .map((column, at): Placed => ({ id: column.id, parentId: null, at, column }))
      .toSorted((a, b) => sortOf(a) - sortOf(b))
  })
  const move: Move = (row, { beforeId }) => {
    const others = rows.filter((item) => item !== row)
    const to = others.findIndex(({ id }) => id === beforeId)
    const next = others.toSpliced(to < 0 ? others.length : to, 0, row)
    setRows(next)
    form.setFields(next.map(({ at }, sort) => ({ name: ['columns', at, 'sort'], value: sort, touched: true })))
  }
  return { rows, move }
}

const steps = [
  { by: -1, name: 'up', icon: <ArrowUpOutlined /> },
  { by: 1, name: 'down', icon: <ArrowDownOutlined /> },
] as const

type Props = { row: Placed; rows: readonly Placed[]; move: Move; handle?: HTMLAttributes<HTMLElement> }

/** Moves a column by dragging, and by single steps for keyboard and phone. */
export const OrderCell = ({ row, rows, move, handle }: Props) => {
  const { t } = useTranslation()
  return (
    <Flex align="center">
      {handle && (
        <span className="drag-handle" title={t('system.drag')} {...handle}>
          <HolderOutlined aria-hidden />
        </span>
      )}
      {steps.map(({ by, name, icon }) => {
        const place = siblingStep(rows, row, by)
        return (
          <Button
            key={name}
            type="text"
            size="small"
            icon={icon}
            aria-label={`${row.column.columnName}: ${t(`system.${name}`)}`}
            // Not `disabled`: at the end of the list the keyboard would lose the focus.
            aria-disabled={place === undefined}
            onClick={() => place && move(row, place)}
          />
        )
      })}
      <Form.Item name={['columns', row.at, 'sort']} noStyle>
        <input type="hidden" />
      </Form.Item>
    </Flex>
  )
}
