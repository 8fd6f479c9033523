import type { AttachmentDraft } from '@tocsin/contract/files/attachment'
import { addAttachments, listAttachments } from '#areas/files/attachment'
import type { Db } from '#db/db'
import type { Actor } from '#http/route'

export type Evidence = readonly AttachmentDraft[] | undefined

const OWNER = 'warn_record'

/** Attaches files to a locked record. @returns what the log stores about them. */
export const attachEvidence = async (
  trx: Db,
  { recordId, actor, files = [] }: { recordId: number; actor: Actor; files: Evidence },
): Promise<{ fileIds?: number[] }> => {
  if (files.length === 0) return {}
  await addAttachments(trx, { ownerType: OWNER, ownerId: recordId, files, actor })
  return { fileIds: [...new Set(files.map(({ fileId }) => fileId))] }
}

/** The files of a record that the reader sees. */
export const listEvidence = async (db: Db, actor: Actor, recordId: number) =>
  (await listAttachments(db, actor, OWNER, [recordId]))(recordId)
