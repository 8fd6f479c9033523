import { codes } from '@tocsin/contract/codes'
import { supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { SupervisionOrderDraft, type SupervisionOrderNew } from '@tocsin/contract/supervise/order'
import { sql } from 'kysely'
import type { z } from 'zod'
import {
  changedColumns,
  checkVersion,
  createStamp,
  fieldError,
  runEdit,
  toAuditState,
} from '#areas/audit/edit-transaction'
import { addAttachments, deleteAttachments, replaceAttachments } from '#areas/files/attachment'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import {
  auditOrder,
  emitOrderChanged,
  lockVisibleOrder,
  nextOrderNo,
  ORDER_OWNER,
  saveParties,
  updateOrder,
} from './order-change.ts'
import { checkAssist, resolveResponsible, resolveSubjectLabel } from './order-responsible.ts'

const dept = { code: codes.referred, params: { what: '部门' } }
const school = { code: codes.referred, params: { what: '学校' } }
registerConstraintErrors({
  supervise_order_open_key: { code: codes.orderOpenTwin, params: { no: '' } },
  supervise_order_issuer_dept_id_fkey: dept,
  supervise_order_responsible_dept_id_fkey: dept,
  supervise_order_school_id_fkey: school,
  supervise_party_dept_id_fkey: dept,
  supervise_party_school_id_fkey: school,
})

type Dates = Pick<SupervisionOrderDraft, 'dueAt'> & {
  signDueAt?: Date | null | undefined
  nodes?: readonly { dueAt: Date }[] | undefined
}

/** The dates of an order are consistent: it is received before it is due, and its milestones end with it. */
export const checkOrderDates = ({ dueAt, signDueAt, nodes = [] }: Dates): void => {
  if (signDueAt && signDueAt > dueAt) throw fieldError(SupervisionOrderDraft, 'signDueAt', 'tooBig', dueAt)
  if (nodes.some((node) => node.dueAt > dueAt)) throw fieldError(SupervisionOrderDraft, 'nodes', 'tooBig', dueAt)
}

const toStoredNodes = (nodes: readonly { name: string; dueAt: Date }[]) =>
  nodes.map(({ name, dueAt }) => ({ name, dueAt: dueAt.getTime(), doneAt: null }))

export const createOrder = (db: Db, draft: SupervisionOrderNew, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { attachments, nodes = [], subjectType = 'NONE', subjectId = null, ...given } = draft
    const { schoolId: _school, responsibleDeptId: _dept, responsibleUserId: _user, ...columns } = given
    checkOrderDates({ ...given, nodes })
    const responsible = await resolveResponsible(trx, caller.actor, given)
    await checkAssist(trx, caller.actor, given.assistDeptIds ?? [])
    const subjectLabel = await resolveSubjectLabel(trx, caller.actor, { subjectType, subjectId })
    const order = await trx
      .insertInto('superviseOrder')
      .values({
        ...columns,
        ...responsible,
        subjectType,
        subjectId,
        subjectLabel,
        no: await nextOrderNo(trx),
        issuerDeptId: caller.actor.deptId,
        nodes: sql`${JSON.stringify(toStoredNodes(nodes))}::jsonb`,
        ...createStamp(caller),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await saveParties(trx, order)
    await addAttachments(trx, { ownerType: ORDER_OWNER, ownerId: order.id, files: attachments, actor: caller.actor })
    await auditOrder(trx, caller, { action: supervisionOrders.create.permission, after: order })
    await emitOrderChanged(trx, order.id)
    return order.id
  })

const lockDraft = async (trx: Db, caller: Caller, { id, version }: { id: number; version?: number | undefined }) => {
  const {
    isIssuer,
    isResponsible: _side,
    isPastDue: _due,
    isExtensionPast: _extension,
    workerIds: _workers,
    ...order
  } = await lockVisibleOrder(trx, caller.actor, id)
  // A stale edit gets the current row, in any state.
  if (version !== undefined) await checkVersion(version, order, () => toAuditState(order))
  if (order.state !== 'DRAFT') throw new BusinessError(codes.orderState, { state: order.state })
  if (!isIssuer) throw new BusinessError(codes.orderNotIssuer)
  return order
}

type Edit = z.output<typeof supervisionOrders.update.body>

const named = ['schoolId', 'responsibleDeptId', 'responsibleUserId'] as const

export const updateDraft = (db: Db, edit: Edit, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockDraft(trx, caller, edit)
    const { attachments, nodes, ...changes } = changedColumns(edit)
    const draft = { ...before, ...changes }
    checkOrderDates({ ...draft, nodes: nodes ?? before.nodes.map(({ dueAt }) => ({ dueAt: new Date(dueAt) })) })
    // A new department without a school makes the department the assignee, and the other way round.
    const isMoved = named.some((field) => field in changes)
    const responsible = isMoved
      ? await resolveResponsible(trx, caller.actor, {
          ...draft,
          ...(changes.responsibleDeptId && { schoolId: changes.schoolId ?? null }),
        })
      : {}
    if (changes.assistDeptIds) await checkAssist(trx, caller.actor, changes.assistDeptIds)
    const subjectLabel = await resolveSubjectLabel(trx, caller.actor, draft)
    const after = await updateOrder(trx, caller, edit.id, {
      ...changes,
      ...responsible,
      subjectLabel,
      ...(nodes && { nodes: toStoredNodes(nodes) }),
    } as Parameters<typeof updateOrder>[3])
    if (attachments)
      await replaceAttachments(trx, {
        ownerType: ORDER_OWNER,
        ownerId: edit.id,
        files: attachments,
        actor: caller.actor,
      })
    await auditOrder(trx, caller, { action: supervisionOrders.update.permission, before, after })
    await emitOrderChanged(trx, edit.id)
    return true
  })

export const deleteDraft = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockDraft(trx, caller, { id })
    await emitOrderChanged(trx, id)
    await deleteAttachments(trx, { ownerType: ORDER_OWNER, ownerId: id })
    await trx.deleteFrom('superviseOrder').where('id', '=', id).execute()
    await auditOrder(trx, caller, { action: supervisionOrders.delete.permission, before })
    return true
  })
