import { codes } from '@tocsin/contract/codes'
import { UserDraft, UserEdit } from '@tocsin/contract/access/user'
import { maskEmail, maskMobile } from '@tocsin/contract/access/user-contact'
import { emitEvents } from '#db/event'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { writeAudit } from '#areas/audit/audit'
import { checkNewPassword, hashPassword } from '../sign-in/password/password.ts'
import type { Caller } from '#http/route'
import {
  createStamp,
  fieldError,
  runEdit,
  changedColumns,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { FILE_LINK_PREFIX } from '#areas/files/file-store'
import { checkContacts } from './profile/contact.ts'
import { checkDept } from '../roles/dept-choice.ts'
import { grantedRightsOfUser } from '../roles/granted-rights.ts'
import { assertCoversUser, assertWithinOwnRights } from '../roles/grant-guards.ts'
import { assertMayChangeStatus, afterStatusChange } from './account.ts'
import { lockUser } from './lock.ts'
import { checkedPostColumns } from './posts.ts'
import { checkUserVersion } from './read.ts'
import { setRoles } from './roles.ts'

registerConstraintErrors({
  users_username_key: { code: codes.userExists },
  users_mobile_key: { code: codes.mobileExists },
  users_email_key: { code: codes.emailExists },
})

type Made = {
  type: Row<'users'>['type']
  deptId: number
  draft: Omit<UserDraft, 'deptId' | 'password' | 'roleIds'>
  passwordHash: string | null
}

/**
 * Inserts the account. Without a password it cannot sign in, and without roles it has no permissions. The password must be
 * changed at the first sign-in.
 */
export const insertUser = async (trx: Db, made: Made, caller: Caller): Promise<number> => {
  const { status = true, postIds, avatar, ...columns } = made.draft
  if (avatar) throw fieldError(UserDraft, 'avatar', 'choice')
  await checkDept(trx, caller.actor, made.deptId)
  const posts = await checkedPostColumns(trx, { of: UserDraft, postIds })
  const after = await unscoped(trx, 'an insert reads nothing; its department was checked')
    .insertInto('users')
    .values({
      ...columns,
      ...posts,
      // An absent field keeps the default; a key without a value would be an explicit null.
      sex: columns.sex ?? 'UNKNOWN',
      enabled: status,
      type: made.type,
      deptId: made.deptId,
      passwordHash: made.passwordHash,
      mustChangePassword: true,
      ...createStamp(caller),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await writeAudit(trx, {
    ...caller,
    action: made.type === 'SCHOOL' ? 'bully:merchant-user:create' : 'system:user:create',
    subject: 'users',
    subjectId: after.id,
    after: toAuditState(after),
  })
  return after.id
}

export const hashNewPassword = (draft: Pick<UserDraft, 'password' | 'username'>): Promise<string> => {
  checkNewPassword(draft.password, draft.username)
  return hashPassword(draft.password)
}

export const createUser = async (db: Db, draft: UserDraft, caller: Caller): Promise<number> => {
  const { deptId = caller.actor.deptId, password: _password, roleIds, ...rest } = draft
  const passwordHash = await hashNewPassword(draft)
  return db.transaction().execute(async (trx) => {
    const id = await insertUser(trx, { type: 'STAFF', deptId, draft: rest, passwordHash }, caller)
    await setRoles(trx, id, { roleIds, who: caller })
    return id
  })
}

/** A form sends the displayed link back, which is no change. The user in the picture uploads another one. */
export const avatarColumns = (avatar: string | null | undefined, { avatarId }: Row<'users'>) => {
  if (avatar === undefined) return {}
  if (!avatar) return { avatarId: null }
  if (avatar.split('?')[0] !== `${FILE_LINK_PREFIX}${avatarId}`) throw fieldError(UserEdit, 'avatar', 'choice')
  return {}
}

/** The changed columns without masks that were sent back. A mask of another value is invalid. */
const unmasked = (edit: Omit<UserEdit, 'status' | 'postIds' | 'roleIds'>, before: Row<'users'>) => {
  const { email, mobile, avatar, password, ...columns } = changedColumns(edit)
  if (password) throw fieldError(UserEdit, 'password', 'unknown')
  const mask = { email: before.email && maskEmail(before.email), mobile: before.mobile && maskMobile(before.mobile) }
  if (email?.includes('*') && email !== mask.email) throw fieldError(UserEdit, 'email', 'format')
  if (mobile?.includes('*') && mobile !== mask.mobile) throw fieldError(UserEdit, 'mobile', 'format')
  return {
    ...columns,
    ...avatarColumns(avatar, before),
    ...(email !== undefined && !email?.includes('*') && { email }),
    ...(mobile !== undefined && !mobile?.includes('*') && { mobile }),
  }
}

/** Moves the account of a school to the school of its new department. */
const moveProfile = async (trx: Db, user: Row<'users'>, deptId: number, { actor }: Caller) => {
  if (user.type !== 'SCHOOL') return
  const school = await scoped(trx, actor)
    .selectFrom('school')
    .select('id')
    .where('deptId', '=', deptId)
    .executeTakeFirst()
  if (!school) throw fieldError(UserEdit, 'deptId', 'choice')
  await unscoped(trx, 'the profile of a user who was locked in sight')
    .updateTable('merchantProfile')
    .set({ schoolId: school.id })
    .where('userId', '=', user.id)
    .execute()
}

const move = async (trx: Db, user: Row<'users'>, deptId: number, caller: Caller) => {
  await checkDept(trx, caller.actor, deptId)
  const reach = await grantedRightsOfUser(trx, user.id, deptId)
  await assertWithinOwnRights(trx, caller.actor, { ...reach, own: user.id === caller.actor.userId })
  await moveProfile(trx, user, deptId, caller)
}

/** For a transaction that changes more. The status is part of the same change, so that there is one audit row. */
export const changeUser = async (
  trx: Db,
  { status, postIds, roleIds, ...edit }: UserEdit,
  caller: Caller,
): Promise<true> => {
  const before = await lockUser(trx, caller.actor, edit.id, status === false ? 'forUpdate' : 'forNoKeyUpdate')
  await checkUserVersion(trx, edit.version, before, caller.actor)
  await assertCoversUser(trx, caller.actor, before)
  const posts = await checkedPostColumns(trx, { of: UserEdit, postIds }, before.postIds)
  const columns = { ...unmasked(edit, before), ...posts }
  if (edit.id === caller.actor.userId) await checkContacts(trx, columns, before)
  if (columns.deptId !== undefined && columns.deptId !== before.deptId) await move(trx, before, columns.deptId, caller)
  // A form sends unchanged values back.
  const enabled = status === before.enabled ? undefined : status
  if (enabled !== undefined) assertMayChangeStatus(before, enabled, caller)
  const after = await unscoped(trx, 'locked in sight; may have moved within it')
    .updateTable('users')
    .set({ ...columns, ...(enabled !== undefined && { enabled }), ...updateStamp(caller) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (enabled !== undefined) await afterStatusChange(trx, edit.id, enabled)
  await emitEvents(trx, { type: 'permission.changed', ref: edit.id, userId: edit.id })
  await writeAudit(trx, {
    ...caller,
    action: 'system:user:update',
    subject: 'users',
    subjectId: edit.id,
    before: toAuditState(before),
    after: toAuditState(after),
  })
  await setRoles(trx, edit.id, { roleIds, who: caller })
  return true
}

export const updateUser = (db: Db, edit: UserEdit, caller: Caller): Promise<true> =>
  runEdit(db, { userId: edit.id }, (trx) => changeUser(trx, edit, caller))
