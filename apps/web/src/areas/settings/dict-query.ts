import { DictDataQuery } from '@tocsin/contract/settings/dict'

/** The path contains the dictionary. */
export const DataFilters = DictDataQuery.omit({ dictType: true })
