import { z } from 'zod'
import { field } from '../field.ts'
import { importEndpoints, ImportQuery } from '../files/import.ts'
import { DeviceDraft } from './device.ts'

const Optional = DeviceDraft.pick({
  batchNo: true,
  warrantyUntil: true,
  simExpiry: true,
  imei: true,
  iccid: true,
  mac: true,
  gbCode: true,
  remark: true,
})

/** A device in a delivery list. It contains no secret: rows of an import are stored as plain text. */
export const DeviceImportDraft = DeviceDraft.pick({ sn: true, modelId: true }).extend(Optional.partial().shape)
export type DeviceImportDraft = z.output<typeof DeviceImportDraft>

/** The columns of a delivery list; a model is named by its product key, its name, or vendor and name. */
export const DeviceSheetRow = z.strictObject({
  sn: field(z.string(), '设备序列号', 'Serial number'),
  modelId: field(z.string(), '型号', 'Model'),
  batchNo: field(z.string(), '批次', 'Batch'),
  warrantyUntil: field(z.string(), '保修至', 'Warranty until'),
  simExpiry: field(z.string(), 'SIM 卡到期', 'SIM expiry'),
  imei: field(z.string(), 'IMEI', 'IMEI'),
  iccid: field(z.string(), 'ICCID', 'ICCID'),
  mac: field(z.string(), 'MAC 地址', 'MAC address'),
  gbCode: field(z.string(), '国标编码', 'GB code'),
  remark: field(z.string(), '备注', 'Remark'),
})

export const deviceImports = importEndpoints({
  permission: 'device:device:import',
  scope: 'school',
  path: '/device/device',
  title: '设备',
  titleEn: 'Devices',
  query: ImportQuery,
})
