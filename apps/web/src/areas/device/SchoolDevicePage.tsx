import { SchoolDeviceRow, schoolDevices } from '@tocsin/contract/device/school-device'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read, readInPlace } from '#api/query.ts'
import { SchoolChoice } from '#ui/SchoolChoice.tsx'
import { Ago } from '#ui/Ago.tsx'
import { Answer } from '#ui/statement/Answer.tsx'
import { YesNoText } from '#ui/cell/YesNoText.tsx'
import { column } from '#ui/column.tsx'
import { Facts } from '#ui/Facts.tsx'
import { ReadDrawer } from '#ui/above/ReadDrawer.tsx'
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

const facts = [
  ...columns,
  column(SchoolDeviceRow, 'mountNote'),
  column(SchoolDeviceRow, 'silent', { show: (is) => <YesNoText yes={is} /> }),
  column(SchoolDeviceRow, 'installedAt'),
  column(SchoolDeviceRow, 'acceptedAt'),
  column(SchoolDeviceRow, 'suspendedUntil'),
]

const Detail = ({ id }: { id: number }) => {
  const query = useQuery({ ...readInPlace(schoolDevices.get, { query: { id } }), refetchInterval: HEARD_MS })
  return <Answer query={query}>{(installed) => <Facts row={installed} columns={facts} />}</Answer>
}

const filters = (
  <>
    <Filter of={query} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={query} name="schoolId">
      <SchoolChoice />
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
        source={(given) => read(schoolDevices.page, { query: given })}
        everyMs={HEARD_MS}
        columns={columns}
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
      {open && (
        <ReadDrawer onClose={() => setOpen(undefined)} size="min(720px, 100vw)" title={open.sn}>
          <Detail id={open.id} />
        </ReadDrawer>
      )}
    </>
  )
}
