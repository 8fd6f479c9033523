import { codes } from '@tocsin/contract/codes'
import { toLimitOffset, type PageQuery, TOTAL_CAP } from '@tocsin/contract/page'
import { BusinessError } from '#http/business-error'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7
const MAX_DAYS = 92

export type TimeWindow = { from: Date; to: Date | undefined }

type Asked = { from?: Date | undefined; to?: Date | undefined }

/** Records and logs are always read in a time window: seven days by default, at most 92 (DESIGN 7), or fewer. */
export const toTimeWindow = (query: Asked, now: Date, most = MAX_DAYS): TimeWindow => {
  const end = (query.to ?? now).getTime()
  const from = query.from ?? new Date(end - DEFAULT_DAYS * DAY_MS)
  if (end - from.getTime() > most * DAY_MS) throw new BusinessError(codes.timeWindow, { days: most })
  return { from, to: query.to }
}

/** Offset and limit; rejected where the total is no longer exact. */
export const toOffsetLimit = (query: PageQuery): { limit: number; offset: number } => {
  const { limit, offset } = toLimitOffset(query)
  if (offset + limit > TOTAL_CAP) throw new BusinessError(codes.tooFar)
  return { limit, offset }
}
