import { DEMO_KIND, demoItems, DemoItemRow } from '@tocsin/contract/demo/item'
import { Card, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { column } from '#ui/column.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import { type PickedRow, type TableSource, TablePicker } from './TablePicker.tsx'
import '../demo.css'

const items: TableSource<DemoItemRow> = {
  source: ({ keyword, pageNo, pageSize }) =>
    queryFor(demoItems.page, { query: { pageNo, pageSize, ...(keyword && { name: keyword }) } }),
  columns: [
    column(DemoItemRow, 'name'),
    column(DemoItemRow, 'kind', { show: (kind) => <DictTag type={DEMO_KIND} value={kind} /> }),
    column(DemoItemRow, 'deptName'),
  ],
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
}

/** A table in a popover as a form field, for one row and for several over pages. */
export const TableSelectPage = () => {
  const { t } = useTranslation()
  const [first, setOne] = useState<readonly PickedRow[]>([])
  const [several, setSeveral] = useState<readonly PickedRow[]>([])
  return (
    <>
      <Typography.Paragraph type="secondary">{t('demo.pickHelp')}</Typography.Paragraph>
      <div className="demo-cards">
        <Card size="small" title={t('demo.pickOne')}>
          <TablePicker of={items} value={first} onChange={setOne} label={t('demo.pickOneButton')} />
        </Card>
        <Card size="small" title={t('demo.pickSeveral')}>
          <TablePicker multiple of={items} value={several} onChange={setSeveral} label={t('demo.pickSeveralButton')} />
        </Card>
      </div>
    </>
  )
}
