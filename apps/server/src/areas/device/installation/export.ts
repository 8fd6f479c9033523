import { deviceLabel } from '@tocsin/contract/device/device-labels'
import { type SchoolDeviceQuery, SchoolDeviceRow } from '@tocsin/contract/device/school-device'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { scoped } from '#db/scope'
import { sheetColumn } from '#spreadsheet/column'
import {
  completeInstallations,
  filterInstallations,
  installationRows,
  orderInstallations,
  selectInstallationRow,
  type StoredInstallationRow,
} from '../school-device.ts'

const columns: Exporter<SchoolDeviceQuery, SchoolDeviceRow>['columns'] = async (_db, lang) => [
  sheetColumn(SchoolDeviceRow, 'placePath', { width: 30 }),
  sheetColumn(SchoolDeviceRow, 'schoolName', { width: 24 }),
  sheetColumn(SchoolDeviceRow, 'kind', { cell: (kind) => deviceLabel('deviceKind', kind, lang) }),
  sheetColumn(SchoolDeviceRow, 'sn', { width: 22 }),
  sheetColumn(SchoolDeviceRow, 'modelName'),
  sheetColumn(SchoolDeviceRow, 'status', { cell: (status) => deviceLabel('installation', status, lang) }),
  sheetColumn(SchoolDeviceRow, 'connectivity', { cell: (state) => deviceLabel('connectivity', state, lang) }),
  sheetColumn(SchoolDeviceRow, 'lastTestAt'),
  sheetColumn(SchoolDeviceRow, 'nextTestDue'),
  sheetColumn(SchoolDeviceRow, 'silent'),
  sheetColumn(SchoolDeviceRow, 'installedAt'),
  sheetColumn(SchoolDeviceRow, 'acceptedAt'),
]

export const installationExport: Exporter<SchoolDeviceQuery & ExportOptions, SchoolDeviceRow, StoredInstallationRow> = {
  endpoints: installationCalls,
  subject: 'school_device',
  name: '学校设备',
  nameEn: 'Installed devices',
  columns,
  rows: (db, actor, query) => {
    const seen = scoped(db, actor)
    const found = selectInstallationRow(filterInstallations(installationRows(seen), query))
    return orderInstallations(seen, found, query) as unknown as RowsQuery<StoredInstallationRow>
  },
  shown: ({ db, actor }, found) => completeInstallations(scoped(db, actor), found),
}
