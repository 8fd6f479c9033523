import { batteryConcerns, DeviceQuery, DeviceRow, devices, lifecycles } from '@tocsin/contract/device/device'
import { type DeviceSecret, deviceEdits } from '@tocsin/contract/device/device-verbs'
import { ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input, Tabs } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { column } from '#ui/column.tsx'
import { confirm } from '#ui/confirm.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage, type RowSelection } from '#ui/list/ListPage.tsx'
import { type RowAction, RowActions } from '#ui/list/RowActions.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { lifecycleColumn, readinessColumn } from '../device-columns.tsx'
import { ModelSelect } from '../ModelSelect.tsx'
import { DeviceImportDrawer } from './DeviceImportDrawer.tsx'
import { DeviceDrawer } from './DeviceDrawer.tsx'
import { DeviceVerbDialog, type DeviceVerbName } from './DeviceVerbDialog.tsx'
import { LifecycleStrip } from './LifecycleStrip.tsx'
import { RefusedDeviceList } from './RefusedDeviceList.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { SecretSheet } from './SecretSheet.tsx'
import { useDeviceVerbs } from './use-device-verbs.ts'

const Location = ({ device }: { device: DeviceRow }) => {
  const { t } = useTranslation()
  return <>{device.schoolName ?? t('device.stock')}</>
}

const Secrets = ({ count }: { count: number }) => {
  const { t } = useTranslation()
  return <>{t(count > 1 ? 'device.rotating' : count === 1 ? 'device.secretValid' : 'device.noSecret')}</>
}

const columns = [
  column(DeviceRow, 'sn', { main: true, show: (sn) => <span className="device-sn">{sn}</span> }),
  column(DeviceRow, 'modelName'),
  lifecycleColumn,
  readinessColumn,
  column(DeviceRow, 'schoolName', { show: (_, device) => <Location device={device} /> }),
  column(DeviceRow, 'batchNo', { wideOnly: true }),
  column(DeviceRow, 'warrantyUntil', { wideOnly: true }),
  column(DeviceRow, 'fw', { wideOnly: true }),
  column(DeviceRow, 'secretCount', { wideOnly: true, show: (count) => <Secrets count={count} /> }),
  column(DeviceRow, 'createTime', { wideOnly: true }),
]

