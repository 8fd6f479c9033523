import { DictDataQuery, DictTypeQuery } from '@tocsin/contract/system/dict'
import { createdEnds } from '../created-range.ts'

export const TypeFilters = DictTypeQuery.omit({ createTime: true }).extend(createdEnds)

/** The dictionary is in the path. */
export const DataFilters = DictDataQuery.omit({ dictType: true })
