import { type DemoSignatureEdit as Edit, DemoSignatureEdit } from '@tocsin/contract/system/demo/signature'
import type { FileMade } from '@tocsin/contract/system/file'
import type { Db } from '#db/db'
import { scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { audit } from '../audit.ts'
import type { Who } from '../edit.ts'
import { filesHeld, holdFiles } from '../file/hold.ts'

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

export const getSignature = async (db: Db, actor: Actor): Promise<FileMade | null> => {
  const id = await held(db, actor)
  return (await filesHeld(db, actor, [id]))(id)
}

/** Keeps a picture as one's signature; the one before is let go. */
export const saveSignature = (db: Db, { fileId }: Edit, who: Who): Promise<FileMade | null> =>
  db.transaction().execute(async (trx) => {
    const { actor } = who
    const before = await held(trx, actor)
    const of = { draft: DemoSignatureEdit, subject: SUBJECT, subjectId: actor.userId }
    await holdFiles(trx, actor, of, [{ field: 'fileId', ids: [fileId], pictures: true }])
    const named = { action: 'demo:signature:update', subject: 'demo_signature', subjectId: actor.userId }
    await audit(trx, { ...who, ...named, before: { fileId: before }, after: { fileId } })
    return getSignature(trx, actor)
  })
