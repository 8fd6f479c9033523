import { codes } from '@tocsin/contract/codes'
import { UserDraft, UserEdit } from '@tocsin/contract/system/user'
import { maskEmail, maskMobile } from '@tocsin/contract/system/user-contact'
import { announce } from '#db/event'
import { conflicts } from '#db/conflict'
import type { Db } from '#db/db'
import { everything, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { audit } from '../audit.ts'
import { checkNewPassword, hashPassword } from '../auth/password.ts'
import { authored, badField, committed, given, recordable, touched, type Who } from '../edit.ts'
import { FILES } from '../file/place.ts'
import { checkContacts } from '../profile/contact.ts'
import { checkDept } from '../role/dept-choice.ts'
import { reachOfUser } from '../role/reach.ts'
import { checkCovers, checkWithin } from '../role/rights.ts'
import { checkTurn, turned } from './account.ts'
import { lockUser } from './lock.ts'
import { postsIn } from './posts.ts'
import { checkUserVersion } from './read.ts'
import { setRoles } from './roles.ts'

conflicts({
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

/** Inserts the account, which without a password cannot sign in; it may do nothing until roles are assigned, and changes its password at the first sign-in. */
export const insertUser = async (trx: Db, made: Made, who: Who): Promise<number> => {
  const { status = true, postIds, avatar, ...columns } = made.draft
  if (avatar) throw badField(UserDraft, 'avatar', 'choice')
  await checkDept(trx, who.actor, made.deptId)
  const posts = await postsIn(trx, { of: UserDraft, postIds })
  const after = await everything(trx, 'an insert reads nothing; its department was checked')
    .insertInto('users')
    .values({
      ...columns,
      ...posts,
      // Absent leaves the default; a key without a value would be an explicit null.
      sex: columns.sex ?? 'UNKNOWN',
      enabled: status,
      type: made.type,
      deptId: made.deptId,
      passwordHash: made.passwordHash,
      mustChangePassword: true,
      ...authored(who),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(trx, {
    ...who,
    action: made.type === 'SCHOOL' ? 'bully:merchant-user:create' : 'system:user:create',
    subject: 'users',
    subjectId: after.id,
    after: recordable(after),
  })
  return after.id
}

export const passwordOf = (draft: Pick<UserDraft, 'password' | 'username'>): Promise<string> => {
  checkNewPassword(draft.password, draft.username)
  return hashPassword(draft.password)
}

export const createUser = async (db: Db, draft: UserDraft, who: Who): Promise<number> => {
  const { deptId = who.actor.deptId, password: _password, roleIds, ...rest } = draft
  const passwordHash = await passwordOf(draft)
  return db.transaction().execute(async (trx) => {
    const id = await insertUser(trx, { type: 'STAFF', deptId, draft: rest, passwordHash }, who)
    await setRoles(trx, id, { roleIds, who })
    return id
  })
}

/** A form brings back the link that it was shown, which is no change; another picture is uploaded by whom it shows. */
export const picture = (avatar: string | null | undefined, { avatarId }: Row<'users'>) => {
  if (avatar === undefined) return {}
  if (!avatar) return { avatarId: null }
  if (avatar.split('?')[0] !== `${FILES}${avatarId}`) throw badField(UserEdit, 'avatar', 'choice')
  return {}
}

/** What the edit changes, with masks that came back taken out; a mask of something else is no address. */
const unmasked = (edit: Omit<UserEdit, 'status' | 'postIds' | 'roleIds'>, before: Row<'users'>) => {
  const { email, mobile, avatar, password, ...columns } = given(edit)
  if (password) throw badField(UserEdit, 'password', 'unknown')
  const mask = { email: before.email && maskEmail(before.email), mobile: before.mobile && maskMobile(before.mobile) }
  if (email?.includes('*') && email !== mask.email) throw badField(UserEdit, 'email', 'format')
  if (mobile?.includes('*') && mobile !== mask.mobile) throw badField(UserEdit, 'mobile', 'format')
  return {
    ...columns,
    ...picture(avatar, before),
    ...(email !== undefined && !email?.includes('*') && { email }),
    ...(mobile !== undefined && !mobile?.includes('*') && { mobile }),
  }
}

/** An account of a school belongs to the school of its department. */
const moveProfile = async (trx: Db, user: Row<'users'>, deptId: number, { actor }: Who) => {
  if (user.type !== 'SCHOOL') return
  const school = await scoped(trx, actor)
    .selectFrom('school')
    .select('id')
    .where('deptId', '=', deptId)
    .executeTakeFirst()
  if (!school) throw badField(UserEdit, 'deptId', 'choice')
  await everything(trx, 'the profile of a user who was locked in sight')
    .updateTable('merchantProfile')
    .set({ schoolId: school.id })
    .where('userId', '=', user.id)
    .execute()
}

const move = async (trx: Db, user: Row<'users'>, deptId: number, who: Who) => {
  await checkDept(trx, who.actor, deptId)
  const reach = await reachOfUser(trx, user.id, deptId)
  await checkWithin(trx, who.actor, { ...reach, own: user.id === who.actor.userId })
  await moveProfile(trx, user, deptId, who)
}

/** Inside a transaction that changes more. Whether he is enabled goes with the rest: one change, one row of the audit. */
export const changeUser = async (trx: Db, { status, postIds, roleIds, ...edit }: UserEdit, who: Who): Promise<true> => {
  const before = await lockUser(trx, who.actor, edit.id, status === false ? 'forUpdate' : 'forNoKeyUpdate')
  await checkUserVersion(trx, edit.version, before, who.actor)
  await checkCovers(trx, who.actor, before)
  const posts = await postsIn(trx, { of: UserEdit, postIds }, before.postIds)
  const columns = { ...unmasked(edit, before), ...posts }
  if (edit.id === who.actor.userId) await checkContacts(trx, columns, before)
  if (columns.deptId !== undefined && columns.deptId !== before.deptId) await move(trx, before, columns.deptId, who)
  // A form brings back what was there.
  const enabled = status === before.enabled ? undefined : status
  if (enabled !== undefined) checkTurn(before, enabled, who)
  const after = await everything(trx, 'locked in sight; may have moved within it')
    .updateTable('users')
    .set({ ...columns, ...(enabled !== undefined && { enabled }), ...touched(who) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (enabled !== undefined) await turned(trx, edit.id, enabled)
  await announce(trx, { type: 'permission.changed', ref: edit.id, userId: edit.id })
  await audit(trx, {
    ...who,
    action: 'system:user:update',
    subject: 'users',
    subjectId: edit.id,
    before: recordable(before),
    after: recordable(after),
  })
  await setRoles(trx, edit.id, { roleIds, who })
  return true
}

export const updateUser = (db: Db, edit: UserEdit, who: Who): Promise<true> =>
  committed(db, { userId: edit.id }, (trx) => changeUser(trx, edit, who))
