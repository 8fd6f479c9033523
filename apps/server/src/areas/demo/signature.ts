import { type DemoSignatureEdit as Edit, DemoSignatureEdit } from '@tocsin/contract/demo/signature'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor, Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import { listAttachedFiles, attachFiles } from '#areas/files/attachments'

/** Nothing is known of a signature but whose picture it is, so that its file alone says so. */
const SUBJECT = 'demoSignature'

const held = async (db: Db, actor: Actor): Promise<number | null> => {
  const row = await scoped(db, actor)
    .selectFrom('fileUse')
    .select('fileId')
    .where('subject', '=', SUBJECT)
    .where('subjectId', '=', actor.userId)
    // Of two that were saved at once the later one.
    .orderBy('fileId', 'desc')
    .executeTakeFirst()
  return row?.fileId ?? null
}

export const getSignature = async (db: Db, actor: Actor): Promise<StoredFileInfo | null> => {
  const id = await held(db, actor)
  return (await listAttachedFiles(db, actor, [id]))(id)
}

/** Keeps a picture as one's signature; the one before is let go. */
export const saveSignature = (db: Db, { fileId }: Edit, who: Caller): Promise<StoredFileInfo | null> =>
  db.transaction().execute(async (trx) => {
    const { actor } = who
    const before = await held(trx, actor)
    const of = { draft: DemoSignatureEdit, subject: SUBJECT, subjectId: actor.userId }
    await attachFiles(trx, actor, of, [{ field: 'fileId', ids: [fileId], pictures: true }])
    const named = { action: 'demo:signature:update', subject: 'demo_signature', subjectId: actor.userId }
    await writeAudit(trx, { ...who, ...named, before: { fileId: before }, after: { fileId } })
    return getSignature(trx, actor)
  })
