import { type DemoSignatureEdit as Edit, DemoSignatureEdit } from '@tocsin/contract/demo/signature'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor, Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { listAttachedFiles, attachFiles } from '#areas/files/attachments'

/** The only data of a signature is the owner of its picture, so the file alone stores it. */
const SUBJECT = 'demoSignature'

const held = async (db: Db, actor: Actor): Promise<number | null> => {
  const row = await scoped(db, actor)
    .selectFrom('fileUse')
    .select('fileId')
    .where('subject', '=', SUBJECT)
    .where('subjectId', '=', actor.userId)
    // Of two concurrent signatures the later one.
    .orderBy('fileId', 'desc')
    .executeTakeFirst()
  return row?.fileId ?? null
}

export const getSignature = async (db: Db, actor: Actor): Promise<StoredFileInfo | null> => {
  const id = await held(db, actor)
  return (await listAttachedFiles(db, actor, [id]))(id)
}

/** Stores a picture as the user's signature, and releases the previous one. */
export const saveSignature = (db: Db, { fileId }: Edit, caller: Caller): Promise<StoredFileInfo | null> =>
  db.transaction().execute(async (trx) => {
    const { actor } = caller
    const before = await held(trx, actor)
    const of = { draft: DemoSignatureEdit, subject: SUBJECT, subjectId: actor.userId }
    await attachFiles(trx, actor, of, [{ field: 'fileId', ids: [fileId], pictures: true }])
    const named = { action: 'demo:signature:update', subject: 'demo_signature', subjectId: actor.userId }
    await writeAudit(trx, { ...caller, ...named, before: { fileId: before }, after: { fileId } })
    return getSignature(trx, actor)
  })
