import { Id, Millis } from '@tocsin/contract/codecs'
import { type JobError, jobStates } from '@tocsin/contract/files/job'
import { type ImportReason, importVerdicts } from '@tocsin/contract/files/import'
import { z } from 'zod'
import { Bytes, Jsonb, table } from './table.ts'

const at = Millis

/** Queued work, and what an import stores until it ends. */
export const jobTables = {
  job: table(
    z.strictObject({
      id: Id,
      name: z.string(),
      userId: Id.nullable(),
      state: z.enum(jobStates),
      data: Jsonb,
      run: z.int(),
      done: z.int(),
      total: z.int().nullable(),
      counts: z.record(z.string(), z.int()),
      error: z.custom<JobError>((value) => typeof value === 'object').nullable(),
      fileId: Id.nullable(),
      createdAt: at,
      startedAt: at.nullable(),
      endedAt: at.nullable(),
    }),
    ['id', 'state', 'data', 'run', 'done', 'counts', 'createdAt'],
    { user: 'user_id' },
  ),
  importRow: table(
    z.strictObject({
      jobId: Id,
      line: z.int(),
      cells: z.record(z.string(), z.string()),
      verdict: z.enum(importVerdicts),
      reasons: z.custom<ImportReason[]>(Array.isArray),
      draft: Jsonb.nullable(),
      targetId: Id.nullable(),
      done: z.boolean(),
    }),
    ['reasons', 'done'],
    'open',
  ),
  activationCode: table(
    z.strictObject({ userId: Id, codeHash: Bytes, expiresAt: at, usedAt: at.nullable() }),
    [],
    'open',
  ),
}
