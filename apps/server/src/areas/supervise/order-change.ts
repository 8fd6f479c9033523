import { codes } from '@tocsin/contract/codes'
import type { AttachmentDraft } from '@tocsin/contract/files/attachment'
import type { OrderLogVerb } from '@tocsin/contract/supervise/order'
import { type OrderPerson, type OrderVerb, orderRule, whyNotOrder } from '@tocsin/contract/supervise/order-machine'
import { MAX_EXTENSIONS } from '@tocsin/contract/supervise/order-machine'
import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { checkVersion, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import { addAttachments } from '#areas/files/attachment'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { judgedColumns, type StoredOrder, visibleOrders } from './order-rows.ts'

export const LOG_OWNER = 'supervise_order_log'
export const ORDER_OWNER = 'supervise_order'

/** Null: the system. */
type Acting = Caller | null

/** Screens of all sides refetch the order. */
export const emitOrderChanged = async (trx: Db, orderId: number): Promise<void> => {
  const parties = await unscoped(trx, 'an event goes to all parties')
    .selectFrom('superviseParty')
    .select(['deptId', 'schoolId', 'userId'])
    .where('orderId', '=', orderId)
    .execute()
  await emitEvents(trx, ...parties.map((party) => ({ type: 'order.changed' as const, ref: orderId, ...party })))
}

export const auditOrder = (
  trx: Db,
  acting: Acting,
  { action, before, after }: { action: string; before?: StoredOrder; after?: StoredOrder },
): Promise<void> =>
  writeAudit(trx, {
    actor: acting?.actor ?? null,
    origin: acting?.origin ?? null,
    action,
    subject: 'supervise_order',
    subjectId: (after ?? before)?.id ?? 0,
    before: before ? toAuditState(before) : null,
    after: after ? toAuditState(after) : null,
  })

type LogEntry = {
  verb: OrderLogVerb
  text?: string | null | undefined
  attachments?: readonly AttachmentDraft[] | undefined
}

export const writeOrderLog = async (
  trx: Db,
  acting: Acting,
  { id, state }: Pick<StoredOrder, 'id' | 'state'>,
  { verb, text = null, attachments }: LogEntry,
): Promise<void> => {
  const { id: ownerId } = await trx
    .insertInto('superviseOrderLog')
    .values({ orderId: id, userId: acting?.actor.userId ?? null, verb, toState: state, text })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (acting) await addAttachments(trx, { ownerType: LOG_OWNER, ownerId, files: attachments, actor: acting.actor })
}

export const lockVisibleOrder = async (trx: Db, actor: Actor, id: number) => {
  const order = await visibleOrders(trx, actor)
    .selectAll('superviseOrder')
    .select(judgedColumns(actor))
    .where('superviseOrder.id', '=', id)
    .forNoKeyUpdate('superviseOrder')
    .executeTakeFirst()
  if (!order) throw new BusinessError(codes.notFound, { what: '督办单' })
  return order
}

export const updateOrder = (trx: Db, acting: Acting, id: number, set: Partial<StoredOrder>): Promise<StoredOrder> =>
  trx
    .updateTable('superviseOrder')
    .set({
      ...set,
      // The driver would write a list as an SQL array; the column is one JSON value.
      ...(set.nodes && { nodes: sql<typeof set.nodes>`${JSON.stringify(set.nodes)}::jsonb` }),
      version: sql<number>`version + 1`,
      updateTime: sql<Date>`now()`,
      updater: acting?.actor.userId ?? null,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

type Part = {
  part: 'ISSUER' | 'RESPONSIBLE' | 'ASSIST'
  deptId?: number
  schoolId?: number | null
  userId?: number | null
}

/** Departments that see the order from now on; of a draft only the issuing side. */
export const saveParties = async (trx: Db, order: StoredOrder): Promise<void> => {
  const parties: Part[] = [{ part: 'ISSUER', deptId: order.issuerDeptId, userId: order.issuerId ?? order.creator }]
  if (order.state !== 'DRAFT')
    parties.push(
      {
        part: 'RESPONSIBLE',
        deptId: order.responsibleDeptId,
        schoolId: order.schoolId,
        userId: order.responsibleUserId,
      },
      ...[...new Set(order.assistDeptIds)].map((deptId) => ({ part: 'ASSIST' as const, deptId })),
    )
  const all = unscoped(trx, 'the parties of an order that was checked')
  await all.deleteFrom('superviseParty').where('orderId', '=', order.id).execute()
  await all
    .insertInto('superviseParty')
    .values(parties.map((party) => ({ orderId: order.id, ...party })))
    .execute()
}

export const nextOrderNo = async (trx: Db): Promise<string> => {
  const { rows } = await sql<{ day: string; count: number }>`
    insert into daily_number (kind, day, count)
    values ('DB', (now() at time zone ${zone.name})::date, 1)
    on conflict (kind, day) do update set count = daily_number.count + 1
    returning to_char(day, 'YYYYMMDD') as day, count`.execute(trx)
  const { day = '', count = 0 } = rows[0] ?? {}
  return `DB${day}-${String(count).padStart(4, '0')}`
}

type One = { id: number; version: number }
type Locked = Awaited<ReturnType<typeof lockVisibleOrder>>
type Effect = {
  set?: Partial<StoredOrder>
  text?: string | null | undefined
  attachments?: readonly AttachmentDraft[] | undefined
}
type Scene = { trx: Db; order: Locked; person: OrderPerson }

/** Locks a visible order and rejects verbs that the machine does not allow the caller now. */
const openScene = async (trx: Db, caller: Caller, verb: OrderVerb, { id, version }: One): Promise<Scene> => {
  const order = await lockVisibleOrder(trx, caller.actor, id)
  const { isIssuer, isResponsible } = order
  const person = { userId: caller.actor.userId, isIssuer, isResponsible }
  await checkVersion(version, order, () => toAuditState(order))
  const why = whyNotOrder(verb, order, person)
  if (why) throw new BusinessError(why, { state: order.state, count: MAX_EXTENSIONS })
  return { trx, order, person }
}

type Act = { db: Db; who: Caller; verb: OrderVerb; one: One }

/**
 * Applies one verb of the machine to an order: state, log, audit and event in one transaction. `effect` returns further
 * changes; `after` runs afterwards.
 */
export const runOrderVerb = <const T = true>(
  { db, who, verb, one }: Act,
  effect: (scene: Scene) => Promise<Effect> | Effect,
  after?: (trx: Db, order: StoredOrder) => Promise<T>,
): Promise<T> =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => {
    const scene = await openScene(trx, who, verb, one)
    const {
      isIssuer: _issuer,
      isResponsible: _responsible,
      isPastDue: _due,
      isExtensionPast: _extension,
      workerIds: _workers,
      ...before
    } = scene.order
    const { set = {}, ...entry } = await effect(scene)
    const { to, permission } = orderRule(verb)
    const order = await updateOrder(trx, who, one.id, { ...set, ...(to !== 'same' && { state: to }) })
    await saveParties(trx, order)
    await writeOrderLog(trx, who, order, { verb, ...entry })
    await auditOrder(trx, who, { action: permission, before, after: order })
    const result = await after?.(trx, order)
    await emitOrderChanged(trx, one.id)
    // Without `after` the answer is true, which T is then.
    return result ?? (true as T)
  })
