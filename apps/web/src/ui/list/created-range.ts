import { queryDate } from '@tocsin/contract/codecs'
import { field } from '@tocsin/contract/field'

/** A period in the address has two ends, each of which may be open. */
export const createdEnds = {
  from: field(queryDate.optional(), '创建时间', 'Created'),
  to: field(queryDate.optional(), '创建时间', 'Created'),
}

const OPEN_FROM = new Date(0)
const OPEN_TO = new Date(Date.UTC(2199, 0, 1))

type DateRange = { from?: Date | undefined; to?: Date | undefined }

const range = ({ from, to }: DateRange): [Date, Date] | undefined =>
  from || to ? [from ?? OPEN_FROM, to ?? OPEN_TO] : undefined

/** The two ends as the call takes them. */
export const withCreated = <Q extends DateRange>({ from, to, ...rest }: Q) => {
  const createTime = range({ from, to })
  return { ...rest, ...(createTime && { createTime }) }
}

/** The same for a call that filters by the time of publishing. */
export const withPublished = <Q extends DateRange>({ from, to, ...rest }: Q) => {
  const publishedAt = range({ from, to })
  return { ...rest, ...(publishedAt && { publishedAt }) }
}
