import { openOrderStates } from '@tocsin/contract/supervise/order-machine'
import type {
  OrderLight,
  OrderNode,
  SupervisionOrderQuery,
  SupervisionOrderRow,
} from '@tocsin/contract/supervise/order'
import type { OrderEvidence } from '@tocsin/contract/supervise/order-evidence'
import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import type { Db, UnscopedDb } from '#db/db'
import { likePattern } from '#db/keyword-search'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import type { AllTables, Row } from '#db/tables'
import type { Actor } from '#http/route'

export type StoredOrder = Row<'superviseOrder'>

const isOpen = sql<SqlBool>`supervise_order.state in (${sql.join([...openOrderStates].map((state) => sql.lit(state)))})`

const span = sql`(supervise_order.due_at - coalesce(supervise_order.issued_at, supervise_order.create_time))`

/** The light turns yellow with a fifth of the time left, at an order of some days at least three days before. */
export const yellowAt = sql<Date>`(supervise_order.due_at - case
  when ${span} >= interval '6 days' then greatest(${span} * 0.2, interval '3 days') else ${span} * 0.2 end)`

/** Work submitted in time stays in time during its review. */
const judgedAt = sql`case when supervise_order.state = 'SUBMITTED' then supervise_order.submitted_at else now() end`

export const isPastDue = sql<boolean>`(${judgedAt} > supervise_order.due_at)`

export const light = sql<OrderLight | null>`case when not ${isOpen} then null
  when ${judgedAt} > supervise_order.due_at then 'RED'
  when ${judgedAt} >= ${yellowAt} then 'YELLOW' else 'GREEN' end`

const lightOrder = sql`case ${light} when 'RED' then 0 when 'YELLOW' then 1 when 'GREEN' then 2 else 3 end`

/** The columns by which `whyNotOrder` judges time and people, for this user. */
export const judgedColumns = (actor: Actor) =>
  [
    isIssuerSide(actor).as('isIssuer'),
    isResponsibleSide(actor).as('isResponsible'),
    sql<boolean>`now() > supervise_order.due_at`.as('isPastDue'),
    sql<boolean>`coalesce(now() > supervise_order.extension_to, false)`.as('isExtensionPast'),
    workerIds.as('workerIds'),
  ] as const

/** A department and all above it. */
const upFrom = (deptId: number) => sql`(
  with recursive up as (
    select id, parent_id from dept where id = ${deptId}
    union select d.id, d.parent_id from dept d join up on d.id = up.parent_id
  ) select id from up)`

const below = (deptId: number) => sql`(
  with recursive below as (
    select id from dept where id = ${deptId} union select d.id from dept d join below on d.parent_id = below.id
  ) select id from below)`

/** The user is the assignee, or of the assigned department or below it. */
export const isResponsibleSide = ({ userId, deptId }: Actor) => sql<boolean>`coalesce(
  supervise_order.responsible_user_id = ${userId} or supervise_order.responsible_dept_id in ${upFrom(deptId)}, false)`

/** Who worked on it for the responsible side: they do not judge it, also when another person submitted it. */
export const workerIds = sql<number[]>`array(
  select distinct l.user_id from supervise_order_log l
  where l.order_id = supervise_order.id and l.user_id is not null
    and l.verb in ('sign', 'progress', 'submit', 'requestExtension'))`

/**
 * The user issued it, or is of the issuing department or above it. A user who sees everything is limited to the own
 * department here.
 */
export const isIssuerSide = ({ userId, deptId, depts }: Actor) => {
  const ofDept =
    depts === 'all'
      ? sql`supervise_order.issuer_dept_id = ${deptId}`
      : sql`supervise_order.issuer_dept_id in ${below(deptId)}`
  return sql<boolean>`coalesce(supervise_order.issuer_id = ${userId} or ${ofDept}, false)`
}

/** Orders of which the user sees a party. */
export const visibleOrders = (db: Db, actor: Actor) => {
  const seen = scoped(db, actor)
  return seen
    .selectFrom('superviseOrder')
    .where('superviseOrder.id', 'in', seen.selectFrom('superviseParty').select('superviseParty.orderId'))
}

type Found = ReturnType<typeof visibleOrders>

const byView = (actor: Actor, view: NonNullable<SupervisionOrderQuery['view']>) =>
  ({
    MINE: sql<SqlBool>`(supervise_order.state <> 'DRAFT' and ${isResponsibleSide(actor)})`,
    ISSUED: sql<SqlBool>`(supervise_order.issuer_id = ${actor.userId} or supervise_order.creator = ${actor.userId})`,
    DUE_SOON: sql<SqlBool>`${light} = 'YELLOW'`,
    OVERDUE: sql<SqlBool>`${light} = 'RED'`,
    TO_REVIEW: sql<SqlBool>`((supervise_order.state = 'SUBMITTED' or supervise_order.extension_state = 'REQUESTED')
      and ${isOpen} and ${isIssuerSide(actor)})`,
  })[view]

