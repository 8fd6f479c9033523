import { SchoolDeviceRow } from '@tocsin/contract/device/school-device'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { column } from '#ui/column.tsx'

export const installationColumns = [
  column(SchoolDeviceRow, 'sn', { main: true }),
  column(SchoolDeviceRow, 'schoolName'),
  column(SchoolDeviceRow, 'placePath'),
  column(SchoolDeviceRow, 'kind', { word: 'deviceKind' }),
  column(SchoolDeviceRow, 'modelName', { wideOnly: true }),
  column(SchoolDeviceRow, 'status', { tag: 'installation' }),
  column(SchoolDeviceRow, 'connectivity', { tag: 'connectivity' }),
  column(SchoolDeviceRow, 'lastSeenAt', { show: (at) => <RelativeTime at={at} /> }),
  column(SchoolDeviceRow, 'lastTestAt', { wideOnly: true }),
  column(SchoolDeviceRow, 'nextTestDue', { wideOnly: true }),
]
