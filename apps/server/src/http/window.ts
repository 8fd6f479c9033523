import { codes } from '@tocsin/contract/codes'
import { paging, type PageQuery, TOTAL_CAP } from '@tocsin/contract/page'
import { Refusal } from '#http/refusal'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7
const MAX_DAYS = 92

export type Window = { from: Date; to: Date | undefined }

type Asked = { from?: Date | undefined; to?: Date | undefined }

/** Records and logs are always read in a time window: seven days by default, at most 92 (DESIGN 7), or fewer. */
export const windowOf = (query: Asked, now: Date, most = MAX_DAYS): Window => {
  const end = (query.to ?? now).getTime()
  const from = query.from ?? new Date(end - DEFAULT_DAYS * DAY_MS)
  if (end - from.getTime() > most * DAY_MS) throw new Refusal(codes.timeWindow, { days: most })
  return { from, to: query.to }
}

/** Offset and limit, refused where the total is no longer exact. */
export const pageOf = (query: PageQuery): { limit: number; offset: number } => {
  const { limit, offset } = paging(query)
  if (offset + limit > TOTAL_CAP) throw new Refusal(codes.tooFar)
  return { limit, offset }
}
