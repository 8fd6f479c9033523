import { windowOf } from '#http/window'

/** The window of a log query, `createTime[0..1]` with both ends in it. */
export const spanOf = ({ createTime }: { createTime?: readonly [Date, Date] | undefined }, mostDays?: number) =>
  windowOf({ from: createTime?.[0], to: createTime?.[1] }, new Date(), mostDays)
