import { profile } from '@tocsin/contract/access/profile'
import { tmpdir } from 'node:os'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { createTempDir, type UploadedFile } from '#http/upload/uploaded-file'
import { writeAudit } from '#areas/audit/audit'
import type { Caller } from '#http/route'
import { runEdit, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import { checkUploadQuota, storeInspected } from '#areas/files/change'
import { inspectUpload } from '#areas/files/inspect-upload'
import { fileLink, getFileStore } from '#areas/files/file-store'
import { lockUser } from '../lock.ts'

const point = async (trx: Db, caller: Caller, avatarId: number | null): Promise<void> => {
  const id = caller.actor.userId
  const before = await lockUser(trx, caller.actor, id)
  const after = await scoped(trx, caller.actor)
    .updateTable('users')
    .set({ avatarId, ...updateStamp(caller) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitEvents(trx, { type: 'permission.changed', ref: id, userId: id })
  await writeAudit(trx, {
    ...caller,
    action: 'system:user:update-avatar',
    subject: 'users',
    subjectId: id,
    before: toAuditState(before),
    after: toAuditState(after),
  })
}

/** Sets the caller's picture; housekeeping removes the former one. @returns its link. */
export const updateAvatar = async (db: Db, file: UploadedFile, caller: Caller): Promise<string> => {
  await checkUploadQuota(db, caller, file.size)
  const part = profile.updateAvatar.files.avatarFile
  const examined = await inspectUpload(file, { field: 'avatarFile', part }, 'avatar')
  const kept = { file: examined, purpose: 'AVATAR' as const, who: caller }
  const row = await storeInspected(db, kept, (trx, made) => point(trx, caller, made.id))
  return fileLink(row.id, caller.actor.userId)
}

/** The caller's upload that an address names, unless a row refers to it already. */
const findOwnUpload = async (db: Db, address: string, { actor }: Caller): Promise<Row<'file'> | undefined> => {
  const id = Number(/\/infra\/file\/(\d{1,15})(?:\?|$)/.exec(address)?.[1] ?? 0)
  return unscoped(db, 'one’s own file')
    .selectFrom('file')
    .selectAll()
    .where('id', '=', id)
    .where('ownerId', '=', actor.userId)
    .where('purpose', '=', 'DRAFT')
    .where('image', '=', true)
    .executeTakeFirst()
}

type Uploaded = { address: string; who: Caller }
type WithPicture<T> = (trx: Db, avatarId: number) => Promise<T>

/**
 * Makes a picture of an upload that the caller names by its link, for `work` in the same transaction. The upload itself
 * expires.
 * @returns false when the address names no such upload.
 */
export const useUploadedAvatar = async (
  db: Db,
  { address, who }: Uploaded,
  work: WithPicture<unknown>,
): Promise<boolean> => {
  const row = await findOwnUpload(db, address, who)
  const content = row && (await getFileStore().store.get(row.id))
  if (!row || !content) return false
  const folder = createTempDir(tmpdir())
  try {
    const { path, size } = await folder.write(content, row.size)
    const part = profile.updateAvatar.files.avatarFile
    const file = await inspectUpload(
      { name: row.name, type: row.type, path, size },
      { field: 'avatar', part },
      'avatar',
    )
    await storeInspected(db, { file, purpose: 'AVATAR', who }, async (trx, made) => {
      await work(trx, made.id)
    })
    return true
  } finally {
    await folder.discard()
  }
}

export const deleteAvatar = (db: Db, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    await point(trx, caller, null)
    return true
  })
