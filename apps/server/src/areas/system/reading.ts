import type { Db } from '#db/db'
import { audit } from './audit.ts'
import type { Who } from './edit.ts'

export type Reading = {
  /** What was read and how, as the permission that opened it: `system:user:query`, `system:user:reveal`, `…:export`. */
  action: string
  /** The table, like `users`. */
  subject: string
  /** The path of the call. */
  call: string
  filter: Record<string, unknown>
  /** What the answer showed; a file that is still being written has none. */
  ids?: readonly number[]
}

/**
 * One audit row for a request that read personal data: who, by which call and filter, how many and which. Written before
 * the answer leaves, so that nothing is read without a trace.
 */
export const recordReading = (db: Db, who: Who, { action, subject, call, filter, ids }: Reading): Promise<void> => {
  const [only] = ids?.length === 1 ? ids : []
  return audit(db, {
    ...who,
    action,
    subject,
    ...(only !== undefined && { subjectId: only }),
    // Instants of a filter become ISO texts, and what was not asked for is left out.
    after: JSON.parse(JSON.stringify({ call, filter, ...(ids && { count: ids.length, ids }) })),
  })
}
