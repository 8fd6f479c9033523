import { sql } from 'kysely'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import type { Row } from '#db/tables'
import { tell, writeTarget } from '../notice/target.ts'
import { reachOfUser } from '../role/reach.ts'

const APPROVE = 'system:user:approve'
/** Beyond, everybody would be told and nobody would feel asked. */
const MOST = 50

/** Enabled people who may approve, of all departments. */
const mayApprove = async (trx: Db) => {
  const all = everything(trx, 'whoever may approve is told, wherever he is')
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

/** Those of them in whose sight the newcomer is. */
const approversOf = async (trx: Db, deptId: number): Promise<number[]> => {
  const found: number[] = []
  for (const user of await mayApprove(trx)) {
    if (found.length === MOST) break
    const reach = await reachOfUser(trx, user.id, user.deptId)
    if (reach.super || reach.all || reach.depts.includes(deptId)) found.push(user.id)
  }
  return found
}

const noticeType = (trx: Db) =>
  trx
    .selectFrom('dictData')
    .select('value')
    .where('dictType', '=', 'system_notice_type')
    .where('enabled', '=', true)
    .orderBy('sort')
    .limit(1)
    .executeTakeFirst()

/** A notice to everybody who may approve the newcomer, in the transaction of his application. */
export const tellApprovers = async (trx: Db, newcomer: Row<'users'>): Promise<void> => {
  const userIds = await approversOf(trx, newcomer.deptId)
  const type = await noticeType(trx)
  if (userIds.length === 0 || !type) return
  // The name as it was stored holds no markup (its column allows none); the nickname does not appear.
  const content =
    `<p>用户 ${newcomer.username} 申请账号，请在“用户管理”中筛选“待审核”后处理。</p>` +
    `<p>${newcomer.username} asks for an account: see "Waiting for approval" among the users.</p>`
  const notice = await everything(trx, 'a notice of the system itself')
    .insertInto('notice')
    .values({
      deptId: newcomer.deptId,
      title: '新用户等待审核',
      type: type.value,
      content,
      target: 'USER',
      state: 'PUBLISHED',
      publishedAt: sql<Date>`now()`,
    })
    .returning(['id', 'target'])
    .executeTakeFirstOrThrow()
  await writeTarget(trx, notice.id, { target: 'USER', deptIds: [], userIds })
  await tell(trx, 'notice.published', notice)
}
