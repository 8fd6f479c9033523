import { UserQuery } from '@tocsin/contract/access/user'
import { createdEnds } from '#ui/list/created-range.ts'

export const UserFilters = UserQuery.omit({ createTime: true, roleId: true }).extend(createdEnds)
