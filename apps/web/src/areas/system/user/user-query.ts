import { queryDate } from '@tocsin/contract/codecs'
import { field } from '@tocsin/contract/field'
import { UserQuery } from '@tocsin/contract/system/user'
import type { z } from 'zod'

/** In the address a period has two ends, each of which may be open. */
export const UserFilters = UserQuery.omit({ createTime: true, roleId: true }).extend({
  from: field(queryDate.optional(), '创建时间', 'Created'),
  to: field(queryDate.optional(), '创建时间', 'Created'),
})
type UserFilters = z.output<typeof UserFilters>

const OPEN_FROM = new Date(0)
const OPEN_TO = new Date(Date.UTC(2199, 0, 1))

export const asQuery = ({ from, to, ...rest }: UserFilters): UserQuery => ({
  ...rest,
  ...((from || to) && { createTime: [from ?? OPEN_FROM, to ?? OPEN_TO] }),
})
