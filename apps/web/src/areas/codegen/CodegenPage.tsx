import { ImportOutlined, DownloadOutlined } from '@ant-design/icons'
import { codegens, TABLES_AT_ONCE } from '@tocsin/contract/codegen/calls'
import { CodegenQuery, CodegenTable } from '@tocsin/contract/codegen/codegen'
import { labelIn } from '@tocsin/contract/field'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { column } from '#ui/column.tsx'
import { Filter, DateRangeFilter } from '#ui/list/filters.tsx'
import { ListPage, type RowSelection } from '#ui/list/ListPage.tsx'
import { LongText } from '#ui/LongText.tsx'
import { createdEnds, withCreated } from '#ui/list/created-range.ts'
import { CodegenActions, type OpenDialog } from './CodegenActions.tsx'
import { CodegenDrawer } from './CodegenDrawer.tsx'
import { CodegenPreview } from './CodegenPreview.tsx'
import { ImportTables } from './ImportTables.tsx'
import { SyncDialog } from './SyncDialog.tsx'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { notify } from '#ui/notify.ts'

/** One zip of several modules, whose registries have the lines of all of them. */
const DownloadPicked = ({ tables }: { tables: readonly CodegenTable[] }) => {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const generate = async () => {
    if (tables.length === 0) return notify.warning(t('codegen.pickFirst'))
    setBusy(true)
    await download(codegens.download, { query: { tableId: tables.map(({ id }) => id) } })
      .catch(showError)
      .finally(() => setBusy(false))
  }
  return (
    <Button
      icon={<DownloadOutlined />}
      loading={busy}
      disabled={tables.length > TABLES_AT_ONCE}
      onClick={() => void generate()}
    >
      {tables.length > 0 ? `${t('codegen.generate')} (${tables.length})` : t('codegen.generate')}
    </Button>
  )
}

const TitleText = ({ table }: { table: CodegenTable }) => <>{useLang() === 'en' ? table.titleEn : table.title}</>

const columns = [
  column(CodegenTable, 'tableName', { main: true, show: (name) => <code className="breaks">{name}</code> }),
  column(CodegenTable, 'title', {
    // In both languages.
    title: (lang) => labelIn(lang, CodegenQuery.shape.title),
    show: (_, table) => <TitleText table={table} />,
  }),
  column(CodegenTable, 'comment', { show: (comment) => <LongText text={comment} />, wideOnly: true }),
  column(CodegenTable, 'entity', { show: (entity) => <code>{entity}</code> }),
  column(CodegenTable, 'area', { word: 'codegenArea' }),
  column(CodegenTable, 'createTime', { wideOnly: true }),
  column(CodegenTable, 'updateTime'),
]

const Filters = CodegenQuery.omit({ createTime: true }).extend(createdEnds)

const FilterFields = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={Filters} name="tableName">
        <Input allowClear maxLength={63} />
      </Filter>
      <Filter of={Filters} name="title">
        <Input allowClear maxLength={50} />
      </Filter>
      <DateRangeFilter label={t('codegen.created')} hint={t('codegen.createdHint')} />
    </>
  )
}

type Open = { what: OpenDialog; table: CodegenTable } | { what: 'import' }

const Opened = ({ open, onClose }: { open: Open; onClose: () => void }) => {
  switch (open.what) {
    case 'import':
      return <ImportTables onClose={onClose} />
    case 'edit':
      return <CodegenDrawer table={open.table} onClose={onClose} />
    case 'sync':
      return <SyncDialog table={open.table} onClose={onClose} />
    case 'preview':
      return <CodegenPreview table={open.table} onClose={onClose} />
  }
}

/** Imported tables of the database, for which modules of this project can be generated. */
export const CodegenPage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<Open>()
  const mayImport = useHasPermission('infra:codegen:create')
  const mayDownload = useHasPermission('infra:codegen:download')
  const bring = mayImport && (
    <Button type="primary" icon={<ImportOutlined />} onClick={() => setOpen({ what: 'import' })}>
      {t('codegen.import')}
    </Button>
  )
  const picking: RowSelection<CodegenTable> | undefined = mayDownload
    ? {
        name: ({ tableName }) => tableName,
        why: ({ template }) => (template === 'SUB' ? t('codegen.withMain') : undefined),
        bar: (tables) => <DownloadPicked tables={tables} />,
      }
    : undefined
  return (
    <>
      <ListPage
        query={Filters}
        source={(query) => queryFor(codegens.page, { query: withCreated(query) })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={<FilterFields />}
        left={bring}
        picking={picking}
        actions={(table) => <CodegenActions table={table} onOpen={(action) => setOpen({ what: action, table })} />}
        empty={{ text: t('codegen.none'), next: bring }}
      />
      {open && <Opened open={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
