import type { Lang } from '@tocsin/contract/field'
import { orderTextIn } from '@tocsin/contract/supervise/order-evidence'
import { sql } from 'kysely'
import { escapeHtml } from '#areas/files/export/job'
import { publishSystemNotice } from '#areas/notices/system-notice'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { StoredOrder } from './order-rows.ts'

/** With more receivers nobody would feel responsible. */
const MAX_RECIPIENTS = 50
const QUERY = 'supervise:order:query'

const holds = (permission: string) => sql`exists (
  select from user_role ur
  join role r on r.id = ur.role_id and r.enabled
  left join role_menu rm on rm.role_id = r.id
  left join menu m on m.id = rm.menu_id and m.enabled
  where ur.user_id = u.id and (m.permission = ${permission} or r.code = 'super_admin' and r.built_in))`

type Candidates = { userId: number } | { deptId: number; permission: string }

/**
 * Those of the candidates who may open the order: an enabled person, or the people of a department itself with a
 * permission. SQL decides the visibility of users who are not signed in (DESIGN 5); the number and the title of an
 * order reach nobody else.
 */
const listReaders = async (trx: Db, { id }: StoredOrder, of: Candidates): Promise<number[]> => {
  const isCandidate =
    'userId' in of ? sql`u.id = ${of.userId}` : sql`u.dept_id = ${of.deptId} and ${holds(of.permission)}`
  const { rows } = await sql<{ id: number }>`
    with recursive at as (
      select p.dept_id as id from supervise_party p where p.order_id = ${id} and p.dept_id is not null
      union
      select place.dept_id from supervise_party p join school s on s.id = p.school_id
      cross join lateral (values (s.dept_id), (s.police_dept_id)) as place (dept_id)
      where p.order_id = ${id} and place.dept_id is not null
    ), above as (
      select d.id, d.parent_id from dept d join at on at.id = d.id
      union select d.id, d.parent_id from dept d join above on above.parent_id = d.id
    )
    select u.id from users u
    where u.enabled and not u.pending and ${isCandidate} and ${holds(QUERY)} and (
      exists (select from supervise_party p where p.order_id = ${id} and p.user_id = u.id)
      or exists (
        select from user_role ur join role ro on ro.id = ur.role_id and ro.enabled
        where ur.user_id = u.id and (
          ro.data_scope = 'ALL'
          or ro.data_scope in ('DEPT', 'CUSTOM') and u.dept_id in (select id from at)
          or ro.data_scope = 'DEPT_AND_CHILD' and u.dept_id in (select id from above)
          or ro.data_scope = 'CUSTOM' and exists (
            select from role_dept rd where rd.role_id = ro.id and rd.dept_id in (select id from at)))))
    order by u.id limit ${MAX_RECIPIENTS}`.execute(unscoped(trx, 'who must act on an order is told of it'))
  return rows.map((row) => row.id)
}

export type NoticeSide = 'responsible' | 'issuer' | 'upward'

/** The named person; without one, or when the person can no longer open it, the people of the department itself. */
const listSide = async (
  trx: Db,
  order: StoredOrder,
  { userId, ...dept }: { userId: number | null; deptId: number; permission: string },
): Promise<number[]> => {
  const named = userId === null ? [] : await listReaders(trx, order, { userId })
  return named.length > 0 ? named : listReaders(trx, order, dept)
}

/** Departments above one, the nearest first. */
const listDeptsAbove = async (trx: Db, deptId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with recursive up as (
      select id, parent_id, 0 as depth from dept where id = ${deptId}
      union all select d.id, d.parent_id, up.depth + 1 from dept d join up on d.id = up.parent_id
    ) select id from up where depth > 0 order by depth`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Who may conclude it in the superior department itself; in the next one above it when there is nobody. */
const listSuperiors = async (trx: Db, order: StoredOrder): Promise<number[]> => {
  const above = await listDeptsAbove(trx, order.issuerDeptId)
  // Above the highest department is nobody: its own people remain.
  for (const deptId of [...above, order.issuerDeptId]) {
    const found = await listReaders(trx, order, { deptId, permission: 'supervise:order:conclude' })
    if (found.length > 0) return found
  }
  return []
}

const recipientsOf = (trx: Db, order: StoredOrder, side: NoticeSide): Promise<number[]> => {
  const { responsibleUserId, responsibleDeptId, issuerId, issuerDeptId } = order
  if (side === 'upward') return listSuperiors(trx, order)
  return side === 'responsible'
    ? listSide(trx, order, {
        userId: responsibleUserId,
        deptId: responsibleDeptId,
        permission: 'supervise:order:sign',
      })
    : listSide(trx, order, { userId: issuerId, deptId: issuerDeptId, permission: 'supervise:order:issue' })
}

type Text = { zh: string; en: string }

/** Notifies the sides of an order of an action or a due date, in the same transaction. */
export const notifyOrder = async (
  trx: Db,
  order: StoredOrder,
  sides: readonly NoticeSide[],
  { zh, en }: Text,
): Promise<void> => {
  const userIds = new Set<number>()
  for (const side of sides) for (const id of await recipientsOf(trx, order, side)) userIds.add(id)
  if (userIds.size === 0) return
  const titleIn = (lang: Lang) => escapeHtml(orderTextIn(order, lang).title)
  await publishSystemNotice(
    trx,
    { deptId: order.issuerDeptId },
    {
      title: `${zh}：${order.no}`,
      content: `<p>${zh}：${order.no} ${titleIn('zh-cn')}</p><p>${en}: ${order.no} ${titleIn('en')}</p>`,
      publisherName: null,
      userIds: [...userIds],
    },
  )
}
