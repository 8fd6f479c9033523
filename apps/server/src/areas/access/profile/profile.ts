import { Profile, ProfileEdit } from '@tocsin/contract/access/profile'
import { z } from 'zod'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped } from '#db/scope'
import type { Actor, Caller } from '#http/route'
import { writeAudit } from '#areas/audit/audit'
import {
  changedColumns,
  checkVersion,
  fieldError,
  runEdit,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { optionalFileLink } from '#areas/files/file-store'
import { avatarColumns } from '../user/change.ts'
import { loadPostNames } from '../user/posts.ts'
import { rows } from '../user/read.ts'
import { lockUser } from '../user/lock.ts'
import { type Contacts, withDisclosureQuota } from '../user/contact-disclosure.ts'
import { checkContacts } from './contact.ts'

/** One's own account as it is, nothing masked. */
export const getProfile = async (db: Db, actor: Actor): Promise<Profile> => {
  // One after the other: it is asked inside a transaction too, which has one connection.
  const found = await rows(scoped(db, actor)).where('users.id', '=', actor.userId).executeTakeFirstOrThrow()
  const roles = await db
    .selectFrom('userRole')
    .innerJoin('role', 'role.id', 'userRole.roleId')
    .select(['role.id', 'role.name'])
    .where('userRole.userId', '=', actor.userId)
    .orderBy('role.sort')
    .execute()
  const socialUsers = await db
    .selectFrom('socialAccount')
    .select(['provider as type', 'subject as openid'])
    .where('userId', '=', actor.userId)
    .orderBy('provider')
    .execute()
  const { deptId, deptName, avatarId, postIds, userType: _type, remark: _remark, pending: _pending, ...own } = found
  const posts = await loadPostNames(db, postIds)
  const dept = { id: deptId, name: deptName }
  return { ...own, avatar: optionalFileLink(avatarId, actor.userId), roles, dept, posts, socialUsers }
}

/** `avatar`: as other forms bring it (decision 023). */
type OwnEdit = ProfileEdit & { avatar?: string | null | undefined }

/** Names stand in the chained log, so that only an administrator changes them. Forms send the current one back. */
const assertNameUnchanged = ({ nickname }: OwnEdit, before: { nickname: string }): void => {
  if (nickname !== undefined && nickname !== before.nickname) throw fieldError(ProfileEdit, 'nickname', 'fixed')
}

const writeProfile = (db: Db, edit: OwnEdit, who: Caller) =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => {
    const id = who.actor.userId
    const before = await lockUser(trx, who.actor, id)
    await checkVersion(edit.version, before, async () => z.encode(Profile, await getProfile(trx, who.actor)))
    assertNameUnchanged(edit, before)
    await checkContacts(trx, edit, before)
    const { avatar, ...columns } = changedColumns(edit)
    const after = await scoped(trx, who.actor)
      .updateTable('users')
      .set({ ...columns, ...avatarColumns(avatar, before), ...updateStamp(who) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await writeAudit(trx, {
      ...who,
      action: 'system:user:update-profile',
      subject: 'users',
      subjectId: id,
      before: toAuditState(before),
      after: toAuditState(after),
    })
    if (after.avatarId !== before.avatarId) await emitEvents(trx, { type: 'permission.changed', ref: id, userId: id })
    return true as const
  })

/** The contacts that he did not have before: a form brings back those that were there. */
const newContacts = async (db: Db, { mobile, email }: OwnEdit, actor: Actor): Promise<Contacts> => {
  const own = await scoped(db, actor)
    .selectFrom('users')
    .select(['mobile', 'email'])
    .where('id', '=', actor.userId)
    .executeTakeFirstOrThrow()
  return {
    ...(mobile !== own.mobile && { mobile }),
    ...(email?.toLowerCase() !== own.email?.toLowerCase() && { email }),
  }
}

/** That a number is taken tells whose it is here too, and nobody needs a right to ask (decision 022). */
export const updateProfile = async (
  db: Db,
  edit: OwnEdit,
  { who, call }: { who: Caller; call: string },
): Promise<true> =>
  withDisclosureQuota(db, { who, call, contacts: await newContacts(db, edit, who.actor) }, () =>
    writeProfile(db, edit, who),
  )
