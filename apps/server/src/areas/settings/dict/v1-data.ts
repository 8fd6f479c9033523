import { type DictDataForm, dictDatasV1 } from '@tocsin/contract/compat/dict-data'
import type { DictDataRow, DictEntry } from '@tocsin/contract/settings/dict'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { dictDataEntity, listEnabledEntries } from './data.ts'
import { dictTypeEntity } from './type.ts'

/** `default` has no name in the compatibility API. */
export const tagOf = (color: DictEntry['colorType']) => (color === 'default' ? null : color)

/** The names under which clients of `/api/v1` ask for seeded dictionaries (wire 6.4). */
const aliases: Readonly<Record<string, string>> = {
  gender: 'system_user_sex',
  notice_type: 'system_notice_type',
  notice_level: 'system_notice_level',
}

type NamedEntry = DictEntry & { name: string }

/**
 * All enabled entries; those of a dictionary with an alias are listed again under it, unless a dictionary has that
 * name.
 */
export const listEntriesWithAliases = async (db: Db): Promise<NamedEntry[]> => {
  const all = await listEnabledEntries(db)
  const known = new Set(all.map(({ dictType }) => dictType))
  const extra = Object.entries(aliases).flatMap(([alias, type]) =>
    known.has(alias)
      ? []
      : all.filter(({ dictType }) => dictType === type).map((entry) => ({ ...entry, dictType: alias })),
  )
  return [...all, ...extra]
}

const formOf = ({ id, dictType, label, value, sort, status, colorType }: DictDataRow): DictDataForm => ({
  id,
  dictCode: dictType,
  label,
  value,
  sort,
  status,
  tagType: tagOf(colorType),
})

/** Entries in the compatibility API (wire 1.4): names and shapes only. */
export const dictDataRoutesV1 = ({ db }: { db: Db }): Route[] => [
  route(dictDatasV1.types, async ({ query, actor }) => {
    const { list, ...counted } = await dictTypeEntity.page(db, actor, query)
    const forms = list.map(({ id, type, status, remark, name: title }) => ({
      id,
      name: title,
      dictCode: type,
      status,
      remark,
    }))
    return { list: forms, ...counted }
  }),
  route(dictDatasV1.page, async ({ query: { dictCode: dictType, ...query }, actor }) => {
    const { list, ...counted } = await dictDataEntity.page(db, actor, { ...query, dictType })
    return { list: list.map(formOf), ...counted }
  }),
  route(dictDatasV1.options, async ({ params }) =>
    (await listEntriesWithAliases(db))
      .filter(({ dictType }) => dictType === params.code)
      .map(({ value, label, colorType }) => ({ value, label, tagType: tagOf(colorType) })),
  ),
  route(dictDatasV1.form, async ({ params, actor }) => formOf(await dictDataEntity.get(db, actor, params.id))),
  route(dictDatasV1.create, ({ body, caller }) => {
    const { dictCode: dictType, label, value, sort = 0, status = true, tagType: colorType = null } = body
    return dictDataEntity.create({ db }, caller, { dictType, label, value, sort, status, colorType })
  }),
  route(dictDatasV1.update, async ({ params, body, caller }) => {
    const { id: _id, dictCode: dictType, tagType: colorType, ...rest } = body
    await dictDataEntity.update({ db }, caller, { ...rest, dictType, colorType, id: params.id })
    return null
  }),
  route(dictDatasV1.delete, async ({ params, caller }) => {
    await dictDataEntity.delete({ db }, caller, params.ids)
    return null
  }),
]
