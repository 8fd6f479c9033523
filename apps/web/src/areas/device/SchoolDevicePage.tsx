import { type SchoolDeviceRow, schoolDevices } from '@tocsin/contract/device/school-device'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { DEVICE_POLL_MS } from './device-polling.ts'
import { installationColumns } from './installation-columns.tsx'
import { InstallationDrawer } from './InstallationDrawer.tsx'

const query = schoolDevices.page.query

const filters = (
  <>
    <Filter of={query} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={query} name="schoolId">
      <SchoolSelect />
    </Filter>
  </>
)

export const SchoolDevicePage = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<SchoolDeviceRow>()
  return (
    <>
      <ListPage
        query={query}
        source={(given) => queryFor(schoolDevices.page, { query: given })}
        everyMs={DEVICE_POLL_MS}
        columns={installationColumns}
        rowKey={({ id }) => id}
        filters={filters}
        onOpen={setOpen}
        actions={(installed) => (
          <Button size="small" type="link" onClick={() => setOpen(installed)}>
            {t('list.detail')}
          </Button>
        )}
        empty={{ text: t('device.noInstallations') }}
      />
      {open && <InstallationDrawer installed={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
