import { codes } from '@tocsin/contract/codes'
import type { FilePurpose } from '@tocsin/contract/files/file'
import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { getFileStore } from './file-store.ts'

registerConstraintErrors({ file_use_file_fkey: { code: codes.fileUsed }, users_avatar_fkey: { code: codes.fileUsed } })

/** Content that is stored under an id without a row so far. */
export type StoredContent = { id: number; sha256: Buffer }

/** Stores content before its row is written. The cleanup deletes content that never gets a row. */
export const storeContent = async (db: Db, path: string): Promise<StoredContent> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const drawn = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('file', 'id')) as id`.execute(db)
  const id = drawn.rows[0]?.id
  if (!id) throw new Error('the sequence of files gave nothing')
  await getFileStore().store.put(id, path)
  return { id, sha256: hash.digest() }
}

export type NewFile = {
  name: string
  type: string
  size: number
  /** The owner; users who see the owner's department can see the file. */
  owner: number
  purpose: FilePurpose
  /** Deleted after this time; undefined: see the purpose. */
  expiresAt?: Date
  /** Re-encoded by `inspectUpload` from its pixels: may be displayed in a page. */
  image?: boolean
  /** Permissions that the reader needs at the time of opening. */
  needs?: string[]
  /** Subjects that the reader must still see: the rows of a spreadsheet were selected by them. */
  sight?: Row<'file'>['sight']
}

/** The row of stored content. */
export const insertFile = async (trx: Db, { id, sha256 }: StoredContent, given: NewFile): Promise<Row<'file'>> => {
  const { owner, name, type, size, purpose, expiresAt = null, image = false, needs = [], sight = null } = given
  const all = unscoped(trx, 'a new file reads its owner and nothing else')
  const { deptId, nickname } = await all
    .selectFrom('users')
    .select(['deptId', 'nickname'])
    .where('id', '=', owner)
    .executeTakeFirstOrThrow()
  const whose = { ownerId: owner, ownerName: nickname, deptId }
  return all
    .insertInto('file')
    .values({ id, sha256, name, type, size, purpose, expiresAt, image, needs, sight, ...whose })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Stores a file that the server made, such as a finished export; uploads go through `inspectUpload` first.
 * @returns its id. Throws StoreUnavailableError.
 */
export const storeServerFile = async (trx: Db, { path, ...given }: NewFile & { path: string }): Promise<number> =>
  (await insertFile(trx, await storeContent(trx, path), given)).id

/** A row by its table's name. */
export type Subject = { subject: string; subjectId: number }

/**
 * Sets which files a row refers to; an empty list removes all references (when the row is deleted). A newly named file
 * must be visible to the actor. Call it in the transaction of the change.
 */
export const setFileReferences = async (trx: Db, actor: Actor, of: Subject, ids: readonly number[]): Promise<void> => {
  const { subject, subjectId } = of
  const wanted = new Set(ids)
  const before = await trx
    .selectFrom('fileUse')
    .select('fileId')
    .where('subject', '=', subject)
    .where('subjectId', '=', subjectId)
    .execute()
  const known = new Set(before.map(({ fileId }) => fileId))
  const gone = [...known].filter((id) => !wanted.has(id))
  const fresh = [...wanted].filter((id) => !known.has(id))
  if (gone.length > 0)
    await trx
      .deleteFrom('fileUse')
      .where('subject', '=', subject)
      .where('subjectId', '=', subjectId)
      .where('fileId', 'in', gone)
      .execute()
  if (fresh.length === 0) return
  const seen = await scoped(trx, actor)
    .selectFrom('file')
    .select('id')
    .where('id', 'in', fresh)
    // The sheet of a job belongs to its owner; a reference would show it to every reader of the row.
    .where('purpose', 'not in', ['IMPORT', 'EXPORT'])
    .forShare()
    .execute()
  if (seen.length < fresh.length) throw new BusinessError(codes.fileMissing)
  await trx
    .insertInto('fileUse')
    .values(fresh.map((fileId) => ({ ...of, fileId })))
    // A concurrent identical reference already exists, which is fine.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
