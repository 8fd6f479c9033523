import { Profile, ProfileEdit } from '@tocsin/contract/access/profile'
import { z } from 'zod'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
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
import { avatarColumns } from '../change.ts'
import { loadPostNames } from '../posts.ts'
import { rows } from '../read.ts'
import { lockUser } from '../lock.ts'
import { type Contacts, withDisclosureQuota } from '../contact-disclosure.ts'
import { useUploadedAvatar } from './avatar.ts'
import { checkContacts } from './contact.ts'

/** The caller's account, unmasked. */
export const getProfile = async (db: Db, actor: Actor): Promise<Profile> => {
  // One after the other: this also runs inside a transaction, which has one connection.
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

/**
 * Names are part of the chained log, so that only an administrator changes them, as the status. Forms send the current
 * values back.
 */
const assertNothingFixedChanged = ({ nickname, username, status }: ProfileEdit, before: Row<'users'>): void => {
  const given = { nickname, username, status }
  const current = { nickname: before.nickname, username: before.username, status: before.enabled }
  const fields = ['nickname', 'username', 'status'] as const
  const changed = fields.find((name) => given[name] !== undefined && given[name] !== current[name])
  if (changed) throw fieldError(ProfileEdit, changed, 'fixed')
}

type Write = { edit: ProfileEdit; who: Caller; avatarId?: number }

/** `avatarId`: the picture that the address in the form stands for. */
const writeProfile = async (trx: Db, { edit, who, avatarId }: Write): Promise<void> => {
  const id = who.actor.userId
  const before = await lockUser(trx, who.actor, id)
  await checkVersion(edit.version, before, async () => z.encode(Profile, await getProfile(trx, who.actor)))
  assertNothingFixedChanged(edit, before)
  await checkContacts(trx, edit, before)
  const { avatar, username: _name, status: _status, ...columns } = changedColumns(edit)
  const picture = avatarId === undefined ? avatarColumns(avatar, before) : { avatarId }
  const after = await scoped(trx, who.actor)
    .updateTable('users')
    .set({ ...columns, ...picture, ...updateStamp(who) })
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
}

const writeWithPicture = async (db: Db, { edit, who }: Write): Promise<true> => {
  const { avatar: address } = edit
  const isNew =
    address &&
    (await useUploadedAvatar(db, { address, who }, (trx, avatarId) => writeProfile(trx, { edit, who, avatarId })))
  if (isNew) return true
  return runEdit(db, { userId: who.actor.userId }, async (trx) => {
    await writeProfile(trx, { edit, who })
    return true as const
  })
}

/** The contacts that are new: a form sends the existing ones back. */
const newContacts = async (db: Db, { mobile, email }: ProfileEdit, actor: Actor): Promise<Contacts> => {
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

/** "Taken" discloses whose a number is here too, and this call needs no permission (decision 022). */
export const updateProfile = async (
  db: Db,
  edit: ProfileEdit,
  { who, call }: { who: Caller; call: string },
): Promise<true> =>
  withDisclosureQuota(db, { who, call, contacts: await newContacts(db, edit, who.actor) }, () =>
    writeWithPicture(db, { edit, who }),
  )
