import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { addHook } from '#db/transaction-hook'
import { registrationSubmitted } from '#areas/access/sign-in/register/register'
import { grantedRightsOfUser } from '#areas/access/roles/granted-rights'
import { publishSystemNotice } from './system-notice.ts'

const APPROVE = 'system:user:approve'
/** With more receivers nobody would feel responsible. */
const MAX_RECIPIENTS = 50

/** Enabled users who may approve, of all departments. */
const mayApprove = async (trx: Db) => {
  const all = unscoped(trx, 'whoever may approve is told, wherever he is')
  return all
    .selectFrom('users')
    .select(['users.id', 'users.deptId'])
    .where('users.enabled', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('userRole')
          .innerJoin('role', 'role.id', 'userRole.roleId')
          .select('role.id')
          .whereRef('userRole.userId', '=', 'users.id')
          .where('role.enabled', '=', true)
          .where(
            sql<boolean>`(role.code = 'super_admin' and role.built_in or exists (
              select from role_menu rm join menu m on m.id = rm.menu_id
              where rm.role_id = role.id and m.enabled and m.permission = ${APPROVE}))`,
          ),
      ),
    )
    .orderBy('users.id')
    .execute()
}

/** Those of them who can see the new user. */
const approversOf = async (trx: Db, deptId: number): Promise<number[]> => {
  const found: number[] = []
  for (const user of await mayApprove(trx)) {
    if (found.length === MAX_RECIPIENTS) break
    const reach = await grantedRightsOfUser(trx, user.id, user.deptId)
    if (reach.super || reach.all || reach.depts.includes(deptId)) found.push(user.id)
  }
  return found
}

/** Sends a notice to all users who may approve the new user, in the transaction of the application. */
export const notifyApprovers = addHook(registrationSubmitted, async (trx, newcomer) => {
  const userIds = await approversOf(trx, newcomer.deptId)
  if (userIds.length === 0) return
  // The stored user name contains no markup (its column allows none); the nickname is not used.
  const content =
    `<p>用户 ${newcomer.username} 申请账号，请在“用户管理”中筛选“待审核”后处理。</p>` +
    `<p>${newcomer.username} asks for an account: see "Waiting for approval" among the users.</p>`
  const text = { title: '新用户等待审核', content, publisherName: null }
  await publishSystemNotice(trx, { deptId: newcomer.deptId }, { ...text, userIds })
})
