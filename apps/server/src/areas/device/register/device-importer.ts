import { codes } from '@tocsin/contract/codes'
import { DeviceImportDraft, DeviceSheetRow, deviceImports } from '@tocsin/contract/device/device-import'
import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { openEntityCheck } from '#areas/files/import/entity-check'
import type { CellReader } from '#areas/files/import/cell-readers'
import type { CheckContext, Importer } from '#areas/files/import/importer'
import { createRowWriter } from '#areas/files/import/row-writer'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { insertDevice, insertDevices, updateDeviceIn } from './register.ts'

const key = 'sn'

type Named = { id: number; vendor: string; name: string; productKey: string }

const toKey = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** Finds a model by its product key, its name, or vendor and name; an ambiguous name finds none. */
const createModelReader = (models: readonly Named[]): CellReader => {
  const ids = new Map<string, Set<number>>()
  for (const { id, vendor, name, productKey } of models)
    for (const text of [productKey, name, `${vendor} ${name}`]) {
      const found = ids.get(toKey(text)) ?? new Set()
      ids.set(toKey(text), found.add(id))
    }
  return (text) => {
    const [id, ...others] = ids.get(toKey(text)) ?? []
    if (id === undefined) return { code: codes.importModel, params: { name: text } }
    return others.length > 0 ? { code: codes.importModelTwice, params: { name: text } } : { value: id }
  }
}

const loadModels = (db: Db): Promise<Named[]> =>
  db.selectFrom('deviceModel').select(['id', 'vendor', 'name', 'productKey']).execute()

const findExisting = async (db: Db, actor: Actor, drafts: readonly Partial<DeviceImportDraft>[]) => {
  const numbers = drafts.flatMap(({ sn }) => sn ?? [])
  const rows = await scoped(db, actor)
    .selectFrom('device')
    .selectAll()
    .where('sn', 'in', ['', ...numbers])
    .execute()
  return new Map(rows.map((row) => [row.sn, { id: row.id, values: row }]))
}

const openCheck = (context: CheckContext) =>
  openEntityCheck<DeviceImportDraft>(
    {
      sheet: DeviceSheetRow,
      draft: DeviceImportDraft,
      key,
      open: async ({ db, who }) => ({
        columns: { modelId: { read: createModelReader(await loadModels(db)) } },
        uniqueKeys: ({ sn }) => (sn ? [[key, sn]] : []),
        keyOf: ({ sn }) => sn,
        findExisting: (drafts) => findExisting(db, who.actor, drafts),
        // Another model would change the meaning of the device's signals.
        check: async ({ modelId }, existing) => (existing && modelId !== undefined ? [modelFixed] : []),
      }),
    },
    context,
  )

const modelFixed = {
  field: 'modelId',
  message: codes.importModelFixed.zh,
  messageEn: codes.importModelFixed.en,
}

/** A delivery list as a spreadsheet; the secrets of its devices are created afterwards. */
export const deviceImporter: Importer<DeviceImportDraft> = {
  endpoints: deviceImports,
  jobName: 'device-import',
  page: '/device/device',
  title: '设备',
  titleEn: 'Devices',
  sheet: DeviceSheetRow,
  otherHeadings: { sn: ['序列号', 'SN'], modelId: ['设备型号', '产品标识', 'Product key'] },
  required: ['sn', 'modelId'],
  key,
  constraints: { device_sn_key: key },
  template: async (db) => {
    const models = await loadModels(db)
    const names = models.map(({ vendor, name }) => `${vendor} ${name}`)
    return {
      samples: [['BTN-20260001', names[0] ?? 'B1', '2026-11', '2029-11-30', '', '', '', '', '', '']],
      choices: { modelId: names.slice(0, 100) },
    }
  },
  openCheck,
  writer: createRowWriter<DeviceImportDraft>({
    draft: DeviceImportDraft,
    key,
    constraints: { device_sn_key: key },
    permissions: { create: deviceEdits.create.permission, update: deviceEdits.update.permission },
    create: async (trx, draft, caller) => (await insertDevice(trx, caller, draft)).id,
    createAll: async (trx, drafts, caller) => (await insertDevices(trx, caller, drafts)).map(({ id }) => id),
    update: async (trx, id, { sn: _sn, modelId: _model, ...draft }, caller) => {
      await updateDeviceIn(trx, { id, ...draft }, caller)
    },
  }),
}
