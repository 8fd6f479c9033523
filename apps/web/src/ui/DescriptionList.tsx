import { Descriptions } from 'antd'
import { useLang } from '#texts/i18n.ts'
import type { Column } from './column.tsx'

/** One row in full: every column as a labelled value. */
export const DescriptionList = <Row,>({
  row,
  columns,
  title,
}: {
  row: Row
  columns: readonly Column<Row>[]
  title?: string
}) => {
  const lang = useLang()
  return (
    <Descriptions
      title={title}
      size="small"
      bordered
      // A long value must not break the label beside it.
      styles={{ label: { whiteSpace: 'nowrap' } }}
      column={{ xs: 1, md: 2 }}
      items={columns.map((column) => ({ key: column.key, label: column.title(lang), children: column.render(row) }))}
    />
  )
}
