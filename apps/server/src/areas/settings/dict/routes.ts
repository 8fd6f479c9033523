import { dictsV1, type DictItem } from '@tocsin/contract/compat/dict'
import { dictDatas, dictTypes, type DictEntry } from '@tocsin/contract/settings/dict'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { exportRoutes } from '#areas/audit/export-routes'
import { createData, dataExport, dataPage, deleteDatas, listEnabledEntries, getData, updateData } from './data.ts'
import { dictDataRoutesV1, tagOf } from './v1-data.ts'
import { createType, deleteTypes, getType, typeExport, typeOptions, typePage, updateType } from './type.ts'

const typeRoutes = (db: Db): Route[] => [
  route(dictTypes.page, ({ query }) => typePage(db, query)),
  route(dictTypes.get, ({ query }) => getType(db, query.id)),
  route(dictTypes.simpleList, () => typeOptions(db)),
  ...exportRoutes(db, typeExport),
  route(dictTypes.create, ({ body, actor, origin }) => createType(db, body, { actor, origin })),
  route(dictTypes.update, ({ body, actor, origin }) => updateType(db, body, { actor, origin })),
  route(dictTypes.deleteList, ({ query, actor, origin }) => deleteTypes(db, query.ids, { actor, origin })),
  route(dictTypes.delete, ({ query, actor, origin }) => deleteTypes(db, [query.id], { actor, origin })),
]

const dataRoutes = (db: Db): Route[] => [
  route(dictDatas.simpleList, async () => (await listEnabledEntries(db)).map(({ name: _name, ...entry }) => entry)),
  route(dictDatas.page, ({ query }) => dataPage(db, query)),
  route(dictDatas.get, ({ query }) => getData(db, query.id)),
  ...exportRoutes(db, dataExport),
  route(dictDatas.create, ({ body, actor, origin }) => createData(db, body, { actor, origin })),
  route(dictDatas.update, ({ body, actor, origin }) => updateData(db, body, { actor, origin })),
  route(dictDatas.deleteList, ({ query, actor, origin }) => deleteDatas(db, query.ids, { actor, origin })),
  route(dictDatas.delete, ({ query, actor, origin }) => deleteDatas(db, [query.id], { actor, origin })),
]

const grouped = (all: (DictEntry & { name: string })[]): DictItem[] =>
  [...Map.groupBy(all, ({ dictType }) => dictType)].map(([dictCode, list]) => ({
    name: list[0]?.name ?? '',
    dictCode,
    dictDataList: list.map(({ value, label, colorType }) => ({ value, label, tagType: tagOf(colorType) })),
  }))

const v1Routes = (db: Db): Route[] => [
  route(dictsV1.list, async () => grouped(await listEnabledEntries(db))),
  route(dictsV1.form, async ({ params }) => {
    const { id, name, type, status, remark } = await getType(db, params.id)
    return { id, name, dictCode: type, status, remark }
  }),
  route(dictsV1.create, ({ body: { name, dictCode, status = true, remark = null }, actor, origin }) =>
    createType(db, { name, type: dictCode, status, remark }, { actor, origin }),
  ),
  route(dictsV1.update, async ({ params, body: { id: _id, dictCode: type, ...rest }, actor, origin }) => {
    await updateType(db, { ...rest, type, id: params.id }, { actor, origin })
    return null
  }),
  route(dictsV1.delete, async ({ params, actor, origin }) => {
    await deleteTypes(db, params.ids, { actor, origin })
    return null
  }),
]

export const dictRoutes = ({ db }: { db: Db }): Route[] => [
  ...typeRoutes(db),
  ...dataRoutes(db),
  ...v1Routes(db),
  ...dictDataRoutesV1({ db }),
]
