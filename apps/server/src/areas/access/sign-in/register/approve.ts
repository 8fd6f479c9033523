import { codes } from '@tocsin/contract/codes'
import type { Approval } from '@tocsin/contract/access/sign-in/register'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { writeAudit } from '#areas/audit/audit'
import type { AuthDeps } from '../deps.ts'
import { getSetting } from '#settings/settings-cache'
import type { Caller } from '#http/route'
import { runEdit, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import { isMailConfigured, isSmsConfigured } from '#areas/settings/channels'
import { sendMail, sendSms } from '../../outbound/queue.ts'
import { assertCoversUser } from '../../roles/grant-guards.ts'
import { lockUser } from '../../people/lock.ts'
import { checkUserVersion } from '../../people/read.ts'

const all = (trx: Db) => unscoped(trx, 'locked in sight')

const lockPending = async (trx: Db, { id, version }: Approval, caller: Caller): Promise<Row<'users'>> => {
  const user = await lockUser(trx, caller.actor, id)
  await checkUserVersion(trx, version, user, caller.actor)
  if (!user.pending) throw new BusinessError(codes.userNotPending)
  // The account may have received roles meanwhile.
  await assertCoversUser(trx, caller.actor, user)
  return user
}

/** A number is informed by its own template: providers pass no other text. */
const writeSms = async (trx: Db, { keys }: AuthDeps, { mobile }: Row<'users'>, approved: boolean) => {
  if (!mobile || !(await isSmsConfigured(trx)) || (await getSetting(trx, 'sms.template-application')) === '') return
  await sendSms(trx, keys.outbound, { to: mobile, code: approved ? '已通过' : '未通过', template: 'APPLICATION' })
}

const writeMail = async (trx: Db, { keys }: AuthDeps, { email, username }: Row<'users'>, approved: boolean) => {
  if (!email || !(await isMailConfigured(trx))) return
  const title = await getSetting(trx, 'site.title')
  const text = approved
    ? `您的账号已通过审核，用户名为 ${username}。\n\nYour account was approved; your user name is ${username}.\n`
    : '您的账号申请未通过审核。\n\nYour application for an account was not approved.\n'
  await sendMail(trx, keys.outbound, { to: email, subject: `${title} 账号申请 / Your application`, text })
}

/** Informs the applicant by the address or number of the application. */
const write = async (trx: Db, deps: AuthDeps, user: Row<'users'>, approved: boolean) => {
  await writeMail(trx, deps, user, approved)
  await writeSms(trx, deps, user, approved)
}

/** Enables a pending account; roles grant what it may do, as for every new account. */
export const approve = (deps: AuthDeps, approval: Approval, caller: Caller): Promise<true> =>
  runEdit(deps.db, { userId: approval.id }, async (trx) => {
    const before = await lockPending(trx, approval, caller)
    await all(trx)
      .updateTable('users')
      .set({ enabled: true, pending: false, ...updateStamp(caller) })
      .where('id', '=', before.id)
      .execute()
    await emitEvents(trx, { type: 'permission.changed', ref: before.id, userId: before.id })
    await write(trx, deps, before, true)
    await writeAudit(trx, {
      ...caller,
      action: 'system:user:approve',
      subject: 'users',
      subjectId: before.id,
      before: { enabled: false, pending: true },
      after: { enabled: true, pending: false },
    })
    return true as const
  })

/** Deletes a pending account; the audit keeps the row. */
export const reject = (deps: AuthDeps, approval: Approval, caller: Caller): Promise<true> =>
  runEdit(deps.db, { userId: approval.id }, async (trx) => {
    const before = await lockPending(trx, approval, caller)
    await write(trx, deps, before, false)
    await all(trx).deleteFrom('users').where('id', '=', before.id).execute()
    await writeAudit(trx, {
      ...caller,
      action: 'system:user:reject',
      subject: 'users',
      subjectId: before.id,
      before: toAuditState(before),
    })
    return true as const
  })
