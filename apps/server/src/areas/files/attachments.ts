import type { StoredFileInfo } from '@tocsin/contract/files/file'
import type { z } from 'zod'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Actor } from '#http/route'
import { fieldError } from '#areas/audit/edit-transaction'
import { setFileReferences, type Subject } from './store-file.ts'
import { toFileResult } from './read.ts'

/** The files of one field of a row. With `pictures`, pages display the files, so only pictures are allowed. */
export type AttachedField = { field: string; ids: readonly (number | null)[]; pictures: boolean }

/**
 * Sets which files a row refers to. A newly named file must be visible to the writer: every reader of the row gets it
 * without a further check. Rejects by a field of `draft`.
 */
export const attachFiles = async (
  trx: Db,
  actor: Actor,
  { draft, ...of }: Subject & { draft: z.ZodObject },
  held: readonly AttachedField[],
): Promise<void> => {
  const all: number[] = []
  for (const { field, ids, pictures } of held) {
    const own = [...new Set(ids.filter((id) => id !== null))]
    if (own.length === 0) continue
    const unfit = await scoped(trx, actor)
      .selectFrom('file')
      .select('id')
      .where('id', 'in', own)
      .where((eb) =>
        // Spreadsheets of imports and exports belong to their owner alone and expire.
        eb.or([eb('purpose', 'in', ['IMPORT', 'EXPORT']), ...(pictures ? [eb('image', '=', false)] : [])]),
      )
      .executeTakeFirst()
    if (unfit) throw fieldError(draft, field, 'choice')
    all.push(...own)
  }
  await setFileReferences(trx, actor, of, all)
}

/** The files that visible rows refer to, each with a link that is valid for this reader, for ten minutes. */
export const listAttachedFiles = async (
  db: Db,
  { userId }: Pick<Actor, 'userId'>,
  ids: readonly (number | null)[],
): Promise<(id: number | null) => StoredFileInfo | null> => {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const rows =
    wanted.length === 0
      ? []
      : await unscoped(db, 'the row that holds a file is in sight')
          .selectFrom('file')
          .selectAll()
          .where('id', 'in', wanted)
          .execute()
  const made = new Map(rows.map((row) => [row.id, toFileResult(row, userId)]))
  return (id) => (id === null ? null : (made.get(id) ?? null))
}
