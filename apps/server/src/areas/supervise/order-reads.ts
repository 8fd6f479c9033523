import { codes } from '@tocsin/contract/codes'
import type { Page } from '@tocsin/contract/page'
import type { OrderBoardCell } from '@tocsin/contract/supervise/order-calls'
import type {
  SupervisionOrderDetail,
  SupervisionOrderQuery,
  SupervisionOrderRow,
} from '@tocsin/contract/supervise/order'
import { sql } from 'kysely'
import { listAttachments } from '#areas/files/attachment'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { LOG_OWNER, ORDER_OWNER } from './order-change.ts'
import { filterOrders, judgedColumns, light, selectOrder, sortOrders, toOrderRow, visibleOrders } from './order-rows.ts'

export const orderPage = async (
  db: Db,
  actor: Actor,
  query: SupervisionOrderQuery,
): Promise<Page<SupervisionOrderRow>> => {
  const { limit, offset } = toOffsetLimit(query)
  const found = filterOrders(visibleOrders(db, actor), actor, query)
  // Only the keys are sorted: the texts of 100,000 orders would not fit into the memory of a sort.
  const ids = sortOrders(found.select('superviseOrder.id'), query.orderBy).limit(limit).offset(offset)
  const ofPage = visibleOrders(db, actor).where('superviseOrder.id', 'in', ids)
  const [list, total] = await Promise.all([
    sortOrders(selectOrder(db, ofPage), query.orderBy).execute(),
    countCapped(db, found.select('superviseOrder.id')),
  ])
  return { list: list.map(toOrderRow), ...total }
}

const loadLog = async (db: Db, actor: Actor, orderId: number) => {
  const rows = await unscoped(db, 'the order is visible')
    .selectFrom('superviseOrderLog')
    .leftJoin('users', 'users.id', 'superviseOrderLog.userId')
    .selectAll('superviseOrderLog')
    .select(['users.nickname as userName', 'users.username as userAccount'])
    .where('orderId', '=', orderId)
    .orderBy('superviseOrderLog.id', 'desc')
    .execute()
  const attachmentsOf = await listAttachments(
    db,
    actor,
    LOG_OWNER,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, attachments: attachmentsOf(row.id) }))
}

type Linked = { transferredFrom: number | null; transferredTo: number | null }

/** The orders before and after it that the user sees: a passed on order leaves the sight of one of the departments. */
const linkVisible = async (db: Db, actor: Actor, { transferredFrom, transferredTo }: Linked): Promise<Linked> => {
  const ids = [transferredFrom, transferredTo].filter((id) => id !== null)
  if (ids.length === 0) return { transferredFrom, transferredTo }
  const found = await visibleOrders(db, actor)
    .select('superviseOrder.id')
    .where('superviseOrder.id', 'in', ids)
    .execute()
  const keep = (id: number | null) => (found.some((row) => row.id === id) ? id : null)
  return { transferredFrom: keep(transferredFrom), transferredTo: keep(transferredTo) }
}

export const getOrder = async (db: Db, actor: Actor, id: number): Promise<SupervisionOrderDetail> => {
  const row = await selectOrder(db, visibleOrders(db, actor).where('superviseOrder.id', '=', id))
    .select([
      ...judgedColumns(actor),
      sql<number | null>`(select n.id from supervise_order n where n.transferred_from = supervise_order.id)`.as(
        'transferredTo',
      ),
      sql<string[]>`array(select dept.name from dept
        where dept.id = any(supervise_order.assist_dept_ids) order by dept.id)`.as('assistNames'),
    ])
    .executeTakeFirst()
  if (!row) throw new BusinessError(codes.notFound, { what: '督办单' })
  const attachmentsOf = await listAttachments(db, actor, ORDER_OWNER, [id])
  const linked = await linkVisible(db, actor, row)
  return { ...toOrderRow(row), ...linked, attachments: attachmentsOf(id), log: await loadLog(db, actor, id) }
}

/** Open orders that the user sees, counted by the department above the responsible one, by state and light. */
export const orderBoard = (db: Db, actor: Actor): Promise<OrderBoardCell[]> =>
  visibleOrders(db, actor)
    .innerJoin('dept as responsible', 'responsible.id', 'superviseOrder.responsibleDeptId')
    .innerJoin('dept as district', (on) =>
      on.on(sql<boolean>`district.id = case
        when responsible.kind = 'SCHOOL' then coalesce(responsible.parent_id, responsible.id) else responsible.id end`),
    )
    .select([
      'district.id as deptId',
      'district.name as deptName',
      'superviseOrder.state',
      light.$castTo<OrderBoardCell['light']>().as('light'),
      sql<number>`count(*)::int`.as('count'),
    ])
    .where('superviseOrder.state', 'in', ['ISSUED', 'SIGNED', 'IN_PROGRESS', 'SUBMITTED', 'RETURNED'])
    .groupBy(['district.id', 'district.name', 'superviseOrder.state', light])
    .orderBy('district.name')
    .orderBy('district.id')
    .execute()
