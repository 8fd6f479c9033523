import { DictDataQuery, DictTypeQuery } from '@tocsin/contract/settings/dict'
import { createdEnds } from '#ui/list/created-range.ts'

export const TypeFilters = DictTypeQuery.omit({ createTime: true }).extend(createdEnds)

/** The path contains the dictionary. */
export const DataFilters = DictDataQuery.omit({ dictType: true })
