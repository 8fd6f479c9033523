import { ArrowLeftOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { DictDataRow, dictDatas, dictTypes } from '@tocsin/contract/settings/dict'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { column } from '#ui/column.tsx'
import { EntryTag } from '#ui/dict/DictTag.tsx'
import { Filter } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { LongText } from '#ui/LongText.tsx'
import { bulkDeletion } from '#ui/list/bulk-deletion.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { StatusSelect, StatusTag } from '#ui/cell/Status.tsx'
import '#ui/list/screens.css'
import { dictColors } from './colors.ts'
import { useDictName } from './dict-name.ts'
import { DataFilters } from './dict-query.ts'
import { DictDataDrawer } from './DictDataDrawer.tsx'
import { DictPreview } from './DictPreview.tsx'

const ColorName = ({ color }: { color: DictDataRow['colorType'] }) => {
  const { t } = useTranslation()
  return <>{color ? t(dictColors[color]) : '–'}</>
}

const nameOf = ({ label, value }: DictDataRow) => `${label} (${value})`

const columns = [
  column(DictDataRow, 'id', { wideOnly: true }),
  column(DictDataRow, 'label', { main: true, show: (_, entry) => <EntryTag entry={entry} /> }),
  column(DictDataRow, 'labelEn'),
  column(DictDataRow, 'value', { show: (value) => <code>{value}</code> }),
  column(DictDataRow, 'sort', { figure: true }),
  column(DictDataRow, 'status', { show: (enabled) => <StatusTag enabled={enabled} /> }),
  column(DictDataRow, 'colorType', { show: (color) => <ColorName color={color} /> }),
  column(DictDataRow, 'cssClass', { wideOnly: true }),
  column(DictDataRow, 'remark', { show: (remark) => <LongText text={remark} /> }),
  column(DictDataRow, 'createTime', { wideOnly: true }),
]

const useTypes = () => useQuery(queryFor(dictTypes.simpleList)).data

/** Another dictionary is another page. */
const OtherDict = ({ dictType }: { dictType: string }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const nameOf = useDictName()
  const options = useTypes()?.map((useType) => ({ value: useType.type, label: nameOf(useType) }))
  return (
    <Select
      value={dictType}
      options={options ?? [{ value: dictType, label: dictType }]}
      aria-label={t('dict.other')}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      onChange={(type) => void navigate(`/system/dict-data/${type}`)}
    />
  )
}

const filters = (
  <>
    <Filter of={DataFilters} name="label">
      <Input allowClear maxLength={100} />
    </Filter>
    <Filter of={DataFilters} name="value">
      <Input allowClear maxLength={100} />
    </Filter>
    <Filter of={DataFilters} name="status">
      <StatusSelect allowClear />
    </Filter>
  </>
)

const EntryActions = ({ entry, onEdit }: { entry: DictDataRow; onEdit: () => void }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('system:dict:update')
  const mayDelete = useHasPermission('system:dict:delete')
  const remove = useDeletion(dictDatas.delete)
  return (
    <RowActions
      items={[
        mayUpdate && { key: 'edit', label: t('list.edit'), run: onEdit },
        mayDelete && {
          key: 'delete',
          label: t('list.delete'),
          run: () => void remove(entry.id, nameOf(entry)),
          danger: true,
        },
      ]}
    />
  )
}

/** The entries of one dictionary; its name is the page title. */
export const DictDataPage = () => {
  const { t } = useTranslation()
  const { dictType = '' } = useParams()
  const [open, setOpen] = useState<DictDataRow | 'new'>()
  const mayDelete = useHasPermission('system:dict:delete')
  const mayCreate = useHasPermission('system:dict:create')
  const mayExport = useHasPermission('system:dict:export')
  const mayChange = useHasPermission(['system:dict:update', 'system:dict:delete'])
  const shown = useTypes()?.find(({ type }) => type === dictType)
  usePageTitle(shown && { name: shown.name, nameEn: shown.nameEn ?? '' })
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
      {t('list.create')}
    </Button>
  )
  const left = (
    <>
      <Link to="/system/dict">
        <Button icon={<ArrowLeftOutlined />}>{t('dict.all')}</Button>
      </Link>
      <OtherDict dictType={dictType} />
      {create}
    </>
  )
  return (
    <>
      <ListPage
        query={DataFilters}
        source={(query) => queryFor(dictDatas.page, { query: { ...query, dictType } })}
        columns={columns}
        rowKey={({ id }) => id}
        picking={bulkDeletion(mayDelete, { of: dictDatas.deleteList, name: nameOf })}
        filters={filters}
        left={left}
        {...(mayChange && {
          actions: (entry: DictDataRow) => <EntryActions entry={entry} onEdit={() => setOpen(entry)} />,
        })}
        exporting={(query) => mayExport && <ExportButton calls={dictDatas} query={{ ...query, dictType }} />}
        empty={{ text: t('dict.noEntries'), next: create }}
      />
      <DictPreview dictType={dictType} />
      {open && (
        <DictDataDrawer
          entry={open === 'new' ? undefined : open}
          dictType={dictType}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
