import { codes } from '@tocsin/contract/codes'
import {
  attachmentDrafts,
  type AttachmentDraft,
  type AttachmentInfo,
  type AttachmentKind,
} from '@tocsin/contract/files/attachment'
import { z } from 'zod'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Actor } from '#http/route'
import { fieldError } from '#areas/audit/edit-transaction'
import { fileLink } from './file-store.ts'

registerConstraintErrors({ attachment_file_fkey: { code: codes.fileUsed } })

/** A row by its table's name. */
export type AttachmentOwner = { ownerType: string; ownerId: number }

const AttachmentField = z.strictObject({ attachments: attachmentDrafts })

const kindOf = (type: string): AttachmentKind => {
  if (type.startsWith('image/')) return 'PHOTO'
  return type.startsWith('audio/') ? 'VOICE' : 'FILE'
}

type Given = AttachmentOwner & { files: readonly AttachmentDraft[] | undefined; actor: Actor }

/**
 * Attaches files that the actor uploaded for a form. A file of another user is rejected: otherwise naming its id would
 * let every reader of the owner open it. Call it in the transaction of the change, after checking the owner.
 */
export const addAttachments = async (trx: Db, { ownerType, ownerId, files = [], actor }: Given): Promise<void> => {
  if (files.length === 0) return
  const ids = [...new Set(files.map(({ fileId }) => fileId))]
  const own = await unscoped(trx, 'the actor’s own uploads')
    .selectFrom('file')
    .select(['id', 'type'])
    .where('id', 'in', ids)
    .where('ownerId', '=', actor.userId)
    .where('purpose', '=', 'DRAFT')
    .forShare()
    .execute()
  const types = new Map(own.map(({ id, type }) => [id, type]))
  if (types.size < ids.length) throw fieldError(AttachmentField, 'attachments', 'choice')
  await trx
    .insertInto('attachment')
    .values(
      files.map(({ fileId, note = null, takenAt = null }) => ({
        ownerType,
        ownerId,
        fileId,
        kind: kindOf(types.get(fileId) ?? ''),
        note,
        takenAt,
        createdBy: actor.userId,
      })),
    )
    // The same file named twice is one attachment.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The attachments of owners, by owner, oldest first. The caller has checked that the reader can see the owners. */
export const listAttachments = async (
  db: Db,
  { userId }: Pick<Actor, 'userId'>,
  ownerType: string,
  ownerIds: readonly number[],
): Promise<(ownerId: number) => AttachmentInfo[]> => {
  const found = new Map<number, AttachmentInfo[]>()
  if (ownerIds.length > 0) {
    const rows = await unscoped(db, 'the owner of the attachment is visible')
      .selectFrom('attachment')
      .innerJoin('file', 'file.id', 'attachment.fileId')
      .selectAll('attachment')
      .select(['file.name', 'file.size', 'file.type'])
      .where('attachment.ownerType', '=', ownerType)
      .where('attachment.ownerId', 'in', [...ownerIds])
      .orderBy('attachment.id')
      .execute()
    for (const { ownerType: _type, ownerId, ...row } of rows)
      found.set(ownerId, [...(found.get(ownerId) ?? []), { ...row, url: fileLink(row.fileId, userId) }])
  }
  return (ownerId) => found.get(ownerId) ?? []
}

/**
 * Replaces the attachments of an owner by the named files: attached ones stay, new ones must be uploads of the actor.
 */
export const replaceAttachments = async (trx: Db, { files = [], ...of }: Given): Promise<void> => {
  const { ownerType, ownerId } = of
  const before = await trx
    .selectFrom('attachment')
    .select('fileId')
    .where('ownerType', '=', ownerType)
    .where('ownerId', '=', ownerId)
    .execute()
  const wanted = new Set(files.map(({ fileId }) => fileId))
  const known = new Set(before.map(({ fileId }) => fileId))
  const gone = [...known].filter((id) => !wanted.has(id))
  if (gone.length > 0)
    await trx
      .deleteFrom('attachment')
      .where('ownerType', '=', ownerType)
      .where('ownerId', '=', ownerId)
      .where('fileId', 'in', gone)
      .execute()
  await addAttachments(trx, { ...of, files: files.filter(({ fileId }) => !known.has(fileId)) })
}

/** Call it when the owner is deleted; files without another use are removed a day after their upload. */
export const deleteAttachments = async (trx: Db, { ownerType, ownerId }: AttachmentOwner): Promise<void> => {
  await trx.deleteFrom('attachment').where('ownerType', '=', ownerType).where('ownerId', '=', ownerId).execute()
}
