import { Descriptions } from 'antd'
import { useLang } from '#texts/i18n.ts'
import type { Column } from './column.tsx'

/** One row in full: every column as a labelled fact. */
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
      // A long value beside it must not break the name of a short one.
      styles={{ label: { whiteSpace: 'nowrap' } }}
      column={{ xs: 1, md: 2 }}
      items={columns.map((one) => ({ key: one.key, label: one.title(lang), children: one.render(row) }))}
    />
  )
}
