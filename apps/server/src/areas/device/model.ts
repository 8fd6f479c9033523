import { deviceModels } from '@tocsin/contract/device/model'
import { sql } from 'kysely'
import { createEntity } from '#areas/audit/entity/entity'
import { unscoped } from '#db/scope'
import { checkLocked, checkModel, toModelColumns } from './model-edit.ts'

export const modelEntity = createEntity({
  of: deviceModels,
  table: 'deviceModel',
  nameColumn: 'name',
  keyword: ['vendor', 'name'],
  order: ['vendor', 'name'],
  computed: () => [
    sql<number>`(select count(*)::int from device where device.model_id = device_model.id)`.as('deviceCount'),
  ],
  handle: (db) => unscoped(db, 'how many devices of a model there are does not depend on who asks'),
  exported: [
    'vendor',
    { name: 'name', width: 24 },
    { name: 'productKey', width: 22 },
    'kind',
    'protocol',
    'power',
    { name: 'alarmCodes', width: 30 },
    'heartbeatSec',
    'offlineAfterSec',
    'deviceCount',
  ],
  check: async (trx, { before, after }) => {
    checkModel(after)
    if (before) await checkLocked(trx, before, after)
  },
  toColumns: toModelColumns,
  events: 'model.changed',
})
