import { codes } from '@tocsin/contract/codes'
import {
  dueHours,
  MaintenanceDraft,
  type MaintenanceCause,
  type MaintenancePriority,
} from '@tocsin/contract/device/maintenance'
import { MAINTENANCE_ASSIGN } from '@tocsin/contract/device/maintenance-machine'
import { zone } from '@tocsin/contract/time-zone'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { fieldError, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import { addAttachments } from '#areas/files/attachment'
import { loadPlacePaths } from '#areas/school/place'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Caller, hasPermission } from '#http/route'
import { findAssignee, LOG_OWNER } from './order-reads.ts'

registerConstraintErrors({
  maintenance_order_open_key: { code: codes.maintenanceOpen, params: { no: '' } },
  maintenance_order_school_id_fkey: { code: codes.referred, params: { what: '学校' } },
  maintenance_order_device_id_fkey: { code: codes.referred, params: { what: '设备' } },
  maintenance_order_dept_id_fkey: { code: codes.referred, params: { what: '部门' } },
})

type Order = Row<'maintenanceOrder'>

const unscopedDb = (trx: Db) => unscoped(trx, 'an order or a device that was read within the visibility of the caller')

/** Null: the server itself. */
type Originator = Caller | null

export const recordChange = async (
  trx: Db,
  originator: Originator,
  { action, before, after }: { action: string; before?: Order; after: Order },
): Promise<void> => {
  const { id: ref, schoolId, deptId } = after
  await emitEvents(trx, { type: 'maintenance.changed', ref, schoolId, deptId })
  await writeAudit(trx, {
    actor: originator?.actor ?? null,
    origin: originator?.origin ?? null,
    action: `device:maintenance:${action}`,
    subject: 'maintenance_order',
    subjectId: after.id,
    before: before ? toAuditState(before) : null,
    after: toAuditState(after),
  })
}

export const nextMaintenanceNo = async (trx: Db): Promise<string> => {
  const { rows } = await sql<{ day: string; count: number }>`
    select nextval('maintenance_order_no_seq') as count, to_char(now() at time zone ${zone.name}, 'YYYYMMDD') as day`.execute(
    trx,
  )
  const [row] = rows
  if (!row) throw new Error('a sequence answers one row')
  return `WX${row.day}${String(row.count).padStart(4, '0')}`
}

type NewOrder = {
  device: { id: number; schoolId: number | null; deptId: number }
  cause: MaintenanceCause
  priority: MaintenancePriority
  description: string | null
  assignee?: { id: number; name: string } | undefined
  dueAt?: Date | null | undefined
}

/**
 * Opens an order with its first log entry. @returns undefined when the device has an open one for this cause: decided
 * by the index, so two concurrent calls open one.
 */
export const insertOrder = async (
  trx: Db,
  originator: Originator,
  { device, cause, priority, description, assignee, dueAt }: NewOrder,
): Promise<{ order: Order; logId: number } | undefined> => {
  const installation = await unscopedDb(trx)
    .selectFrom('schoolDevice')
    .select(['id', 'placeId'])
    .where('deviceId', '=', device.id)
    .where('validTo', 'is', null)
    .executeTakeFirst()
  const paths = await loadPlacePaths(unscopedDb(trx), installation ? [installation.placeId] : [])
  const userId = originator?.actor.userId ?? null
  const order = await unscopedDb(trx)
    .insertInto('maintenanceOrder')
    .values({
      no: await nextMaintenanceNo(trx),
      deviceId: device.id,
      schoolDeviceId: installation?.id ?? null,
      schoolId: device.schoolId,
      deptId: device.deptId,
      placePath: installation ? (paths.get(installation.placeId) ?? null) : null,
      cause,
      priority,
      description,
      state: assignee ? 'ASSIGNED' : 'OPEN',
      assigneeId: assignee?.id ?? null,
      dueAt: dueAt ?? sql<Date>`now() + make_interval(hours => ${dueHours[priority]})`,
      creator: userId,
      updater: userId,
    })
    .onConflict((conflict) =>
      conflict.columns(['deviceId', 'cause']).where('state', 'not in', ['VERIFIED', 'CANCELLED']).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (!order) return undefined
  const entry = await trx
    .insertInto('maintenanceLog')
    .values({
      orderId: order.id,
      userId,
      verb: 'create',
      toState: order.state,
      assigneeName: assignee?.name ?? null,
      note: description,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordChange(trx, originator, { action: 'create', after: order })
  return { order, logId: entry.id }
}

const openOrderNo = async (trx: Db, deviceId: number, cause: MaintenanceCause): Promise<string> => {
  const found = await unscopedDb(trx)
    .selectFrom('maintenanceOrder')
    .select('no')
    .where('deviceId', '=', deviceId)
    .where('cause', '=', cause)
    .where('state', 'not in', ['VERIFIED', 'CANCELLED'])
    .executeTakeFirst()
  return found?.no ?? ''
}

/** Opens an order by hand; a caller with the right to assign can name the assignee at once. */
export const createOrder = (db: Db, draft: MaintenanceDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { deviceId, cause, priority, description, dueAt, assigneeId, attachments } = draft
    const device = await scoped(trx, caller.actor)
      .selectFrom('device')
      .select(['id', 'schoolId', 'deptId'])
      .where('id', '=', deviceId)
      .executeTakeFirst()
    if (!device) throw new BusinessError(codes.notFound, { what: '设备' })
    if (assigneeId && !hasPermission(caller.actor)(MAINTENANCE_ASSIGN)) throw new BusinessError(codes.forbidden)
    const assignee = assigneeId ? await findAssignee(trx, caller.actor, assigneeId) : undefined
    if (assigneeId && !assignee) throw fieldError(MaintenanceDraft, 'assigneeId', 'choice')
    const created = await insertOrder(trx, caller, { device, cause, priority, description, dueAt, assignee })
    if (!created) throw new BusinessError(codes.maintenanceOpen, { no: await openOrderNo(trx, deviceId, cause) })
    await addAttachments(trx, { ownerType: LOG_OWNER, ownerId: created.logId, files: attachments, actor: caller.actor })
    return created.order.id
  })
