import { SchoolDeviceRow, schoolDevices } from '@tocsin/contract/device/school-device'
import { employees } from '@tocsin/contract/school/employee-calls'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { column } from '#ui/column.tsx'
import { RELATED_PAGE, RelatedRows } from '#ui/related/RelatedRows.tsx'
import { belonging, employeeColumns } from './employee/employee-columns.tsx'

const deviceColumns = [
  column(SchoolDeviceRow, 'placePath', { main: true }),
  column(SchoolDeviceRow, 'kind', { word: 'deviceKind' }),
  column(SchoolDeviceRow, 'sn'),
  column(SchoolDeviceRow, 'connectivity', { tag: 'connectivity' }),
  column(SchoolDeviceRow, 'lastTestAt'),
  column(SchoolDeviceRow, 'nextTestDue'),
  column(SchoolDeviceRow, 'status', { tag: 'installation' }),
]

/** Connectivity has no events. */
const DEVICES_EVERY_MS = 10_000

/** The devices on the walls of the school. */
export const SchoolDevices = ({ schoolId }: { schoolId: number }) => {
  const { t } = useTranslation()
  return (
    <RelatedRows
      source={queryFor(schoolDevices.page, { query: { schoolId, ...RELATED_PAGE } })}
      everyMs={DEVICES_EVERY_MS}
      columns={deviceColumns}
      rowKey={({ id }) => id}
      toRow={({ id }) => `/schoolDevice/detail/${id}`}
      all={{ to: `/device/schoolDevice?schoolId=${schoolId}`, label: t('school.devicesOf') }}
      empty={t('school.noDevices')}
    />
  )
}

const peopleColumns = employeeColumns.filter((column) => column !== belonging)

/** The people of the school. */
export const SchoolPeople = ({ schoolId }: { schoolId: number }) => {
  const { t } = useTranslation()
  return (
    <RelatedRows
      source={queryFor(employees.page, { query: { schoolId, ...RELATED_PAGE } })}
      columns={peopleColumns}
      rowKey={({ id }) => id}
      toRow={({ id }) => `/school/employee/${id}`}
      all={{ to: `/school/employee?schoolId=${schoolId}`, label: t('school.peopleOf') }}
      empty={t('employee.none')}
    />
  )
}