export const filterOrders = (found: Found, actor: Actor, query: SupervisionOrderQuery): Found => {
  const { keyword, view, light: lights, kind, state, schoolId, responsibleDeptId, districtId, dueFrom, dueTo } = query
  const text = likePattern(keyword ?? '')
  return found
    .$if(!!keyword, (q) =>
      q.where((eb) => eb.or([eb('superviseOrder.no', 'ilike', text), eb('superviseOrder.title', 'ilike', text)])),
    )
    .$if(view !== undefined, (q) => q.where(byView(actor, view ?? 'MINE')))
    .$if(!!lights?.length, (q) => q.where(sql<SqlBool>`${light} = any(${lights ?? []})`))
    .$if(!!kind?.length, (q) => q.where('superviseOrder.kind', 'in', kind ?? []))
    .$if(!!state?.length, (q) => q.where('superviseOrder.state', 'in', state ?? []))
    .$if(schoolId !== undefined, (q) => q.where('superviseOrder.schoolId', '=', schoolId ?? 0))
    .$if(responsibleDeptId !== undefined, (q) =>
      q.where('superviseOrder.responsibleDeptId', '=', responsibleDeptId ?? 0),
    )
    .$if(districtId !== undefined, (q) =>
      q.where(sql<SqlBool>`supervise_order.responsible_dept_id in ${below(districtId ?? 0)}`),
    )
    .$if(!!dueFrom, (q) => q.where('superviseOrder.dueAt', '>=', dueFrom ?? new Date()))
    .$if(!!dueTo, (q) => q.where('superviseOrder.dueAt', '<=', dueTo ?? new Date()))
}

/** The subquery has no limit of its own: the handle proves that its caller stated why. */
const userName = (_all: UnscopedDb, column: 'issuer_id' | 'responsible_user_id') =>
  sql<string | null>`(select users.nickname from users where users.id = supervise_order.${sql.raw(column)})`
const deptName = (column: 'issuer_dept_id' | 'responsible_dept_id') =>
  sql<string>`(select dept.name from dept where dept.id = supervise_order.${sql.raw(column)})`

export const selectOrder = (db: Db, found: Found) => {
  const all = unscoped(db, 'names of people on orders that the caller sees')
  return found
    .selectAll('superviseOrder')
    .select([
      light.as('light'),
      deptName('issuer_dept_id').as('issuerDeptName'),
      deptName('responsible_dept_id').as('responsibleName'),
      userName(all, 'issuer_id').as('issuerName'),
      userName(all, 'responsible_user_id').as('responsibleUserName'),
    ])
}

const order: ListOrder<SupervisionOrderQuery> = {
  columns: {
    no: { by: sql`supervise_order.no` },
    responsibleName: { by: deptName('responsible_dept_id') },
    dueAt: { by: sql`supervise_order.due_at` },
    remaining: {
      by: sql`case when ${isOpen} and supervise_order.state <> 'SUBMITTED' then supervise_order.due_at end`,
      nullable: true,
    },
  },
  usual: sql`${lightOrder}, supervise_order.due_at, supervise_order.id desc`,
  id: sql`supervise_order.id`,
}

/** As chosen; else overdue first, then due soon, then by due date; ended ones last. */
export const sortOrders = <O>(
  found: SelectQueryBuilder<AllTables, 'superviseOrder', O>,
  orderBy: SupervisionOrderQuery['orderBy'],
) => found.orderBy(toOrderBy(orderBy, order))

export const toNodes = (nodes: StoredOrder['nodes']): OrderNode[] =>
  nodes.map(({ name, dueAt, doneAt }) => ({
    name,
    dueAt: new Date(dueAt),
    doneAt: doneAt === null ? null : new Date(doneAt),
  }))

const toInstant = (at: number | null): Date | null => (at === null ? null : new Date(at))

const toEvidence = (stored: StoredOrder['evidence']): OrderEvidence | null =>
  stored && { ...stored, since: toInstant(stored.since), until: toInstant(stored.until) }

type Stored = Pick<StoredOrder, 'nodes' | 'evidence'>

export const toOrderRow = <R extends Stored>({ nodes, evidence, ...row }: R) => ({
  ...row,
  nodes: toNodes(nodes),
  evidence: toEvidence(evidence),
})

export type StoredOrderRow = Omit<SupervisionOrderRow, keyof Stored> & Stored
