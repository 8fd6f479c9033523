import { profile } from '@tocsin/contract/system/profile'
import type { Db } from '#db/db'
import { announce } from '#db/event'
import { scoped } from '#db/scope'
import type { UploadedFile } from '#http/upload/received'
import { audit } from '../audit.ts'
import { committed, recordable, touched, type Who } from '../edit.ts'
import { checkPace, keepExamined } from '../file/change.ts'
import { examine } from '../file/content.ts'
import { fileLink } from '../file/place.ts'
import { lockUser } from '../user/lock.ts'

const point = async (trx: Db, who: Who, avatarId: number | null): Promise<void> => {
  const id = who.actor.userId
  const before = await lockUser(trx, who.actor, id)
  const after = await scoped(trx, who.actor)
    .updateTable('users')
    .set({ avatarId, ...touched(who) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await announce(trx, { type: 'permission.changed', ref: id, userId: id })
  await audit(trx, {
    ...who,
    action: 'system:user:update-avatar',
    subject: 'users',
    subjectId: id,
    before: recordable(before),
    after: recordable(after),
  })
}

/** One's own picture from now on; the former one is removed by housekeeping. @returns its link. */
export const updateAvatar = async (db: Db, file: UploadedFile, who: Who): Promise<string> => {
  await checkPace(db, who)
  const part = profile.updateAvatar.files.avatarFile
  const examined = await examine(file, { field: 'avatarFile', part }, 'avatar')
  const kept = { file: examined, purpose: 'AVATAR' as const, who }
  const row = await keepExamined(db, kept, (trx, made) => point(trx, who, made.id))
  return fileLink(row.id, who.actor.userId)
}

export const deleteAvatar = (db: Db, who: Who): Promise<true> =>
  committed(db, { userId: who.actor.userId }, async (trx) => {
    await point(trx, who, null)
    return true
  })
