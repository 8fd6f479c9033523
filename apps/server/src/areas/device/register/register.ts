import { codes } from '@tocsin/contract/codes'
import { type AdoptDraft, type DeviceSecret, deviceEdits } from '@tocsin/contract/device/device-verbs'
import { DeviceDraft } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import type { z } from 'zod'
import { writeAudit, writeAudits } from '#areas/audit/audit'
import {
  changedColumns,
  createStamp,
  fieldError,
  runEdit,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { checkDept } from '#areas/access/roles/dept-choice'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { createCredential } from '../credential.ts'
import { allocateDevice } from '../lifecycle/device-verbs.ts'
import { endInstallationPeriod } from '../lifecycle/end-installation-period.ts'
import { auditDevice, checkDeviceVersion, deviceAudit, emitDeviceChanged, lockDevice } from '../lifecycle/transition.ts'

registerConstraintErrors({
  device_sn_key: { code: codes.duplicate, params: { field: '设备序列号' } },
})

type Deps = { db: Db; key: Uint8Array }
type Draft = z.output<typeof deviceEdits.create.body>

const checkModel = async (trx: Db, modelId: number) => {
  const model = await trx
    .selectFrom('deviceModel')
    .select(['id', 'productKey'])
    .where('id', '=', modelId)
    .forShare()
    .executeTakeFirst()
  if (!model) throw fieldError(DeviceDraft, 'modelId', 'choice')
  return model
}

type Child = Pick<Row<'device'>, 'id' | 'schoolId'>

/** Whether the gateway hangs, through others, below the device itself. */
const isBelow = async (trx: Db, gatewayId: number, deviceId: number): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    with recursive above as (
      select id, gateway_id, 0 as depth from device where id = ${gatewayId}
      union all
      select device.id, device.gateway_id, depth + 1 from above join device on device.id = above.gateway_id where depth < 20
    ) select bool_or(id = ${deviceId}) as found from above`.execute(
    unscoped(trx, 'ids of gateways above a visible one'),
  )
  return rows[0]?.found ?? false
}

/**
 * Rejects a gateway that the caller cannot see, that is lost or retired, of another school than the device, or below the
 * device itself. @param child the device, when it exists
 */
const checkGateway = async (trx: Db, actor: Actor, gatewayId: number | null | undefined, child?: Child) => {
  if (gatewayId === null || gatewayId === undefined) return
  const gateway = await scoped(trx, actor)
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['device.id', 'device.schoolId'])
    .where('device.id', '=', gatewayId)
    .where('device.lifecycle', 'not in', ['LOST', 'RETIRED'])
    .where('deviceModel.kind', '=', 'GATEWAY')
    // It may leave at the same moment.
    .forShare('device')
    .executeTakeFirst()
  const isElsewhere = child && child.schoolId !== null && gateway?.schoolId !== child.schoolId
  if (!gateway || isElsewhere || (child && (await isBelow(trx, gatewayId, child.id))))
    throw fieldError(DeviceDraft, 'gatewayId', 'choice')
}

/**
 * Registers devices in the caller's transaction, in the order of the drafts; without a secret they cannot connect yet.
 * Models, departments and gateways are checked once each.
 */
export const insertDevices = async (trx: Db, caller: Caller, drafts: readonly Draft[]): Promise<Row<'device'>[]> => {
  const { actor } = caller
  for (const modelId of new Set(drafts.map((draft) => draft.modelId))) await checkModel(trx, modelId)
  for (const deptId of new Set(drafts.map((draft) => draft.deptId ?? actor.deptId))) await checkDept(trx, actor, deptId)
  for (const gatewayId of new Set(drafts.map((draft) => draft.gatewayId))) await checkGateway(trx, actor, gatewayId)
  const inserted = await unscoped(trx, 'an insert reads nothing; its department is visible')
    .insertInto('device')
    .values(
      drafts.map((draft) => ({
        ...changedColumns(draft),
        sn: draft.sn,
        modelId: draft.modelId,
        deptId: draft.deptId ?? actor.deptId,
        ...createStamp(caller),
      })),
    )
    .returningAll()
    .execute()
  const bySn = new Map(inserted.map((device) => [device.sn, device]))
  const devices = drafts.flatMap(({ sn }) => bySn.get(sn) ?? [])
  await trx
    .insertInto('deviceState')
    .values(devices.map(({ id: deviceId }) => ({ deviceId })))
    .execute()
  await trx
    .insertInto('deviceLog')
    .values(
      devices.map(({ id: deviceId, lifecycle: toState }) => ({
        deviceId,
        userId: actor.userId,
        verb: 'create',
        toState,
      })),
    )
    .execute()
  await writeAudits(
    trx,
    devices.map((after) => deviceAudit(caller, { action: 'device:device:create', after })),
  )
  await emitEvents(
    trx,
    ...devices.map(({ id: ref, schoolId, deptId }) => ({ type: 'device.changed' as const, ref, schoolId, deptId })),
  )
  return devices
}

/** As `insertDevices`, for one device. */
export const insertDevice = async (trx: Db, caller: Caller, draft: Draft): Promise<Row<'device'>> => {
  const [device] = await insertDevices(trx, caller, [draft])
  if (!device) throw new Error(`device ${draft.sn} was inserted under another serial number`)
  return device
}

const insertWithSecret = async (trx: Db, key: Uint8Array, caller: Caller, draft: Draft): Promise<DeviceSecret> => {
  const { id, sn } = await insertDevice(trx, caller, draft)
  return { id, sn, secret: await createCredential(trx, key, id) }
}

/** Registers one device; allocation and installation follow later. */
export const createDevice = ({ db, key }: Deps, draft: Draft, caller: Caller): Promise<DeviceSecret> =>
  runEdit(db, { userId: caller.actor.userId }, (trx) => insertWithSecret(trx, key, caller, draft))

type Edit = Omit<z.output<typeof deviceEdits.update.body>, 'version'> & { version?: number }

/** Changes the register data of a device, in the caller's transaction. */
export const updateDeviceIn = async (trx: Db, edit: Edit, caller: Caller): Promise<void> => {
  const { device: before } = await lockDevice(trx, caller.actor, edit.id)
  await checkDeviceVersion(edit.version, before)
  if (edit.deptId !== undefined && edit.deptId !== before.deptId) await checkDept(trx, caller.actor, edit.deptId)
  if (edit.gatewayId !== undefined && edit.gatewayId !== before.gatewayId)
    await checkGateway(trx, caller.actor, edit.gatewayId, before)
  const after = await unscoped(trx, 'locked in the visibility of the caller')
    .updateTable('device')
    .set({ ...changedColumns(edit), ...updateStamp(caller) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await auditDevice(trx, caller, { action: deviceEdits.update.permission, before, after })
  await emitDeviceChanged(trx, after, before)
  if (after.gatewayId !== before.gatewayId) await endInstallationPeriod(trx, after, 'GATEWAY_CHANGED')
}

export const updateDevice = (db: Db, edit: Edit, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    await updateDeviceIn(trx, edit, caller)
    return true
  })

/** Registers a refused device, and allocates it when a school is given. */
export const adoptDevice = ({ db, key }: Deps, draft: AdoptDraft, caller: Caller): Promise<DeviceSecret> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const refused = await trx
      .selectFrom('unknownDevice')
      .selectAll()
      .where('id', '=', draft.unknownId)
      .executeTakeFirst()
    if (!refused) throw new BusinessError(codes.notFound, { what: '设备' })
    const { sn, modelId } = { ...draft, sn: refused.sn }
    if (!DeviceDraft.shape.sn.safeParse(sn).success) throw fieldError(DeviceDraft, 'sn', 'format')
    const { productKey } = await checkModel(trx, modelId)
    if (productKey !== refused.productKey)
      throw new BusinessError(codes.adoptProduct, { reported: refused.productKey, expected: productKey })
    const made = await insertWithSecret(trx, key, caller, { sn, modelId })
    if (draft.schoolId !== null)
      await allocateDevice(draft.schoolId)(trx, caller, await lockDevice(trx, caller.actor, made.id))
    await trx.deleteFrom('unknownDevice').where('sn', '=', sn).execute()
    return made
  })

/** The old secret stays valid for a while, so that the device can be updated later. */
const OLD_SECRET = sql<Date>`now() + interval '24 hours'`

type One = { id: number; version: number }

type Rotation = One & { force?: boolean | undefined }

/**
 * The device still uses an older secret than the newest. Each further rotation gives it another secret to learn, and the
 * day of the one that it uses goes on.
 */
const isNewestUnused = async (trx: Db, deviceId: number): Promise<boolean> => {
  const valid = await trx
    .selectFrom('deviceCredential')
    .select('lastUsedAt')
    .where('deviceId', '=', deviceId)
    .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))
    .orderBy('id', 'desc')
    .execute()
  return valid.length > 1 && valid[0]?.lastUsedAt === null
}

const rotateIn = async (
  trx: Db,
  key: Uint8Array,
  { id, version, force }: Rotation,
  caller: Caller,
): Promise<DeviceSecret> => {
  const { device: before } = await lockDevice(trx, caller.actor, id)
  await checkDeviceVersion(version, before)
  if (before.lifecycle === 'RETIRED') throw new BusinessError(codes.secretRetired)
  if (!force && (await isNewestUnused(trx, id))) throw new BusinessError(codes.secretUnused, { sn: before.sn })
  await trx
    .updateTable('deviceCredential')
    .set({ expiresAt: sql<Date>`least(coalesce(expires_at, 'infinity'), ${OLD_SECRET})` })
    .where('deviceId', '=', id)
    .execute()
  const secret = await createCredential(trx, key, id)
  const after = await unscoped(trx, 'locked in the visibility of the caller')
    .updateTable('device')
    .set(updateStamp(caller))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('deviceLog')
    .values({
      deviceId: id,
      schoolId: before.schoolId,
      userId: caller.actor.userId,
      verb: 'rotateSecret',
      fromState: before.lifecycle,
      toState: after.lifecycle,
    })
    .execute()
  await writeAudit(trx, {
    ...caller,
    action: deviceEdits.rotateSecret.permission,
    subject: 'device',
    subjectId: id,
    before: toAuditState(before),
    after: toAuditState(after),
  })
  await emitDeviceChanged(trx, after)
  return { id, sn: after.sn, secret }
}

export const rotateSecret = ({ db, key }: Deps, item: Rotation, caller: Caller): Promise<DeviceSecret> =>
  runEdit(db, { userId: caller.actor.userId }, (trx) => rotateIn(trx, key, item, caller))

/** A secret for each, all or none: for a sheet that is printed and sealed. Locks in the order of ids. */
export const issueSecrets = (
  { db, key }: Deps,
  { items, force }: { items: readonly One[]; force?: boolean | undefined },
  caller: Caller,
): Promise<DeviceSecret[]> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const made: DeviceSecret[] = []
    const versions = new Map(items.map(({ id, version }) => [id, version]))
    for (const [id, version] of [...versions].toSorted(([a], [b]) => a - b))
      made.push(await rotateIn(trx, key, { id, version, force }, caller))
    return made.toSorted((a, b) => a.sn.localeCompare(b.sn, 'en', { numeric: true }))
  })
