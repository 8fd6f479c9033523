import { SchoolDeviceRow, schoolDevices } from '@tocsin/contract/device/school-device'
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { read } from '#api/query.ts'
import { SchoolChoice } from '#ui/SchoolChoice.tsx'
import { Ago } from '#ui/Ago.tsx'
import { column } from '#ui/column.tsx'
import { Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { HEARD_MS } from './heard.ts'

const query = schoolDevices.page.query

const columns = [
  column(SchoolDeviceRow, 'sn', { main: true }),
  column(SchoolDeviceRow, 'schoolName'),
  column(SchoolDeviceRow, 'placePath'),
  column(SchoolDeviceRow, 'kind', { word: 'deviceKind' }),
  column(SchoolDeviceRow, 'modelName', { wideOnly: true }),
  column(SchoolDeviceRow, 'status', { tag: 'installation' }),
  column(SchoolDeviceRow, 'connectivity', { tag: 'connectivity' }),
  column(SchoolDeviceRow, 'lastSeenAt', { show: (at) => <Ago at={at} /> }),
  column(SchoolDeviceRow, 'lastTestAt', { wideOnly: true }),
  column(SchoolDeviceRow, 'nextTestDue', { wideOnly: true }),
]

export const SchoolDevicePage = () => {
  const { t } = useTranslation()
  return (
    <ListPage
      query={query}
      source={(given) => read(schoolDevices.page, { query: given })}
      everyMs={HEARD_MS}
      columns={columns}
      rowKey={({ id }) => id}
      filters={
        <>
          <Filter of={query} name="keyword">
            <Input allowClear maxLength={64} />
          </Filter>
          <Filter of={query} name="schoolId">
            <SchoolChoice />
          </Filter>
        </>
      }
      empty={{ text: t('device.noInstallations') }}
    />
  )
}
