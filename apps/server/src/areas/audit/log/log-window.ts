import { toTimeWindow } from '#http/time-window'

/** The window of a log query, `createTime[0..1]`, both ends included. */
export const toLogWindow = ({ createTime }: { createTime?: readonly [Date, Date] | undefined }, mostDays?: number) =>
  toTimeWindow({ from: createTime?.[0], to: createTime?.[1] }, new Date(), mostDays)
