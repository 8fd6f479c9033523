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
import { checkNewPassword, hashPassword } from '../sign-in/password/password.ts'
import type { Caller } from '#http/route'
import { runEdit, runEditForEach, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import { assertCoversUser } from '../roles/grant-guards.ts'
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
  assignment_responder_user_id_fkey: inUse,
  assignment_by_user_id_fkey: inUse,
  assignment_step_by_user_id_fkey: inUse,
  school_device_installed_by_fkey: inUse,
  school_device_accepted_by_fkey: inUse,
  device_log_user_id_fkey: inUse,
  device_command_requested_by_fkey: inUse,
  test_plan_station_told_by_fkey: inUse,
  test_result_by_user_id_fkey: inUse,
  maintenance_order_assignee_id_fkey: inUse,
  maintenance_order_finished_by_fkey: inUse,
  maintenance_order_verified_by_fkey: inUse,
  maintenance_log_user_id_fkey: inUse,
  procedure_edited_by_fkey: inUse,
  program_package_created_by_fkey: inUse,
  rollout_approved_by_fkey: inUse,
  procedure_version_drafted_by_fkey: inUse,
  procedure_version_published_by_fkey: inUse,
  procedure_run_started_by_fkey: inUse,
  procedure_run_step_user_id_fkey: inUse,
  employee_user_id_fkey: inUse,
  handover_giver_id_fkey: inUse,
  handover_taker_id_fkey: inUse,
  patrol_scan_user_id_fkey: inUse,
  police_situation_owner_fkey: inUse,
  police_situation_log_actor_fkey: inUse,
  supervise_order_issuer_id_fkey: inUse,
  supervise_order_responsible_user_id_fkey: inUse,
  supervise_order_signed_by_fkey: inUse,
  supervise_order_submitted_by_fkey: inUse,
  supervise_order_concluded_by_fkey: inUse,
  supervise_party_user_id_fkey: inUse,
  supervise_order_log_user_id_fkey: inUse,
  announcement_author_id_fkey: inUse,
  announcement_text_by_fkey: inUse,
  announcement_submitted_by_fkey: inUse,
  announcement_reviewer_id_fkey: inUse,
  announcement_edition_text_by_fkey: inUse,
  announcement_edition_reviewed_by_fkey: inUse,
  announcement_receipt_user_id_fkey: inUse,
  announcement_log_user_id_fkey: inUse,
})

const notOneself = ({ actor }: Caller, id: number) => {
  if (actor.userId === id) throw new BusinessError(codes.notYourself)
}

/** Rejects enabling or disabling by this call. */
export const assertMayChangeStatus = (user: Row<'users'>, enabled: boolean, caller: Caller): void => {
  if (!enabled) notOneself(caller, user.id)
  // Approval and rejection need another permission.
  if (user.pending) throw new BusinessError(codes.userPending)
}

/** The effects of a changed status; called when the row has changed. */
export const afterStatusChange = async (trx: Db, id: number, enabled: boolean): Promise<void> => {
  if (enabled) return
  if (await hasAdminRole(trx, id)) await checkAdminRemains(trx)
  await endSessionsOf(trx, id, 'DISABLED')
}

const changeStatus = async (trx: Db, edit: z.output<typeof StatusEdit>, caller: Caller): Promise<true> => {
  const before = await lockUser(trx, caller.actor, edit.id, 'forUpdate')
  await checkUserVersion(trx, edit.version, before, caller.actor)
  if (edit.status === before.enabled) return true
  assertMayChangeStatus(before, edit.status, caller)
  await assertCoversUser(trx, caller.actor, before)
  await scoped(trx, caller.actor)
    .updateTable('users')
    .set({ enabled: edit.status, ...updateStamp(caller) })
    .where('id', '=', edit.id)
    .execute()
  await afterStatusChange(trx, edit.id, edit.status)
  await emitEvents(trx, { type: 'permission.changed', ref: edit.id, userId: edit.id })
  await writeAudit(trx, {
    ...caller,
    action: 'system:user:update-status',
    subject: 'users',
    subjectId: edit.id,
    before: { enabled: before.enabled },
    after: { enabled: edit.status },
  })
  return true
}

export const updateStatus = (db: Db, edit: z.output<typeof StatusEdit>, caller: Caller): Promise<true> =>
  runEdit(db, { userId: edit.id }, (trx) => changeStatus(trx, edit, caller))

/** Sets a password that the user must change at the next sign-in, and ends the user's sessions. */
export const resetPassword = async (db: Db, reset: z.output<typeof PasswordReset>, caller: Caller): Promise<true> => {
  const found = await scoped(db, caller.actor)
    .selectFrom('users')
    .select(['id', 'deptId', 'username'])
    .where('id', '=', reset.id)
    .executeTakeFirst()
  if (!found) throw new BusinessError(codes.userMissing)
  // The own password needs the old one: a person at an unattended screen must not take the account over.
  notOneself(caller, reset.id)
  await assertCoversUser(db, caller.actor, found)
  checkNewPassword(reset.password, found.username)
  const passwordHash = await hashPassword(reset.password)
  return runEdit(db, { userId: reset.id }, async (trx) => {
    const before = await lockUser(trx, caller.actor, reset.id, 'forUpdate')
    await assertCoversUser(trx, caller.actor, before)
    await scoped(trx, caller.actor)
      .updateTable('users')
      .set({ passwordHash, mustChangePassword: true, ...updateStamp(caller) })
      .where('id', '=', reset.id)
      .execute()
    await endSessionsOf(trx, reset.id, 'PASSWORD')
    await emitEvents(trx, { type: 'permission.changed', ref: reset.id, userId: reset.id })
    await writeAudit(trx, {
      ...caller,
      action: 'system:user:update-password',
      subject: 'users',
      subjectId: reset.id,
      before: { mustChangePassword: before.mustChangePassword },
      after: { mustChangePassword: true },
    })
    return true
  })
}

/** Rolls everything back when one row fails. */
export const deleteUsers = (db: Db, ids: readonly number[], caller: Caller): Promise<true> =>
  runEditForEach(db, {
    ids,
    named: (id) =>
      scoped(db, caller.actor).selectFrom('users').select('username as name').where('id', '=', id).executeTakeFirst(),
    work: async (trx, id) => {
      const before = await lockUser(trx, caller.actor, id, 'forUpdate')
      notOneself(caller, id)
      await assertCoversUser(trx, caller.actor, before)
      const roleIds = await listRoleIds(trx, id)
      const wasAdmin = await hasAdminRole(trx, id)
      await endSessionsOf(trx, id, 'KICKED')
      await unscoped(trx, 'locked in sight').deleteFrom('users').where('id', '=', id).execute()
      // Rows of the demo pages are deleted with their user.
      for (const subject of ['demoSignature', 'demoText'])
        await setFileReferences(trx, caller.actor, { subject, subjectId: id }, [])
      if (wasAdmin) await checkAdminRemains(trx)
      await emitEvents(trx, { type: 'permission.changed', ref: id, userId: id })
      await writeAudit(trx, {
        ...caller,
        action: 'system:user:delete',
        subject: 'users',
        subjectId: id,
        before: { ...toAuditState(before), roleIds },
      })
    },
  })
