import { ConfigQuery } from '@tocsin/contract/system/config'
import { createdEnds } from '../created-range.ts'

export const ConfigFilters = ConfigQuery.omit({ createTime: true }).extend(createdEnds)