const filters = (
  <>
    <Filter of={DeviceQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={DeviceQuery} name="lifecycle">
      <EnumSelect kind="lifecycle" values={lifecycles} />
    </Filter>
    <Filter of={DeviceQuery} name="modelId">
      <ModelSelect allowClear />
    </Filter>
    <Filter of={DeviceQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={DeviceQuery} name="batchNo">
      <Input allowClear maxLength={32} />
    </Filter>
    <Filter of={DeviceQuery} name="battery">
      <EnumSelect kind="batteryConcern" values={batteryConcerns} />
    </Filter>
    <Filter of={DeviceQuery} name="warrantyDue">
      <YesNo />
    </Filter>
    <Filter of={DeviceQuery} name="rotating">
      <YesNo />
    </Filter>
    <Filter of={DeviceQuery} name="noSecret">
      <YesNo />
    </Filter>
  </>
)

type Open =
  | { what: 'new' }
  | { what: 'import' }
  | { what: 'edit'; device: DeviceRow }
  | { what: 'verb'; verb: DeviceVerbName; devices: readonly DeviceRow[]; done?: () => void }
  | { what: 'secret'; made: DeviceSecret }
  | { what: 'secrets'; made: readonly DeviceSecret[] }

const OpenDialog = ({ open, setOpen }: { open: Open; setOpen: (next: Open | undefined) => void }) => {
  const close = () => setOpen(undefined)
  if (open.what === 'import') return <DeviceImportDrawer onClose={close} />
  if (open.what === 'secret') return <SecretDialog made={open.made} onClose={close} />
  if (open.what === 'secrets') return <SecretSheet made={open.made} onClose={close} />
  if (open.what === 'verb')
    return (
      <DeviceVerbDialog
        verb={open.verb}
        devices={open.devices}
        onClose={(done) => {
          if (done) open.done?.()
          close()
        }}
      />
    )
  return (
    <DeviceDrawer
      key={open.what}
      device={open.what === 'edit' ? open.device : undefined}
      onCreated={(made) => setOpen({ what: 'secret', made })}
      onClose={close}
    />
  )
}

/** The bulk actions. */
const BulkButtons = ({
  rows,
  clear,
  onVerb,
  onSecrets,
}: {
  rows: readonly DeviceRow[]
  clear: () => void
  onVerb: (verb: DeviceVerbName, rows: readonly DeviceRow[], done: () => void) => void
  onSecrets: (made: readonly DeviceSecret[]) => void
}) => {
  const lang = useLang()
  const { t } = useTranslation()
  const navigate = useNavigate()
  const verbsOf = useDeviceVerbs()
  const mayIssue = useHasPermission('device:device:secret')
  const issue = useApiMutation(deviceEdits.issueSecrets, { also: [devices.page] })
  if (rows.length === 0) return null
  const askSecrets = async () => {
    const title = t('device.issueAsk', { n: rows.length })
    const unused = rows.filter(({ isNewestSecretUnused }) => isNewestSecretUnused)
    const text = unused.length > 0 ? t('device.issueUnused', { n: unused.length }) : t('device.rotateHelp')
    if (!(await confirm({ title, text, yes: t('device.issue'), danger: unused.length > 0 }))) return
    const items = rows.map(({ id, version }) => ({ id, version }))
    issue.mutate(
      { body: { items, force: unused.length > 0 } },
      {
        onSuccess: (made) => {
          clear()
          onSecrets(made)
        },
      },
    )
  }
  const common = (['allocate', 'suspend', 'retire'] as const).filter((verb) =>
    rows.every((row) => verbsOf(row).includes(verb)),
  )
  return (
    <Flex gap="small" wrap>
      {common.map((verb) => (
        <Button key={verb} onClick={() => onVerb(verb, rows, clear)}>
          {`${enumLabel('deviceVerb', verb, lang)} (${rows.length})`}
        </Button>
      ))}
      {mayIssue && rows.every(({ registeredLifecycle }) => registeredLifecycle !== 'RETIRED') && (
        <Button loading={issue.isPending} onClick={() => void askSecrets()}>
          {`${t('device.issue')} (${rows.length})`}
        </Button>
      )}
      <Button onClick={() => void navigate(`/device/labels?ids=${rows.map(({ id }) => id).join(',')}`)}>
        {`${t('device.printLabels')} (${rows.length})`}
      </Button>
    </Flex>
  )
}

const DeviceList = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  // The list of jobs links here to continue an import.
  const [open, setOpen] = useState<Open | undefined>(params.has('import') ? { what: 'import' } : undefined)
  const mayCreate = useHasPermission('device:device:create')
  const mayImport = useHasPermission('device:device:import')
  const mayUpdate = useHasPermission('device:device:update')
  const mayExport = useHasPermission('device:device:export')
  const mayRotate = useHasPermission('device:device:secret')
  const show = (next: Open | undefined) => {
    setOpen(next)
    if (params.has('import'))
      setParams((now) => {
        now.delete('import')
        return now
      })
  }
  const verbsOf = useDeviceVerbs()
  const rotate = useApiMutation(deviceEdits.rotateSecret)
  const askRotate = async ({ id, sn, version, isNewestSecretUnused: force }: DeviceRow) => {
    const text = t(force ? 'device.rotateUnused' : 'device.rotateHelp')
    if (!(await confirm({ title: t('device.rotateAsk', { sn }), text, danger: force }))) return
    rotate.mutate({ body: { id, version, force } }, { onSuccess: (made) => setOpen({ what: 'secret', made }) })
  }
  const actionsOf = (device: DeviceRow): (RowAction | false)[] => [
    { key: 'detail', label: t('list.detail'), run: () => void navigate(`/device/detail/${device.id}`) },
    mayUpdate && { key: 'edit', label: t('list.edit'), run: () => setOpen({ what: 'edit', device }) },
    ...verbsOf(device).map((verb) => ({
      key: verb,
      label: enumLabel('deviceVerb', verb, lang),
      run: () => setOpen({ what: 'verb', verb, devices: [device] }),
      danger: verb === 'retire',
    })),
    mayRotate &&
      device.registeredLifecycle !== 'RETIRED' && {
        key: 'rotate',
        label: t('device.rotate'),
        run: () => void askRotate(device),
      },
  ]
  const picking: RowSelection<DeviceRow> = {
    name: ({ sn }) => sn,
    bar: (rows, clear) => (
      <BulkButtons
        rows={rows}
        clear={clear}
        onSecrets={(made) => setOpen({ what: 'secrets', made })}
        onVerb={(verb, chosen, done) => setOpen({ what: 'verb', verb, devices: chosen, done })}
      />
    ),
  }
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
      {t('device.register')}
    </Button>
  )
  const importing = mayImport && (
    <Button icon={<ImportOutlined />} onClick={() => setOpen({ what: 'import' })}>
      {t('importing.import')}
    </Button>
  )
  return (
    <Flex vertical gap="middle">
      <LifecycleStrip />
      <ListPage
        query={DeviceQuery}
        source={(query) => queryFor(devices.page, { query })}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        left={
          <>
            {create}
            {importing}
          </>
        }
        picking={mayUpdate ? picking : undefined}
        exporting={(query) => mayExport && <ExportButton calls={deviceEdits} query={query} />}
        onOpen={({ id }) => void navigate(`/device/detail/${id}`)}
        actions={(device) => <RowActions items={actionsOf(device)} />}
        empty={{ text: t('device.noDevices'), next: create }}
      />
      {open && <OpenDialog open={open} setOpen={show} />}
    </Flex>
  )
}

export const DevicePage = () => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const maySeeRefused = useHasPermission('device:device:quarantine')
  if (!maySeeRefused) return <DeviceList />
  const tab = params.get('tab') === 'strangers' ? 'strangers' : 'known'
  return (
    <Tabs
      activeKey={tab}
      destroyOnHidden
      // Filters and page belong to the previous tab.
      onChange={(key) => setParams(key === 'strangers' ? { tab: key } : {})}
      items={[
        { key: 'known', label: t('device.known'), children: <DeviceList /> },
        { key: 'strangers', label: t('device.strangers'), children: <RefusedDeviceList /> },
      ]}
    />
  )
}
