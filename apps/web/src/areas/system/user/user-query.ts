import { UserQuery } from '@tocsin/contract/system/user'
import { createdEnds } from '../created-range.ts'

export const UserFilters = UserQuery.omit({ createTime: true, roleId: true }).extend(createdEnds)
