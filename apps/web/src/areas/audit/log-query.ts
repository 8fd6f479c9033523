import { serverNow } from '#api/server-clock.ts'
import { queryDate } from '@tocsin/contract/codecs'
import { field } from '@tocsin/contract/field'
import { AuditLogQuery } from '@tocsin/contract/audit/audit-log'
import { LoginLogQuery } from '@tocsin/contract/audit/login-log'

const ends = {
  from: field(queryDate.optional(), '开始时间', 'From'),
  to: field(queryDate.optional(), '结束时间', 'To'),
}

export const LoginFilters = LoginLogQuery.omit({ createTime: true }).extend(ends)
export const AuditFilters = AuditLogQuery.omit({ createTime: true, userId: true }).extend(ends)

const WEEK_MS = 7 * 86_400_000

type DateRange = { from?: Date | undefined; to?: Date | undefined }

/** A log query always has a time window: an open end is now, an open start is seven days before the end. */
export const withWindow = <Q extends DateRange>({ from, to, ...rest }: Q, now: () => number = serverNow) => {
  if (!from && !to) return rest
  const end = to ?? new Date(now())
  return { ...rest, createTime: [from ?? new Date(end.getTime() - WEEK_MS), end] as [Date, Date] }
}
