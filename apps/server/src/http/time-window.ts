import { codes } from '@tocsin/contract/codes'
import { toLimitOffset, type PageQuery, TOTAL_CAP } from '@tocsin/contract/page'
import { labelOf } from '@tocsin/contract/field'
import { issueText } from '@tocsin/contract/issue'
import { localStamp } from '@tocsin/contract/time-zone'
import type { z } from 'zod'
import { BusinessError, ValidationError } from '#http/business-error'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7
const MAX_DAYS = 92

export type TimeWindow = { from: Date; to: Date | undefined }

type Asked = { from?: Date | undefined; to?: Date | undefined }

/** The error of a range whose start is after its end; `schema` of the start has its label. */
export const reversedRangeError = (field: string, bound: string, schema?: z.ZodType): ValidationError => {
  const label = schema && labelOf(schema)
  const error = { field, rule: 'tooBig' as const, bound, ...(label && { label }) }
  return new ValidationError([{ ...error, message: issueText(error, 'zh-cn') }])
}

/** Records and logs are always read in a time window: seven days by default, at most 92 (DESIGN 7), or fewer. */
export const toTimeWindow = (query: Asked, now: Date, most = MAX_DAYS): TimeWindow => {
  const end = (query.to ?? now).getTime()
  const from = query.from ?? new Date(end - DEFAULT_DAYS * DAY_MS)
  if (query.to && from > query.to) throw reversedRangeError('from', localStamp(query.to))
  if (end - from.getTime() > most * DAY_MS) throw new BusinessError(codes.timeWindow, { days: most })
  return { from, to: query.to }
}

/** Offset and limit; rejected where the total is no longer exact. */
export const toOffsetLimit = (query: PageQuery): { limit: number; offset: number } => {
  const { limit, offset } = toLimitOffset(query)
  if (offset + limit > TOTAL_CAP) throw new BusinessError(codes.tooFar)
  return { limit, offset }
}
