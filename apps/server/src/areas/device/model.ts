import { codes } from '@tocsin/contract/codes'
import { deviceLabel } from '@tocsin/contract/device/device-labels'
import { type DeviceModelQuery, DeviceModelRow, deviceModels } from '@tocsin/contract/device/model'
import { sql } from 'kysely'
import type { Exporter, ExportOptions, RowsQuery } from '#areas/audit/exporter'
import { exportRoutes } from '#areas/audit/export-routes'
import type { Db } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { countCapped } from '#db/page'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Route, route } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { sheetColumn } from '#spreadsheet/column'
import { createModel, deleteModel, updateModel } from './model-edit.ts'

const modelRows = (db: Db, { keyword, kind }: DeviceModelQuery = {}) => {
  const text = likePattern(keyword ?? '')
  return unscoped(db, 'how many devices of a model there are does not depend on who asks')
    .selectFrom('deviceModel')
    .$if(!!keyword, (q) => q.where((eb) => eb.or([eb('vendor', 'ilike', text), eb('name', 'ilike', text)])))
    .$if(!!kind?.length, (q) => q.where('kind', 'in', kind ?? []))
}

const selectModel = (found: ReturnType<typeof modelRows>) =>
  found
    .selectAll('deviceModel')
    .select(sql<number>`(select count(*)::int from device where device.model_id = device_model.id)`.as('deviceCount'))

export const modelExport: Exporter<DeviceModelQuery & ExportOptions, DeviceModelRow> = {
  endpoints: deviceModels,
  subject: 'device_model',
  name: '设备型号',
  nameEn: 'Device models',
  columns: async (_db, lang) => [
    sheetColumn(DeviceModelRow, 'vendor'),
    sheetColumn(DeviceModelRow, 'name', { width: 24 }),
    sheetColumn(DeviceModelRow, 'productKey', { width: 22 }),
    sheetColumn(DeviceModelRow, 'kind', { cell: (kind) => deviceLabel('deviceKind', kind, lang) }),
    sheetColumn(DeviceModelRow, 'protocol'),
    sheetColumn(DeviceModelRow, 'power', { cell: (power) => deviceLabel('power', power, lang) }),
    sheetColumn(DeviceModelRow, 'alarmCodes', { width: 30, cell: (list) => list.join(', ') }),
    sheetColumn(DeviceModelRow, 'heartbeatSec'),
    sheetColumn(DeviceModelRow, 'offlineAfterSec'),
    sheetColumn(DeviceModelRow, 'deviceCount'),
  ],
  rows: (db, _actor, query) =>
    selectModel(modelRows(db, query)).orderBy('vendor').orderBy('name') as unknown as RowsQuery<DeviceModelRow>,
}

export const modelRoutes = ({ db }: { db: Db }): Route[] => [
  route(deviceModels.page, async ({ query }) => {
    const { limit, offset } = toOffsetLimit(query)
    const found = modelRows(db, query)
    const [list, total] = await Promise.all([
      selectModel(found).orderBy('vendor').orderBy('name').limit(limit).offset(offset).execute(),
      countCapped(db, found.select('id')),
    ])
    return { list, ...total }
  }),
  route(deviceModels.get, async ({ query }) => {
    const row = await selectModel(modelRows(db).where('id', '=', query.id)).executeTakeFirst()
    if (!row) throw new BusinessError(codes.notFound, { what: '设备型号' })
    return row
  }),
  route(deviceModels.simpleList, () =>
    db
      .selectFrom('deviceModel')
      .select(['id', 'vendor', 'name', 'kind', 'productKey'])
      .orderBy('vendor')
      .orderBy('name')
      .limit(1000)
      .execute(),
  ),
  route(deviceModels.create, ({ body, caller }) => createModel(db, body, caller)),
  route(deviceModels.update, ({ body, caller }) => updateModel(db, body, caller)),
  route(deviceModels.delete, ({ query, caller }) => deleteModel(db, query.id, caller)),
  ...exportRoutes(db, modelExport),
]
