import type { Endpoint } from '@tocsin/contract/endpoint'
import { z } from 'zod'
import type { Db } from '#db/db'
import { writeAudit } from './audit.ts'
import type { Caller } from '#http/route'

/** The filter of a sheet as it travels: what the audit keeps of it, and what a job decodes again. */
export const encodeFilter = ({ query: schema }: { query: z.ZodObject }, query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(z.encode(schema, query as never)).filter(
      ([name, value]) => value !== undefined && !name.startsWith('page'),
    ),
  )

type Sheet = { of: Endpoint & { query: z.ZodObject }; subject: string; query: object; rows: number }

/** One audit row for a sheet that leaves: which, by what filter, and how many rows. */
export const writeExportAudit = (db: Db, who: Caller, { of, subject, query, rows }: Sheet): Promise<void> =>
  writeAudit(db, { ...who, action: of.permission, subject, after: { filter: encodeFilter(of, query), rows } })

export type PersonalRead = {
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
export const auditPersonalRead = (
  db: Db,
  who: Caller,
  { action, subject, call, filter, ids }: PersonalRead,
): Promise<void> => {
  const [only] = ids?.length === 1 ? ids : []
  return writeAudit(db, {
    ...who,
    action,
    subject,
    ...(only !== undefined && { subjectId: only }),
    // Instants of a filter become ISO texts, and what was not asked for is left out.
    after: JSON.parse(JSON.stringify({ call, filter, ...(ids && { count: ids.length, ids }) })),
  })
}

type Look = Omit<PersonalRead, 'action' | 'call'> & { of: Endpoint }

/** The same for what a call shows by its own permission. */
export const auditDetailRead = (db: Db, who: Caller, { of, ...look }: Look): Promise<void> =>
  auditPersonalRead(db, who, { action: of.permission, call: of.path, ...look })
