import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { hasPermission, type RequestInfo } from '#http/route'
import { loadActor } from '#http/session-auth'
import { PermanentJobError } from '#jobs/run'
import type { Caller } from '#areas/audit/edit-transaction'
import type { Titled } from '#areas/files/export/job'

export const IMPORT_JOB = 'user-import'
/** The permission, and the action in the audit. */
export const IMPORT = 'system:user:import'

/** What an import job was asked, kept with it. */
export type ImportData = Titled & {
  fileId: number
  updateSupport: boolean
  /** Of lines that name none. */
  deptId: number
  /** Write the good lines after the check, without asking. */
  commit: boolean
  /** Then all of them, or nothing. */
  all: boolean
  sessionId: number
  origin: RequestInfo
}

/** Whether the lines were all checked: their figures are there. */
export const isChecked = (counts: Record<string, number>): boolean => 'bad' in counts

/** Whoever queued the import, with the rights he has at this moment. Throws PermanentJobError when they do not suffice. */
export const loadImporter = async (db: Db, job: Row<'job'>): Promise<Caller> => {
  const { sessionId, origin } = job.data as ImportData
  const actor = job.userId === null ? undefined : await loadActor(db, job.userId, sessionId)
  if (!actor || !hasPermission(actor)(IMPORT)) throw new PermanentJobError(codes.forbidden)
  return { actor, origin }
}
