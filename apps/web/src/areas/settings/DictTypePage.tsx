import { PlusOutlined } from '@ant-design/icons'
import { DictTypeRow, dictTypes } from '@tocsin/contract/settings/dict'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { column } from '#ui/column.tsx'
import { Filter, DateRangeFilter } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { LongText } from '#ui/LongText.tsx'
import { withCreated } from '#ui/list/created-range.ts'
import { bulkDeletion } from '#ui/list/bulk-deletion.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { StatusSelect, StatusTag } from '#ui/cell/Status.tsx'
import { TypeFilters } from './dict-query.ts'
import { useDictName } from './dict-name.ts'
import { DictTypeDrawer } from './DictTypeDrawer.tsx'

const dataPath = ({ type }: DictTypeRow) => `/system/dict-data/${type}`

const Name = ({ of }: { of: DictTypeRow }) => <Link to={dataPath(of)}>{useDictName()(of)}</Link>

const nameOf = ({ name, type }: DictTypeRow) => `${name} (${type})`

const columns = [
  column(DictTypeRow, 'id', { wideOnly: true }),
  column(DictTypeRow, 'name', { main: true, show: (_, type) => <Name of={type} /> }),
  column(DictTypeRow, 'nameEn', { wideOnly: true }),
  column(DictTypeRow, 'type', { show: (type) => <code>{type}</code> }),
  column(DictTypeRow, 'status', { show: (enabled) => <StatusTag enabled={enabled} /> }),
  column(DictTypeRow, 'remark', { show: (remark) => <LongText text={remark} /> }),
  column(DictTypeRow, 'createTime', { wideOnly: true }),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={TypeFilters} name="name">
        <Input allowClear maxLength={100} />
      </Filter>
      <Filter of={TypeFilters} name="type">
        <Input allowClear maxLength={100} />
      </Filter>
      <Filter of={TypeFilters} name="status">
        <StatusSelect allowClear />
      </Filter>
      <DateRangeFilter label={t('dict.created')} hint={t('dict.createdHint')} />
    </>
  )
}

const TypeActions = ({ type, onEdit }: { type: DictTypeRow; onEdit: () => void }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayUpdate = useHasPermission('system:dict:update')
  const mayDelete = useHasPermission('system:dict:delete')
  const remove = useDeletion(dictTypes.delete)
  return (
    <RowActions
      items={[
        { key: 'data', label: t('dict.data'), run: () => void navigate(dataPath(type)) },
        mayUpdate && { key: 'edit', label: t('list.edit'), run: onEdit },
        mayDelete && {
          key: 'delete',
          label: t('list.delete'),
          run: () => void remove(type.id, nameOf(type)),
          danger: true,
        },
      ]}
    />
  )
}

/** The dictionaries; the entries of each are a page of their own. */
export const DictTypePage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<DictTypeRow | 'new'>()
  const mayDelete = useHasPermission('system:dict:delete')
  const mayCreate = useHasPermission('system:dict:create')
  const mayExport = useHasPermission('system:dict:export')
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
      {t('list.create')}
    </Button>
  )
  return (
    <>
      <ListPage
        query={TypeFilters}
        source={(query) => queryFor(dictTypes.page, { query: withCreated(query) })}
        columns={columns}
        rowKey={({ id }) => id}
        picking={bulkDeletion(mayDelete, { of: dictTypes.deleteList, name: nameOf })}
        filters={<Filters />}
        left={create}
        actions={(type) => <TypeActions type={type} onEdit={() => setOpen(type)} />}
        exporting={(query) => mayExport && <ExportButton calls={dictTypes} query={withCreated(query)} />}
        empty={{ text: t('dict.none'), next: create }}
      />
      {open && <DictTypeDrawer type={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
