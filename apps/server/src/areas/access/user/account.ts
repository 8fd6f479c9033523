import { codes } from '@tocsin/contract/codes'
import type { PasswordReset, StatusEdit } from '@tocsin/contract/access/user'
import type { z } from 'zod'
import { emitEvents } from '#db/event'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { writeAudit } from '#areas/audit/audit'
import { checkNewPassword, hashPassword } from '../sign-in/password.ts'
import type { Caller } from '#http/route'
import { runEdit, runEditForEach, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import { assertCoversUser } from '../role/grant-guards.ts'
import { endSessionsOf } from '../sign-in/session.ts'
import { setFileReferences } from '#areas/files/store-file'
import { checkAdminRemains, hasAdminRole, lockUser, listRoleIds } from './lock.ts'
import { checkUserVersion } from './read.ts'

const inUse = { code: codes.referred, params: { what: '用户' } }
registerConstraintErrors({
  dept_leader_fkey: inUse,
  warn_record_owner_id_fkey: inUse,
  warn_record_last_owner_id_fkey: inUse,
  warn_record_false_by_fkey: inUse,
  warn_record_resolver_id_fkey: inUse,
  school_device_installed_by_fkey: inUse,
  school_device_accepted_by_fkey: inUse,
  device_log_user_id_fkey: inUse,
  device_command_requested_by_fkey: inUse,
  test_plan_station_told_by_fkey: inUse,
  test_result_by_user_id_fkey: inUse,
})

const notOneself = ({ actor }: Caller, id: number) => {
  if (actor.userId === id) throw new BusinessError(codes.notYourself)
}

/** Refuses to enable or disable by this. */
export const assertMayChangeStatus = (user: Row<'users'>, enabled: boolean, who: Caller): void => {
  if (!enabled) notOneself(who, user.id)
  // He is approved or rejected, which is another right.
  if (user.pending) throw new BusinessError(codes.userPending)
}

/** What goes with it; asked when his row says it. */
export const afterStatusChange = async (trx: Db, id: number, enabled: boolean): Promise<void> => {
  if (enabled) return
  if (await hasAdminRole(trx, id)) await checkAdminRemains(trx)
  await endSessionsOf(trx, id, 'DISABLED')
}

const changeStatus = async (trx: Db, edit: z.output<typeof StatusEdit>, who: Caller): Promise<true> => {
  const before = await lockUser(trx, who.actor, edit.id, 'forUpdate')
  await checkUserVersion(trx, edit.version, before, who.actor)
  if (edit.status === before.enabled) return true
  assertMayChangeStatus(before, edit.status, who)
  await assertCoversUser(trx, who.actor, before)
  await scoped(trx, who.actor)
    .updateTable('users')
    .set({ enabled: edit.status, ...updateStamp(who) })
    .where('id', '=', edit.id)
    .execute()
  await afterStatusChange(trx, edit.id, edit.status)
  await writeAudit(trx, {
    ...who,
    action: 'system:user:update-status',
    subject: 'users',
    subjectId: edit.id,
    before: { enabled: before.enabled },
    after: { enabled: edit.status },
  })
  return true
}

export const updateStatus = (db: Db, edit: z.output<typeof StatusEdit>, who: Caller): Promise<true> =>
  runEdit(db, { userId: edit.id }, (trx) => changeStatus(trx, edit, who))

/** Gives a user another password, to be changed at his next sign-in; his sessions end. */
export const resetPassword = async (db: Db, reset: z.output<typeof PasswordReset>, who: Caller): Promise<true> => {
  const found = await scoped(db, who.actor)
    .selectFrom('users')
    .select(['id', 'deptId', 'username'])
    .where('id', '=', reset.id)
    .executeTakeFirst()
  if (!found) throw new BusinessError(codes.userMissing)
  // One's own is changed by whoever knows the old one: an open screen must not give the account away.
  notOneself(who, reset.id)
  await assertCoversUser(db, who.actor, found)
  checkNewPassword(reset.password, found.username)
  const passwordHash = await hashPassword(reset.password)
  return runEdit(db, { userId: reset.id }, async (trx) => {
    const before = await lockUser(trx, who.actor, reset.id, 'forUpdate')
    await assertCoversUser(trx, who.actor, before)
    await scoped(trx, who.actor)
      .updateTable('users')
      .set({ passwordHash, mustChangePassword: true, ...updateStamp(who) })
      .where('id', '=', reset.id)
      .execute()
    await endSessionsOf(trx, reset.id, 'PASSWORD')
    await emitEvents(trx, { type: 'permission.changed', ref: reset.id, userId: reset.id })
    await writeAudit(trx, {
      ...who,
      action: 'system:user:update-password',
      subject: 'users',
      subjectId: reset.id,
      before: { mustChangePassword: before.mustChangePassword },
      after: { mustChangePassword: true },
    })
    return true
  })
}

/** All or none. */
export const deleteUsers = (db: Db, ids: readonly number[], who: Caller): Promise<true> =>
  runEditForEach(db, {
    ids,
    named: (id) =>
      scoped(db, who.actor).selectFrom('users').select('username as name').where('id', '=', id).executeTakeFirst(),
    work: async (trx, id) => {
      const before = await lockUser(trx, who.actor, id, 'forUpdate')
      notOneself(who, id)
      await assertCoversUser(trx, who.actor, before)
      const roleIds = await listRoleIds(trx, id)
      const wasAdmin = await hasAdminRole(trx, id)
      await endSessionsOf(trx, id, 'KICKED')
      await unscoped(trx, 'locked in sight').deleteFrom('users').where('id', '=', id).execute()
      // What he left on the demo pages goes with him.
      for (const subject of ['demoSignature', 'demoText'])
        await setFileReferences(trx, who.actor, { subject, subjectId: id }, [])
      if (wasAdmin) await checkAdminRemains(trx)
      await writeAudit(trx, {
        ...who,
        action: 'system:user:delete',
        subject: 'users',
        subjectId: id,
        before: { ...toAuditState(before), roleIds },
      })
    },
  })
