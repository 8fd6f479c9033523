import { connectivities, DeviceQuery, DeviceRow, devices, lifecycles } from '@tocsin/contract/device/device'
import { Button, Input, Tabs } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { column } from '#ui/column.tsx'
import { Filter, EnumSelect } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { DeviceDrawer } from './DeviceDrawer.tsx'
import { lifecycleColumn, networkColumns, placeColumns } from './device-columns.tsx'
import { DEVICE_POLL_MS } from './device-polling.ts'
import { RefusedDeviceList } from './RefusedDeviceList.tsx'

const columns = [column(DeviceRow, 'sn', { main: true }), ...placeColumns, ...networkColumns, lifecycleColumn]

const filters = (
  <>
    <Filter of={DeviceQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={DeviceQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={DeviceQuery} name="connectivity">
      <EnumSelect kind="connectivity" values={connectivities} />
    </Filter>
    <Filter of={DeviceQuery} name="lifecycle">
      <EnumSelect kind="lifecycle" values={lifecycles} />
    </Filter>
  </>
)

const DeviceList = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<DeviceRow>()
  return (
    <>
      <ListPage
        query={DeviceQuery}
        source={(query) => queryFor(devices.page, { query })}
        everyMs={DEVICE_POLL_MS}
        columns={columns}
        rowKey={({ id }) => id}
        filters={filters}
        onOpen={setOpen}
        actions={(device) => (
          <Button size="small" type="link" onClick={() => setOpen(device)}>
            {t('list.detail')}
          </Button>
        )}
        empty={{ text: t('device.noDevices') }}
      />
      {open && <DeviceDrawer device={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

export const DevicePage = () => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const maySeeStrangers = useHasPermission('device:device:quarantine')
  if (!maySeeStrangers) return <DeviceList />
  const tab = params.get('tab') === 'strangers' ? 'strangers' : 'known'
  return (
    <Tabs
      activeKey={tab}
      destroyOnHidden
      // Filters and page belong to the tab that was left.
      onChange={(key) => setParams(key === 'strangers' ? { tab: key } : {})}
      items={[
        { key: 'known', label: t('device.known'), children: <DeviceList /> },
        { key: 'strangers', label: t('device.strangers'), children: <RefusedDeviceList /> },
      ]}
    />
  )
}
