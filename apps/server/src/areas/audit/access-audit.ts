import type { Endpoint } from '@tocsin/contract/endpoint'
import { z } from 'zod'
import type { Db } from '#db/db'
import { writeAudit } from './audit.ts'
import type { Caller } from '#http/route'

/** The filter of a spreadsheet as encoded: stored in the audit, and decoded again by a job. */
export const encodeFilter = ({ query: schema }: { query: z.ZodObject }, query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(z.encode(schema, query as never)).filter(
      ([name, value]) => value !== undefined && !name.startsWith('page'),
    ),
  )

type Sheet = { of: Endpoint & { query: z.ZodObject }; subject: string; query: object; rows: number }

/** Writes one audit row for an exported spreadsheet: which, by what filter, and how many rows. */
export const writeExportAudit = (db: Db, caller: Caller, { of, subject, query, rows }: Sheet): Promise<void> =>
  writeAudit(db, { ...caller, action: of.permission, subject, after: { filter: encodeFilter(of, query), rows } })

export type PersonalRead = {
  /** The kind of read as its permission: `system:user:query`, `system:user:reveal`, `…:export`. */
  action: string
  /** Table name, for example `users`. */
  subject: string
  /** The path of the call. */
  call: string
  filter: Record<string, unknown>
  /** The disclosed rows; absent for a file that is still being written. */
  ids?: readonly number[]
}

/**
 * Writes one audit row for a request that read personal data: user, call, filter, count and ids. Written before the
 * response is sent, so that nothing is read without a trace.
 */
export const auditPersonalRead = (
  db: Db,
  caller: Caller,
  { action, subject, call, filter, ids }: PersonalRead,
): Promise<void> => {
  const [only] = ids?.length === 1 ? ids : []
  return writeAudit(db, {
    ...caller,
    action,
    subject,
    ...(only !== undefined && { subjectId: only }),
    // Converts instants of a filter to ISO texts, and omits absent fields.
    after: JSON.parse(JSON.stringify({ call, filter, ...(ids && { count: ids.length, ids }) })),
  })
}

type Look = Omit<PersonalRead, 'action' | 'call'> & { of: Endpoint }

/** The same for data that a call shows by its own permission. */
export const auditDetailRead = (db: Db, caller: Caller, { of, ...look }: Look): Promise<void> =>
  auditPersonalRead(db, caller, { action: of.permission, call: of.path, ...look })
