import { codes } from '@tocsin/contract/codes'
import { MaintenanceAssignment } from '@tocsin/contract/device/maintenance'
import { maintenanceRule, type MaintenanceVerb, whyNotMaintenance } from '@tocsin/contract/device/maintenance-machine'
import type { AttachmentDraft } from '@tocsin/contract/files/attachment'
import { sql } from 'kysely'
import { checkVersion, fieldError, runEdit, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import { addAttachments } from '#areas/files/attachment'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Caller, hasPermission } from '#http/route'
import { recordChange } from './create-order.ts'
import { findAssignee, LOG_OWNER } from './order-reads.ts'

type Order = Row<'maintenanceOrder'>

/** The body of any verb; the contract states the fields per call. */
type VerbInput = {
  id: number
  version: number
  note?: string | null | undefined
  reason?: string
  result?: string
  parts?: string | null | undefined
  assigneeId?: number
  dueAt?: Date | null | undefined
  attachments?: readonly AttachmentDraft[] | undefined
}

export const lockOrder = async (trx: Db, { actor }: Caller, { id, version }: VerbInput): Promise<Order> => {
  const order = await scoped(trx, actor)
    .selectFrom('maintenanceOrder')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!order) throw new BusinessError(codes.notFound, { what: '维修工单' })
  await checkVersion(version, order, () => toAuditState(order))
  return order
}

type Assignee = { id: number; name: string } | undefined

/** Columns that a verb writes beside the state. */
const columnsFor = (
  verb: MaintenanceVerb,
  input: VerbInput,
  {
    order,
    assignee,
    userId,
  }: {
    order: Order
    assignee: Assignee
    userId: number
  },
) => {
  switch (verb) {
    case 'assign':
      return { assigneeId: assignee?.id ?? null, ...(input.dueAt && { dueAt: input.dueAt }) }
    case 'finish':
      return {
        result: input.result ?? null,
        // What an exchange wrote stays, unless the person changes it.
        parts: input.parts === undefined ? order.parts : input.parts || null,
        finishedBy: userId,
        finishedAt: sql<Date>`now()`,
      }
    case 'verify':
      return { verifiedBy: userId, verifiedAt: sql<Date>`now()` }
    case 'reopen':
      return {
        finishedBy: null,
        finishedAt: null,
        verifiedBy: null,
        verifiedAt: null,
        reopenCount: order.reopenCount + 1,
      }
    default:
      return {}
  }
}

const loadAssignee = async (trx: Db, caller: Caller, verb: MaintenanceVerb, input: VerbInput): Promise<Assignee> => {
  if (verb !== 'assign' || input.assigneeId === undefined) return undefined
  const assignee = await findAssignee(trx, caller.actor, input.assigneeId)
  if (!assignee) throw fieldError(MaintenanceAssignment, 'assigneeId', 'choice')
  return assignee
}

/** The audit labels use `verify` for alarms; accepting work is `accept`. */
const auditAction = (verb: MaintenanceVerb): string => (verb === 'verify' ? 'accept' : verb)

/** Applies a verb to an order by the state machine, with a log entry, in one transaction. */
export const applyOrderVerb = (db: Db, caller: Caller, verb: MaintenanceVerb, input: VerbInput): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockOrder(trx, caller, input)
    const { userId } = caller.actor
    const why = whyNotMaintenance(verb, before, { userId, hasPermission: hasPermission(caller.actor) })
    if (why) throw new BusinessError(why, { state: before.state })
    const assignee = await loadAssignee(trx, caller, verb, input)
    const { to } = maintenanceRule(verb)
    const orders = unscoped(trx, 'the order was locked within the visibility of the caller')
    const after = await orders
      .updateTable('maintenanceOrder')
      .set({
        ...columnsFor(verb, input, { order: before, assignee, userId }),
        state: to === 'same' ? before.state : to,
        ...updateStamp(caller),
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const entry = await trx
      .insertInto('maintenanceLog')
      .values({
        orderId: before.id,
        userId,
        verb,
        fromState: before.state,
        toState: after.state,
        assigneeName: assignee?.name ?? null,
        note: input.result ?? input.reason ?? input.note ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addAttachments(trx, {
      ownerType: LOG_OWNER,
      ownerId: entry.id,
      files: input.attachments,
      actor: caller.actor,
    })
    await recordChange(trx, caller, { action: auditAction(verb), before, after })
    return true
  })
