import { codes } from '@tocsin/contract/codes'
import { type LifecycleVerb, lifecycleRule, whyNotTransition } from '@tocsin/contract/device/lifecycle'
import { sql } from 'kysely'
import { writeAudit } from '#areas/audit/audit'
import { checkVersion, toAuditState, updateStamp } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'

/** A locked device, and its installation. */
export type LockedDevice = { device: Row<'device'>; installation: Row<'schoolDevice'> | undefined }
/** Null: the system, when a suspension ends. */
export type ActingCaller = Caller | null

const openInstallation = (trx: Db, deviceId: number) =>
  unscoped(trx, 'the device was locked in the visibility of the caller')
    .selectFrom('schoolDevice')
    .selectAll()
    .where('deviceId', '=', deviceId)
    .where('validTo', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Locks a visible device, then its installation. A press does not wait for these locks. */
export const lockDevice = async (trx: Db, actor: Actor, id: number): Promise<LockedDevice> => {
  const device = await scoped(trx, actor)
    .selectFrom('device')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!device) throw new BusinessError(codes.notFound, { what: '设备' })
  return { device, installation: await openInstallation(trx, id) }
}

/** The same for the system. @returns undefined when it was deleted. */
export const lockDeviceForSystem = async (trx: Db, id: number): Promise<LockedDevice | undefined> => {
  const device = await unscoped(trx, 'a timer acts for nobody in particular')
    .selectFrom('device')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return device && { device, installation: await openInstallation(trx, id) }
}

export const checkDeviceVersion = (version: number | undefined, device: Row<'device'>): Promise<void> =>
  checkVersion(version, device, () => toAuditState(device))

type Change = Partial<Pick<Row<'device'>, 'schoolId' | 'gatewayId' | 'suspendedUntil'>>
type Step = { verb: LifecycleVerb; reason?: string | undefined; set?: Change | undefined }

const stamp = (caller: ActingCaller) =>
  caller ? updateStamp(caller) : { version: sql<number>`version + 1`, updateTime: sql<Date>`now()`, updater: null }

/** Events about a device reach users who see its school before or after the change, or its department. */
export const emitDeviceChanged = (trx: Db, device: Row<'device'>, before?: Row<'device'>): Promise<void> => {
  const { id: ref, deptId } = device
  const schools = [...new Set([device.schoolId, before ? before.schoolId : device.schoolId])]
  return emitEvents(trx, ...schools.map((schoolId) => ({ type: 'device.changed' as const, ref, schoolId, deptId })))
}

type DeviceChange = { action: string; before?: Row<'device'>; after: Row<'device'> }

export const deviceAudit = (caller: ActingCaller, { action, before, after }: DeviceChange) => ({
  actor: caller?.actor ?? null,
  origin: caller?.origin ?? null,
  action,
  subject: 'device',
  subjectId: after.id,
  before: before ? toAuditState(before) : null,
  after: toAuditState(after),
})

export const auditDevice = (trx: Db, caller: ActingCaller, change: DeviceChange): Promise<void> =>
  writeAudit(trx, deviceAudit(caller, change))

/**
 * Applies one transition of the machine to a locked device: state, history, audit and event in the transaction of the
 * caller. The caller updates its installation.
 */
export const applyTransition = async (
  trx: Db,
  caller: ActingCaller,
  { device, installation }: LockedDevice,
  { verb, reason, set = {} }: Step,
): Promise<LockedDevice> => {
  const why = whyNotTransition(verb, { lifecycle: device.lifecycle, installed: installation !== undefined })
  if (why) throw new BusinessError(why, { state: device.lifecycle })
  const { to, permission } = lifecycleRule(verb)
  const all = unscoped(trx, 'locked before')
  const after = await all
    .updateTable('device')
    .set({ suspendedUntil: null, ...set, lifecycle: to, lifecycleReason: reason ?? null, ...stamp(caller) })
    .where('id', '=', device.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await all
    .insertInto('deviceLog')
    .values({
      deviceId: device.id,
      schoolId: device.schoolId ?? after.schoolId,
      userId: caller?.actor.userId ?? null,
      verb,
      fromState: device.lifecycle,
      toState: to,
      reason: reason ?? null,
    })
    .execute()
  await auditDevice(trx, caller, { action: permission, before: device, after })
  await emitDeviceChanged(trx, after, device)
  return { device: after, installation }
}
