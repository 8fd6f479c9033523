import { sql } from 'kysely'
import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { StoredOrder } from './order-rows.ts'

/** With more receivers nobody would feel responsible. */
const MAX_RECIPIENTS = 50

/** Enabled users of a department or below it with a permission by an enabled role. */
const peopleWith = async (trx: Db, deptId: number, permission: string): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from dept where id = ${deptId} union select d.id from dept d join below on d.parent_id = below.id
    )
    select u.id from users u
    where u.enabled and u.dept_id in (select id from below) and exists (
      select from user_role ur
      join role r on r.id = ur.role_id and r.enabled
      left join role_menu rm on rm.role_id = r.id
      left join menu m on m.id = rm.menu_id and m.enabled
      where ur.user_id = u.id and (m.permission = ${permission} or r.code = 'super_admin' and r.built_in))
    order by u.id limit ${MAX_RECIPIENTS}`.execute(unscoped(trx, 'who must act on an order is told of it'))
  return rows.map(({ id }) => id)
}

export type NoticeSide = 'responsible' | 'issuer' | 'upward'

const deptAbove = async (trx: Db, deptId: number): Promise<number> => {
  const row = await trx.selectFrom('dept').select('parentId').where('id', '=', deptId).executeTakeFirst()
  return row?.parentId ?? deptId
}

const recipientsOf = async (trx: Db, order: StoredOrder, audience: NoticeSide): Promise<number[]> => {
  if (audience === 'responsible')
    return order.responsibleUserId === null
      ? peopleWith(trx, order.responsibleDeptId, 'supervise:order:sign')
      : [order.responsibleUserId]
  if (audience === 'issuer')
    return order.issuerId === null ? peopleWith(trx, order.issuerDeptId, 'supervise:order:issue') : [order.issuerId]
  return peopleWith(trx, await deptAbove(trx, order.issuerDeptId), 'supervise:order:conclude')
}

type Text = { zh: string; en: string }

/** Notifies the sides of an order of an action or a due date, in the same transaction. */
export const notifyOrder = async (
  trx: Db,
  order: StoredOrder,
  audiences: readonly NoticeSide[],
  { zh, en }: Text,
): Promise<void> => {
  const userIds = new Set<number>()
  for (const audience of audiences) for (const id of await recipientsOf(trx, order, audience)) userIds.add(id)
  if (userIds.size === 0) return
  const title = escapeHtml(order.title)
  await publishSystemNotice(
    trx,
    { deptId: order.issuerDeptId },
    {
      title: `${zh}：${order.no}`,
      content: `<p>${zh}：${order.no} ${title}</p><p>${en}: ${order.no} ${title}</p>`,
      publisherName: null,
      userIds: [...userIds],
    },
  )
}
