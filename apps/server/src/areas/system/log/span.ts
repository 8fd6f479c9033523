import { windowOf } from '#http/window'

/** The window of a log query, `createTime[0..1]` with both ends in it. */
export const spanOf = ({ createTime }: { createTime?: readonly [Date, Date] | undefined }) =>
  windowOf({ from: createTime?.[0], to: createTime?.[1] }, new Date())

/** The last row of a batch; its time is text, since a Date would lose the microseconds. */
export type Place = { id: number; place: string }

/** Batch after batch, each a query of its own after the last row, so that a slow download holds no connection. */
export async function* batches<R extends Place>(read: (after: Place | undefined) => Promise<R[]>) {
  let after: R | undefined
  for (;;) {
    const rows: R[] = await read(after)
    after = rows.at(-1)
    if (!after) return
    yield rows
  }
}
