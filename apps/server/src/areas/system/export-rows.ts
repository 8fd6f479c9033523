const BATCH = 1000

/** The rows of a small table in the order its list has, so many at a time; large tables go on after their last row. */
export async function* inBatches<R>(read: (page: { limit: number; offset: number }) => Promise<R[]>) {
  for (let offset = 0; ; offset += BATCH) {
    const rows = await read({ limit: BATCH, offset })
    if (rows.length === 0) return
    yield rows
  }
}
