import { ConfigQuery } from '@tocsin/contract/settings/config'
import { createdEnds } from '#ui/list/created-range.ts'

export const ConfigFilters = ConfigQuery.omit({ createTime: true }).extend(createdEnds)
