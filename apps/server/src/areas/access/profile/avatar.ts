import { profile } from '@tocsin/contract/access/profile'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped } from '#db/scope'
import type { UploadedFile } from '#http/upload/uploaded-file'
import { writeAudit } from '#areas/audit/audit'
import type { Caller } from '#http/route'
import { runEdit, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import { checkUploadQuota, storeInspected } from '#areas/files/change'
import { inspectUpload } from '#areas/files/inspect-upload'
import { fileLink } from '#areas/files/file-store'
import { lockUser } from '../user/lock.ts'

const point = async (trx: Db, who: Caller, avatarId: number | null): Promise<void> => {
  const id = who.actor.userId
  const before = await lockUser(trx, who.actor, id)
  const after = await scoped(trx, who.actor)
    .updateTable('users')
    .set({ avatarId, ...updateStamp(who) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitEvents(trx, { type: 'permission.changed', ref: id, userId: id })
  await writeAudit(trx, {
    ...who,
    action: 'system:user:update-avatar',
    subject: 'users',
    subjectId: id,
    before: toAuditState(before),
    after: toAuditState(after),
  })
}

/** One's own picture from now on; the former one is removed by housekeeping. @returns its link. */
export const updateAvatar = async (db: Db, file: UploadedFile, who: Caller): Promise<string> => {
  await checkUploadQuota(db, who, file.size)
  const part = profile.updateAvatar.files.avatarFile
  const examined = await inspectUpload(file, { field: 'avatarFile', part }, 'avatar')
  const kept = { file: examined, purpose: 'AVATAR' as const, who }
  const row = await storeInspected(db, kept, (trx, made) => point(trx, who, made.id))
  return fileLink(row.id, who.actor.userId)
}

export const deleteAvatar = (db: Db, who: Caller): Promise<true> =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => {
    await point(trx, who, null)
    return true
  })
