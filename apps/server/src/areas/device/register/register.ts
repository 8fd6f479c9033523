import { codes } from '@tocsin/contract/codes'
import { type AdoptDraft, type DeviceSecret, deviceEdits } from '@tocsin/contract/device/device-verbs'
import { DeviceDraft } from '@tocsin/contract/device/device'
import { sql } from 'kysely'
import type { z } from 'zod'
import { writeAudit } from '#areas/audit/audit'
import {
  changedColumns,
  createStamp,
  fieldError,
  runEdit,
  toAuditState,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { checkDept } from '#areas/access/role/dept-choice'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { createCredential } from '../credential.ts'
import { allocateDevice } from '../lifecycle/device-verbs.ts'
import { auditDevice, checkDeviceVersion, emitDeviceChanged, lockDevice } from '../lifecycle/transition.ts'

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

/** Through a gateway that the caller can see. */
const checkGateway = async (trx: Db, actor: Actor, gatewayId: number | null | undefined, self?: number) => {
  if (gatewayId === null || gatewayId === undefined) return
  const gateway = await scoped(trx, actor)
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select('device.id')
    .where('device.id', '=', gatewayId)
    .where('deviceModel.kind', '=', 'GATEWAY')
    .executeTakeFirst()
  if (!gateway || gatewayId === self) throw fieldError(DeviceDraft, 'gatewayId', 'choice')
}

/** Registers a device in the caller's transaction; without a secret it cannot connect yet. */
export const insertDevice = async (trx: Db, who: Caller, draft: Draft): Promise<Row<'device'>> => {
  const { sn, modelId, deptId = who.actor.deptId } = draft
  await checkModel(trx, modelId)
  await checkDept(trx, who.actor, deptId)
  await checkGateway(trx, who.actor, draft.gatewayId)
  const device = await unscoped(trx, 'an insert reads nothing; its department is visible')
    .insertInto('device')
    .values({ ...changedColumns(draft), sn, modelId, deptId, ...createStamp(who) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await trx.insertInto('deviceState').values({ deviceId: device.id }).execute()
  await trx
    .insertInto('deviceLog')
    .values({ deviceId: device.id, userId: who.actor.userId, verb: 'create', toState: device.lifecycle })
    .execute()
  await auditDevice(trx, who, { action: 'device:device:create', after: device })
  await emitDeviceChanged(trx, device)
  return device
}

const insertWithSecret = async (trx: Db, key: Uint8Array, who: Caller, draft: Draft): Promise<DeviceSecret> => {
  const { id, sn } = await insertDevice(trx, who, draft)
  return { id, sn, secret: await createCredential(trx, key, id) }
}

/** Registers one; it is allocated and installed afterwards. */
export const createDevice = ({ db, key }: Deps, draft: Draft, who: Caller): Promise<DeviceSecret> =>
  runEdit(db, { userId: who.actor.userId }, (trx) => insertWithSecret(trx, key, who, draft))

type Edit = Omit<z.output<typeof deviceEdits.update.body>, 'version'> & { version?: number }

/** Changes what is written down of a device, in the caller's transaction. */
export const updateDeviceIn = async (trx: Db, edit: Edit, who: Caller): Promise<void> => {
  const { device: before } = await lockDevice(trx, who.actor, edit.id)
  await checkDeviceVersion(edit.version, before)
  if (edit.deptId !== undefined && edit.deptId !== before.deptId) await checkDept(trx, who.actor, edit.deptId)
  if (edit.gatewayId !== before.gatewayId) await checkGateway(trx, who.actor, edit.gatewayId, edit.id)
  const after = await unscoped(trx, 'locked in the visibility of the caller')
    .updateTable('device')
    .set({ ...changedColumns(edit), ...updateStamp(who) })
    .where('id', '=', edit.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await auditDevice(trx, who, { action: deviceEdits.update.permission, before, after })
  await emitDeviceChanged(trx, after, before)
}

export const updateDevice = (db: Db, edit: Edit, who: Caller): Promise<true> =>
  runEdit(db, { userId: who.actor.userId }, async (trx): Promise<true> => {
    await updateDeviceIn(trx, edit, who)
    return true
  })

/** Registers a device that was refused, and allocates it where a school is named. */
export const adoptDevice = ({ db, key }: Deps, draft: AdoptDraft, who: Caller): Promise<DeviceSecret> =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => {
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
    const made = await insertWithSecret(trx, key, who, { sn, modelId })
    if (draft.schoolId !== null)
      await allocateDevice(draft.schoolId)(trx, who, await lockDevice(trx, who.actor, made.id))
    await trx.deleteFrom('unknownDevice').where('sn', '=', sn).execute()
    return made
  })

/** The old secret opens for a while, so that nobody must be on site at the same minute. */
const OLD_SECRET = sql<Date>`now() + interval '24 hours'`

export const rotateSecret = (
  { db, key }: Deps,
  { id, version }: { id: number; version: number },
  who: Caller,
): Promise<DeviceSecret> =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => {
    const { device: before } = await lockDevice(trx, who.actor, id)
    await checkDeviceVersion(version, before)
    if (before.lifecycle === 'RETIRED') throw new BusinessError(codes.secretRetired)
    await trx
      .updateTable('deviceCredential')
      .set({ expiresAt: sql<Date>`least(coalesce(expires_at, 'infinity'), ${OLD_SECRET})` })
      .where('deviceId', '=', id)
      .execute()
    const secret = await createCredential(trx, key, id)
    const after = await unscoped(trx, 'locked in the visibility of the caller')
      .updateTable('device')
      .set(updateStamp(who))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('deviceLog')
      .values({
        deviceId: id,
        userId: who.actor.userId,
        verb: 'rotateSecret',
        fromState: before.lifecycle,
        toState: after.lifecycle,
      })
      .execute()
    await writeAudit(trx, {
      ...who,
      action: deviceEdits.rotateSecret.permission,
      subject: 'device',
      subjectId: id,
      before: toAuditState(before),
      after: toAuditState(after),
    })
    await emitDeviceChanged(trx, after)
    return { id, sn: after.sn, secret }
  })
