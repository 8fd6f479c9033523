import { ConfigQuery } from '@tocsin/contract/system/config'
import { createdEnds } from '../created.ts'

export const ConfigFilters = ConfigQuery.omit({ createTime: true }).extend(createdEnds)
