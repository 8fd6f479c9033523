import { DemoItemQuery, type DemoItemRow, demoItems } from '@tocsin/contract/demo/item'
import { FilterOutlined, ImportOutlined, PlusOutlined, TableOutlined } from '@ant-design/icons'
import { Button, Checkbox, Grid, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { AppPopover } from '#ui/overlay/AppPopover.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import type { Column } from '#ui/column.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { bulkDeletion } from '#ui/list/bulk-deletion.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { columnOf } from './cells.tsx'
import { type ConfigName, configs, type CrudConfig } from './crud.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { SearchForm } from './SearchForm.tsx'
import { AddDialog, EditRow } from './EditDialogs.tsx'
import '../demo.css'

type Columns = readonly Column<DemoItemRow>[]

const ColumnChoice = ({
  all,
  shown,
  onChange,
}: {
  all: Columns
  shown: readonly string[]
  onChange: (keys: string[]) => void
}) => {
  const { t } = useTranslation()
  const lang = useLang()
  const options = all.map(({ key, title, main }) => ({ value: key, label: title(lang), disabled: main === true }))
  return (
    <AppPopover
      placement="bottom"
      content={<Checkbox.Group className="demo-columns" options={options} value={[...shown]} onChange={onChange} />}
    >
      <Button icon={<TableOutlined />}>{t('demo.curdColumns')}</Button>
    </AppPopover>
  )
}

const Actions = ({ row, permission, onOpen }: { row: DemoItemRow; permission: string; onOpen: () => void }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission(`${permission}:update`)
  const mayDelete = useHasPermission(`${permission}:delete`)
  const remove = useDeletion(demoItems.delete)
  return (
    <RowActions
      items={[
        { key: 'open', label: t(mayUpdate ? 'list.edit' : 'list.detail'), run: onOpen },
        mayDelete && { key: 'delete', label: t('list.delete'), run: () => void remove(row.id, row.name), danger: true },
      ]}
    />
  )
}

type Open = 'add' | 'import' | DemoItemRow

/** The open overlay. */
const Above = ({ open, config, onClose }: { open: Open | undefined; config: CrudConfig; onClose: () => void }) => {
  const mayUpdate = useHasPermission(`${config.permission}:update`)
  if (open === undefined) return null
  if (open === 'add') return <AddDialog fields={config.add} onClose={onClose} />
  if (open === 'import') return <ImportDialog onClose={onClose} />
  return <EditRow row={open} fields={config.edit} readOnly={!mayUpdate} onClose={onClose} />
}

type ListProps = { config: CrudConfig; name: ConfigName; onName: (name: ConfigName) => void }

const List = ({ config, name, onName }: ListProps) => {
  const { t } = useTranslation()
  // On a phone the filters are collapsed at first.
  const { md = true } = Grid.useBreakpoint()
  const { permission, search, showNumber, cells, tools } = config
  const [open, setOpen] = useState<Open>()
  const [searching, setSearching] = useState(true)
  const [shown, setShown] = useState<readonly string[]>(cells.flatMap((cell) => (cell.extra ? [] : [cell.name])))
  const mayCreate = useHasPermission(`${permission}:create`)
  const mayImport = useHasPermission(`${permission}:import`) && tools.import
  const mayExport = useHasPermission(`${permission}:export`) && tools.export
  const mayRemove = useHasPermission(`${permission}:delete`) && tools.remove
  const all = cells.map(columnOf)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('add')}>
      {t('list.create')}
    </Button>
  )
  const left = (
    <>
      {create}
      {mayImport && (
        <Button icon={<ImportOutlined />} onClick={() => setOpen('import')}>
          {t('demo.import')}
        </Button>
      )}
      {tools.columns && <ColumnChoice all={all} shown={shown} onChange={setShown} />}
      {tools.search && md && (
        <Button icon={<FilterOutlined />} aria-pressed={searching} onClick={() => setSearching(!searching)}>
          {t('demo.curdSearch')}
        </Button>
      )}
      <Segmented<ConfigName>
        aria-label={t('demo.curdConfig')}
        value={name}
        onChange={onName}
        options={[
          { value: 'A', label: t('demo.curdA') },
          { value: 'B', label: t('demo.curdB') },
        ]}
      />
    </>
  )
  return (
    <>
      <ListPage
        query={DemoItemQuery}
        source={(query) => queryFor(demoItems.page, { query })}
        columns={all.filter(({ key }) => shown.includes(key))}
        picking={bulkDeletion(mayRemove, { of: demoItems.deleteList, name: (row: DemoItemRow) => row.name })}
        rowKey={({ id }) => id}
        {...(searching && { filters: <SearchForm search={search} showNumber={showNumber} /> })}
        left={left}
        actions={(row) => <Actions row={row} permission={permission} onOpen={() => setOpen(row)} />}
        {...(mayExport && { exporting: (query) => <ExportButton calls={demoItems} query={query} /> })}
        empty={{ text: t('demo.curdNone'), next: create }}
      />
      <Above open={open} config={config} onClose={() => setOpen(undefined)} />
    </>
  )
}

/** A list page made from a configuration, which can be exchanged on the page. */
export const CrudPage = () => {
  const [name, setName] = useState<ConfigName>('A')
  return <List key={name} config={configs[name]} name={name} onName={setName} />
}
