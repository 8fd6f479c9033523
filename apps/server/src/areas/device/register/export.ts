import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { type DeviceQuery, DeviceRow } from '@tocsin/contract/device/device'
import { deviceLabel } from '@tocsin/contract/device/device-labels'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { scoped } from '#db/scope'
import { sheetColumn } from '#spreadsheet/column'
import {
  completeDevices,
  deviceRows,
  filterDevices,
  orderDevices,
  selectDeviceRow,
  type StoredDeviceRow,
} from '../device.ts'

const columns: Exporter<DeviceQuery, DeviceRow>['columns'] = async (_db, lang) => [
  sheetColumn(DeviceRow, 'sn', { width: 22 }),
  sheetColumn(DeviceRow, 'modelName'),
  sheetColumn(DeviceRow, 'kind', { cell: (kind) => deviceLabel('deviceKind', kind, lang) }),
  sheetColumn(DeviceRow, 'lifecycle', { cell: (stage) => deviceLabel('lifecycle', stage, lang) }),
  sheetColumn(DeviceRow, 'schoolName', { width: 24 }),
  sheetColumn(DeviceRow, 'placePath', { width: 30 }),
  sheetColumn(DeviceRow, 'batchNo'),
  sheetColumn(DeviceRow, 'warrantyUntil'),
  sheetColumn(DeviceRow, 'fw'),
  sheetColumn(DeviceRow, 'imei'),
  sheetColumn(DeviceRow, 'iccid', { width: 22 }),
  sheetColumn(DeviceRow, 'mac', { width: 18 }),
  sheetColumn(DeviceRow, 'gbCode', { width: 22 }),
  sheetColumn(DeviceRow, 'remark', { width: 30 }),
  sheetColumn(DeviceRow, 'createTime'),
]

export const deviceExport: Exporter<DeviceQuery & ExportOptions, DeviceRow, StoredDeviceRow> = {
  endpoints: deviceEdits,
  subject: 'device',
  name: '设备',
  nameEn: 'Devices',
  columns,
  rows: (db, actor, query) =>
    orderDevices(
      selectDeviceRow(filterDevices(deviceRows(scoped(db, actor)), query)),
      query.orderBy,
    ) as unknown as RowsQuery<StoredDeviceRow>,
  shown: ({ db, actor }, found) => completeDevices(scoped(db, actor), found),
}
