import { codes } from '@tocsin/contract/codes'
import { type StoredFileInfo, type FilePurpose, files } from '@tocsin/contract/files/file'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { UploadedFile } from '#http/upload/uploaded-file'
import { getSetting } from '#settings/settings-cache'
import { writeAudit } from '#areas/audit/audit'
import type { Caller } from '#http/route'
import { type InspectedFile, inspectUpload } from './inspect-upload.ts'
import { insertFile, storeContent } from './store-file.ts'
import { getFileStore } from './file-store.ts'
import { toFileResult, readable } from './read.ts'

const A_MINUTE = 60
/** Counts files without references. */
const PASSING = 500

const MB = 1024 * 1024

const checkTotalSize = async (db: Db, { actor }: Caller, size: number): Promise<void> => {
  const max = Number(await getSetting(db, 'file.quota-mb'))
  const { used } = await unscoped(db, 'the size of one’s own files')
    .selectFrom('file')
    .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('used'))
    .where('ownerId', '=', actor.userId)
    .executeTakeFirstOrThrow()
  if (used + size > max * MB) throw new BusinessError(codes.fileQuota, { max })
}

/** Limits the uploads of one user, so that no user fills the disk: per minute, unused, and in total. */
export const checkUploadQuota = async (db: Db, caller: Caller, size: number): Promise<void> => {
  const { actor } = caller
  await checkTotalSize(db, caller, size)
  const found = await unscoped(db, 'the count of one’s own files')
    .selectFrom('file')
    .select([
      sql<number>`count(*) filter (where created_at > now() - interval '1 minute')`.as('lately'),
      sql<number>`count(*) filter (where purpose = 'DRAFT')`.as('passing'),
    ])
    .where('ownerId', '=', actor.userId)
    .where('createdAt', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  if (found.lately >= A_MINUTE || found.passing >= PASSING) throw new BusinessError(codes.fileTooMany)
}

const recorded = ({ sha256, createdAt, expiresAt, sight: _sight, ...row }: Row<'file'>): Record<string, unknown> => ({
  ...row,
  sha256: sha256.toString('hex'),
  createdAt: createdAt.getTime(),
  expiresAt: expiresAt?.getTime() ?? null,
})

type Work = (trx: Db, row: Row<'file'>) => Promise<void>

/**
 * Stores an inspected file with its audit row and the rest of the change. The content is stored before the transaction
 * begins, and removed again when the transaction fails.
 */
export const storeInspected = async (
  db: Db,
  { file, purpose, who }: { file: InspectedFile; purpose: FilePurpose; who: Caller },
  work: Work = async () => undefined,
): Promise<Row<'file'>> => {
  const { path, ...given } = file
  const stored = await storeContent(db, path)
  try {
    return await db.transaction().execute(async (trx) => {
      const row = await insertFile(trx, stored, { ...given, owner: who.actor.userId, purpose })
      await work(trx, row)
      const named = { action: 'infra:file:create', subject: 'file', subjectId: row.id }
      await writeAudit(trx, { ...who, ...named, after: recorded(row) })
      return row
    })
  } catch (error) {
    // If this fails too, the cleanup deletes the content without a row later.
    await getFileStore()
      .store.remove(stored.id)
      .catch(() => undefined)
    throw error
  }
}

/** Stores one upload, from a form or for the library. */
export const uploadFile = async (
  db: Db,
  { file, purpose, who }: { file: UploadedFile; purpose: FilePurpose; who: Caller },
): Promise<StoredFileInfo> => {
  await checkUploadQuota(db, who, file.size)
  const examined = await inspectUpload(file, { field: 'file', part: files.upload.files.file })
  return toFileResult(await storeInspected(db, { file: examined, purpose, who }), who.actor.userId)
}

type Found = (trx: Db) => Promise<Row<'file'> | undefined>

/** Returns the row of a visible file that this user may use for the purpose. */
const seenFile =
  (id: number, { actor }: Caller): Found =>
  (trx) =>
    scoped(trx, actor)
      .selectFrom('file')
      .selectAll()
      .where('id', '=', id)
      .where(readable(actor))
      .forUpdate()
      .executeTakeFirst()

const ownDraft =
  (id: number, { actor }: Caller): Found =>
  (trx) =>
    unscoped(trx, 'one’s own file')
      .selectFrom('file')
      .selectAll()
      .where('id', '=', id)
      .where('ownerId', '=', actor.userId)
      .where('purpose', '=', 'DRAFT')
      .forUpdate()
      .executeTakeFirst()

const remove = async (db: Db, id: number, { who, find }: { who: Caller; find: Found }): Promise<true> => {
  await db.transaction().execute(async (trx) => {
    const row = await find(trx)
    if (!row) throw new BusinessError(codes.fileMissing)
    // Foreign keys of references reject the deletion.
    await unscoped(trx, 'locked in sight').deleteFrom('file').where('id', '=', id).execute()
    await writeAudit(trx, {
      ...who,
      action: 'infra:file:delete',
      subject: 'file',
      subjectId: id,
      before: recorded(row),
    })
  })
  // No link can reach the file any more; the cleanup deletes remaining content later.
  await getFileStore()
    .store.remove(id)
    .catch(() => undefined)
  return true
}

export const deleteFile = (db: Db, id: number, caller: Caller): Promise<true> =>
  remove(db, id, { who: caller, find: seenFile(id, caller) })

/** Deletes by the address in the upload response, or by its path; a referenced file stays. */
export const deleteOwnFile = async (db: Db, address: string, caller: Caller): Promise<null> => {
  const id = Number(/\/infra\/file\/(\d{1,15})(?:\?|$)/.exec(address)?.[1] ?? 0)
  await remove(db, id, { who: caller, find: ownDraft(id, caller) })
  return null
}
