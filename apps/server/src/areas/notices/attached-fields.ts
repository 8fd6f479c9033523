import type { z } from 'zod'
import type { Db } from '#db/db'
import type { Actor, Caller } from '#http/route'
import { type AttachedField, attachFiles, listAttachedFiles } from '#areas/files/attachments'
import type { Subject } from '#areas/files/store-file'
import { cleanContent, imageIdsIn, withImageLinks } from './content.ts'

/** A stored file by its id, which reads return as the field `shown`; or a text with pictures. */
type FileField = { as: 'picture' | 'file'; shown: string } | { as: 'richText' }

type Options = Pick<Subject, 'subject'> & { draft: z.ZodObject; fields: Readonly<Record<string, FileField>> }
type Row = { readonly id: number; readonly [field: string]: unknown }

/** The hooks of an entity whose rows refer to stored files. */
export const attachedFields = ({ draft, subject, fields }: Options) => {
  const all = Object.entries(fields)
  const texts = all.flatMap(([name, { as }]) => (as === 'richText' ? [name] : []))
  const files = all.flatMap(([name, field]) => (field.as === 'richText' ? [] : [{ name, shown: field.shown }]))
  const referencesOf = (row: Row): AttachedField[] =>
    all.map(([field, { as }]) => ({
      field,
      ids: as === 'richText' ? imageIdsIn(String(row[field] ?? '')) : [row[field] as number | null],
      pictures: as !== 'file',
    }))
  return {
    /** Sanitizes the texts. */
    toColumns: (changes: object): object => ({
      ...changes,
      ...Object.fromEntries(
        Object.entries(changes)
          .filter(([name, value]) => texts.includes(name) && typeof value === 'string' && value !== '')
          .map(([name, value]) => [name, cleanContent(String(value), draft, name)]),
      ),
    }),
    /** Adds links that are valid for this reader, for ten minutes. */
    decorate: async (db: Db, actor: Actor, rows: readonly object[]): Promise<object[]> => {
      const given = rows as readonly Row[]
      const ids = given.flatMap((row) => files.map(({ name }) => row[name] as number | null))
      const fileOf = await listAttachedFiles(db, actor, ids)
      return given.map((row) => ({
        ...row,
        ...Object.fromEntries(files.map(({ name, shown }) => [shown, fileOf(row[name] as number | null)])),
        ...Object.fromEntries(
          texts.map((name) => [name, typeof row[name] === 'string' ? withImageLinks(row[name], actor) : null]),
        ),
      }))
    },
    /** Keeps the files while a row refers to them. */
    saved: async (
      trx: Db,
      { before, after, caller }: { before: object | undefined; after: object | undefined; caller: Caller },
    ): Promise<void> =>
      attachFiles(
        trx,
        caller.actor,
        { draft, subject, subjectId: ((after ?? before) as Row).id },
        after ? referencesOf(after as Row) : [],
      ),
  }
}
