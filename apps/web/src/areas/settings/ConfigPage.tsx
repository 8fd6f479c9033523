import { PlusOutlined } from '@ant-design/icons'
import { ConfigRow, configs } from '@tocsin/contract/settings/config'
import { Button, Input, Select, Tag } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { column } from '#ui/column.tsx'
import { Filter, DateRangeFilter } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { notify } from '#ui/notify.ts'
import { withCreated } from '#ui/list/created-range.ts'
import { RowActions } from '#ui/list/RowActions.tsx'
import '#ui/list/screens.css'
import { ConfigFilters } from './config-query.ts'
import { ConfigDrawer } from './ConfigDrawer.tsx'
import { NameText, RemarkText, ValueText } from './ConfigText.tsx'

const BuiltIn = ({ yes }: { yes: boolean }) => {
  const { t } = useTranslation()
  return <Tag color={yes ? 'blue' : 'default'}>{t(yes ? 'config.builtIn' : 'config.own')}</Tag>
}

const columns = [
  column(ConfigRow, 'id', { wideOnly: true }),
  column(ConfigRow, 'category', { wideOnly: true }),
  column(ConfigRow, 'name', { main: true, show: (_, setting) => <NameText setting={setting} /> }),
  column(ConfigRow, 'key', { show: (key) => <code className="breaks">{key}</code> }),
  column(ConfigRow, 'value', { show: (_, setting) => <ValueText setting={setting} /> }),
  column(ConfigRow, 'visible', { show: (visible) => <YesNoText yes={visible} /> }),
  column(ConfigRow, 'type', { show: (builtIn) => <BuiltIn yes={builtIn} /> }),
  column(ConfigRow, 'remark', { show: (_, setting) => <RemarkText setting={setting} /> }),
  column(ConfigRow, 'createTime', { wideOnly: true }),
]

const Filters = () => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={ConfigFilters} name="category">
        <Input allowClear maxLength={50} />
      </Filter>
      <Filter of={ConfigFilters} name="name">
        <Input allowClear maxLength={100} />
      </Filter>
      <Filter of={ConfigFilters} name="key">
        <Input allowClear maxLength={100} />
      </Filter>
      <Filter of={ConfigFilters} name="type">
        <Select
          allowClear
          placeholder={t('list.all')}
          options={[
            { value: '1', label: t('config.builtIn') },
            { value: '2', label: t('config.own') },
          ]}
        />
      </Filter>
      <DateRangeFilter label={t('dict.created')} hint={t('dict.createdHint')} />
    </>
  )
}

const SettingActions = ({ setting, onEdit }: { setting: ConfigRow; onEdit: () => void }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('infra:config:update')
  const mayDelete = useHasPermission('infra:config:delete')
  const remove = useDeletion(configs.delete)
  const ask = () => void remove(setting.id, `${setting.name} (${setting.key})`)
  const why = setting.type ? t('config.builtInHelp') : undefined
  return (
    <RowActions
      items={[
        mayUpdate && { key: 'edit', label: t('list.edit'), run: onEdit },
        mayDelete && { key: 'delete', label: t('list.delete'), run: ask, danger: true, why },
      ]}
    />
  )
}

const RefreshButton = () => {
  const { t } = useTranslation()
  const refresh = useApiMutation(configs.refresh)
  const run = () => refresh.mutate({}, { onSuccess: () => notify.success(t('config.refreshed')) })
  return (
    <Button loading={refresh.isPending} onClick={run}>
      {t('config.refresh')}
    </Button>
  )
}

/** Settings that apply while the server runs. */
export const ConfigPage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<ConfigRow | 'new'>()
  const mayCreate = useHasPermission('infra:config:create')
  const mayRefresh = useHasPermission('infra:config:refresh')
  const mayExport = useHasPermission('infra:config:export')
  const mayChange = useHasPermission(['infra:config:update', 'infra:config:delete'])
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
      {t('list.create')}
    </Button>
  )
  const left = (
    <>
      {create}
      {mayRefresh && <RefreshButton />}
    </>
  )
  return (
    <>
      <ListPage
        query={ConfigFilters}
        source={(query) => queryFor(configs.page, { query: withCreated(query) })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={<Filters />}
        left={left}
        {...(mayChange && {
          actions: (setting: ConfigRow) => <SettingActions setting={setting} onEdit={() => setOpen(setting)} />,
        })}
        exporting={(query) => mayExport && <ExportButton calls={configs} query={withCreated(query)} />}
        empty={{ text: t('config.none'), next: create }}
      />
      {open && <ConfigDrawer setting={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
