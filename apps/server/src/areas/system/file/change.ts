import { codes } from '@tocsin/contract/codes'
import { type FileMade, type FilePurpose, files } from '@tocsin/contract/system/file'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { everything, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { Refusal } from '#http/refusal'
import type { UploadedFile } from '#http/upload/received'
import { audit } from '../audit.ts'
import type { Who } from '../edit.ts'
import { type Examined, examine } from './content.ts'
import { insertFile, storeContent } from './keep.ts'
import { filePlace } from './place.ts'
import { madeOf, readable } from './read.ts'

const A_MINUTE = 60
/** Of files that nothing refers to yet. */
const PASSING = 500

/** What one person may upload, so that nobody fills the disk: per minute, and not yet used. */
export const checkPace = async (db: Db, { actor }: Who): Promise<void> => {
  const found = await everything(db, 'the count of one’s own files')
    .selectFrom('file')
    .select([
      sql<number>`count(*) filter (where created_at > now() - interval '1 minute')`.as('lately'),
      sql<number>`count(*) filter (where purpose = 'DRAFT')`.as('passing'),
    ])
    .where('ownerId', '=', actor.userId)
    .where('createdAt', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  if (found.lately >= A_MINUTE || found.passing >= PASSING) throw new Refusal(codes.fileTooMany)
}

const recorded = ({ sha256, createdAt, expiresAt, sight: _sight, ...row }: Row<'file'>): Record<string, unknown> => ({
  ...row,
  sha256: sha256.toString('hex'),
  createdAt: createdAt.getTime(),
  expiresAt: expiresAt?.getTime() ?? null,
})

type Work = (trx: Db, row: Row<'file'>) => Promise<void>

/**
 * Keeps an examined file, audited, with whatever else belongs to the same change. Its content is in place before the
 * transaction begins, and is taken away again when that fails.
 */
export const keepExamined = async (
  db: Db,
  { file, purpose, who }: { file: Examined; purpose: FilePurpose; who: Who },
  work: Work = async () => undefined,
): Promise<Row<'file'>> => {
  const { path, ...given } = file
  const stored = await storeContent(db, path)
  try {
    return await db.transaction().execute(async (trx) => {
      const row = await insertFile(trx, stored, { ...given, owner: who.actor.userId, purpose })
      await work(trx, row)
      const named = { action: 'infra:file:create', subject: 'file', subjectId: row.id }
      await audit(trx, { ...who, ...named, after: recorded(row) })
      return row
    })
  } catch (error) {
    // Should this fail too, the content without a row is swept away later.
    await filePlace()
      .store.remove(stored.id)
      .catch(() => undefined)
    throw error
  }
}

/** One file from a form or into the library. */
export const uploadFile = async (
  db: Db,
  { file, purpose, who }: { file: UploadedFile; purpose: FilePurpose; who: Who },
): Promise<FileMade> => {
  await checkPace(db, who)
  const examined = await examine(file, { field: 'file', part: files.upload.files.file })
  return madeOf(await keepExamined(db, { file: examined, purpose, who }), who.actor.userId)
}

type Found = (trx: Db) => Promise<Row<'file'> | undefined>

/** The row of a file of this sight that its purpose lets this person have. */
const seenFile =
  (id: number, { actor }: Who): Found =>
  (trx) =>
    scoped(trx, actor)
      .selectFrom('file')
      .selectAll()
      .where('id', '=', id)
      .where(readable(actor))
      .forUpdate()
      .executeTakeFirst()

const ownDraft =
  (id: number, { actor }: Who): Found =>
  (trx) =>
    everything(trx, 'one’s own file')
      .selectFrom('file')
      .selectAll()
      .where('id', '=', id)
      .where('ownerId', '=', actor.userId)
      .where('purpose', '=', 'DRAFT')
      .forUpdate()
      .executeTakeFirst()

const remove = async (db: Db, id: number, { who, find }: { who: Who; find: Found }): Promise<true> => {
  await db.transaction().execute(async (trx) => {
    const row = await find(trx)
    if (!row) throw new Refusal(codes.fileMissing)
    // Whatever refers to it refuses by its foreign key.
    await everything(trx, 'locked in sight').deleteFrom('file').where('id', '=', id).execute()
    await audit(trx, { ...who, action: 'infra:file:delete', subject: 'file', subjectId: id, before: recorded(row) })
  })
  // Nobody can reach it any more; content that stays behind is swept away later.
  await filePlace()
    .store.remove(id)
    .catch(() => undefined)
  return true
}

export const deleteFile = (db: Db, id: number, who: Who): Promise<true> =>
  remove(db, id, { who, find: seenFile(id, who) })

/** By the address that the upload answered, or its path; what became part of something stays. */
export const deleteOwnFile = async (db: Db, address: string, who: Who): Promise<null> => {
  const id = Number(/\/infra\/file\/(\d{1,15})(?:\?|$)/.exec(address)?.[1] ?? 0)
  await remove(db, id, { who, find: ownDraft(id, who) })
  return null
}
