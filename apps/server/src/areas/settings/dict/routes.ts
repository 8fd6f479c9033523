import { dictsV1, type DictItem } from '@tocsin/contract/compat/dict'
import { dictDatas, type DictEntry } from '@tocsin/contract/settings/dict'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { addRoutes } from '#areas/audit/entity/entity'
import { dictDataEntity, listEnabledEntries } from './data.ts'
import { dictDataRoutesV1, listEntriesWithAliases, tagOf } from './v1-data.ts'
import { dictTypeEntity } from './type.ts'

const grouped = (all: (DictEntry & { name: string })[]): DictItem[] =>
  [...Map.groupBy(all, ({ dictType }) => dictType)].map(([dictCode, list]) => ({
    name: list[0]?.name ?? '',
    dictCode,
    dictDataList: list.map(({ value, label, colorType }) => ({ value, label, tagType: tagOf(colorType) })),
  }))

const v1Routes = (db: Db): Route[] => [
  route(dictsV1.list, async () => grouped(await listEntriesWithAliases(db))),
  route(dictsV1.form, async ({ params, actor }) => {
    const { id, name, type, status, remark } = await dictTypeEntity.get(db, actor, params.id)
    return { id, name, dictCode: type, status, remark }
  }),
  route(dictsV1.create, ({ body: { name, dictCode, status = true, remark = null }, caller }) =>
    dictTypeEntity.create({ db }, caller, { name, type: dictCode, status, remark }),
  ),
  route(dictsV1.update, async ({ params, body: { id: _id, dictCode: type, ...rest }, caller }) => {
    await dictTypeEntity.update({ db }, caller, { ...rest, type, id: params.id })
    return null
  }),
  route(dictsV1.delete, async ({ params, caller }) => {
    await dictTypeEntity.delete({ db }, caller, params.ids)
    return null
  }),
]

export const dictionaries = addRoutes(dictTypeEntity, ({ db }) => v1Routes(db))

export const dictEntries = addRoutes(dictDataEntity, ({ db }) => [
  route(dictDatas.entries, async () => (await listEnabledEntries(db)).map(({ name: _name, ...entry }) => entry)),
  ...dictDataRoutesV1({ db }),
])
