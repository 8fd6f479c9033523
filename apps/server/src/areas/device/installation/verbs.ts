import { TEST_INTERVAL_DAYS } from '@tocsin/contract/device/button-test'
import { codes } from '@tocsin/contract/codes'
import { type InstallationVerb, whyNotInstallation } from '@tocsin/contract/device/installation'
import { InstallationDraft, type PlanDraft, installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { sql } from 'kysely'
import type { z } from 'zod'
import { changedColumns, checkVersion, createStamp, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import { attachFiles } from '#areas/files/attachments'
import { registerConstraintErrors } from '#db/constraint-error'
import { checkPosition } from '#areas/school/place-checks'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, hasPermission } from '#http/route'
import { runHooks } from '#db/transaction-hook'
import { cancelTimers } from '#timer/timer'
import { allocateDevice } from '../lifecycle/device-verbs.ts'
import { endInstallationPeriod } from '../lifecycle/end-installation-period.ts'
import { detachChildren, endPeriodsBelowGateway, passChildren } from '../lifecycle/detach-children.ts'
import { DEVICE_TIMER, resumeDevice, suspendDevice } from '../lifecycle/suspension.ts'
import {
  applyTransition,
  emitDeviceChanged,
  lockDevice,
  lockDeviceForSystem,
  type LockedDevice,
} from '../lifecycle/transition.ts'
import { PHOTOS_OF } from '../school-device.ts'
import { auditInstallation, endInstallation, setInstallationStatus, updateInstallation } from './installation-rows.ts'
import { installationAccepted } from './installation-hooks.ts'
import { canBePressed, findPressProof } from './press-proof.ts'

registerConstraintErrors({ school_device_open_key: { code: codes.alreadyInstalled } })

type Installation = Row<'schoolDevice'>
type One = { id: number; version: number }
type Scene = { trx: Db; who: Caller; locked: LockedDevice; installation: Installation }

const attachPhotos = (trx: Db, actor: Actor, subjectId: number, ids: readonly number[]): Promise<void> =>
  attachFiles(trx, actor, { draft: InstallationDraft, subject: PHOTOS_OF, subjectId }, [
    { field: 'photoIds', ids, pictures: true },
  ])

/** The place, which must belong to the device's present or future school. */
const findPlaceFor = async (trx: Db, actor: Actor, placeId: number, { device }: LockedDevice) => {
  const place = await scoped(trx, actor)
    .selectFrom('place')
    .select(['id', 'schoolId'])
    .where('id', '=', placeId)
    .executeTakeFirst()
  if (!place) throw new BusinessError(codes.notFound, { what: '位置' })
  if (device.schoolId !== null && device.schoolId !== place.schoolId) {
    // In stock the device belongs to no school yet; otherwise the place must match its school.
    throw new BusinessError(device.lifecycle === 'ALLOCATED' ? codes.otherSchool : codes.placeElsewhere)
  }
  return place
}

type NewInstallation = PlanDraft & { schoolId: number } & Partial<
    Pick<Installation, 'status' | 'installedBy' | 'installedAt'>
  >

const insertInstallation = async (trx: Db, caller: Caller, row: NewInstallation) => {
  const { deviceId, placeId, schoolId } = row
  const after = await unscoped(trx, 'an insert reads nothing; device and place are visible')
    .insertInto('schoolDevice')
    .values({ ...changedColumns(row), deviceId, placeId, schoolId, ...createStamp(caller) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await auditInstallation(trx, caller, { action: installationCalls.plan.permission, after })
  return after
}

/** Starts an installation; a device in stock is allocated to the school of the place implicitly. */
const planIn = async (trx: Db, caller: Caller, draft: PlanDraft): Promise<{ id: number; locked: LockedDevice }> => {
  let locked = await lockDevice(trx, caller.actor, draft.deviceId)
  if (locked.installation) throw new BusinessError(codes.alreadyInstalled)
  const place = await findPlaceFor(trx, caller.actor, draft.placeId, locked)
  if (locked.device.lifecycle === 'IN_STOCK')
    locked = (await allocateDevice(place.schoolId)(trx, caller, locked)) as LockedDevice
  const { device } = await applyTransition(trx, caller, locked, { verb: 'plan' })
  const installation = await insertInstallation(trx, caller, { ...draft, schoolId: place.schoolId })
  return { id: installation.id, locked: { device, installation } }
}

export const planInstallation = (db: Db, draft: PlanDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => (await planIn(trx, caller, draft)).id)

type Mounting = { mountNote?: string | null | undefined; photoIds?: number[] | undefined }

const markInstalled = async (
  { trx, who, locked, installation }: Scene,
  { mountNote, photoIds }: Mounting,
): Promise<void> => {
  await setInstallationStatus(trx, who, installation, {
    verb: 'install',
    set: {
      installedBy: who.actor.userId,
      installedAt: sql<Date>`now()` as unknown as Date,
      ...(mountNote !== undefined && { mountNote }),
    },
  })
  if (photoIds) await attachPhotos(trx, who.actor, installation.id, photoIds)
  await applyTransition(trx, who, locked, { verb: 'install' })
}

/** Plans and installs in one step, for an installer on site. */
export const mountDevice = (db: Db, { photoIds, ...draft }: PlanDraft & Mounting, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { id, locked } = await planIn(trx, caller, draft)
    if (locked.installation)
      await markInstalled({ trx, who: caller, locked, installation: locked.installation }, { photoIds })
    return id
  })

/** Locks the device, then its open installation, which must be the given one. */
const change = <const T>(
  db: Db,
  caller: Caller,
  { id, version }: One,
  work: (scene: Scene) => Promise<T>,
): Promise<T> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const found = await scoped(trx, caller.actor)
      .selectFrom('schoolDevice')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    const locked = found && (await lockDeviceForSystem(trx, found.deviceId))
    if (!found || !locked) throw new BusinessError(codes.notFound, { what: '安装' })
    const installation = locked.installation?.id === id ? locked.installation : found
    await checkVersion(version, installation, () => toAuditState(installation))
    if (locked.installation?.id !== id) throw new BusinessError(codes.installationState, { state: 'REMOVED' })
    return work({ trx, who: caller, locked, installation })
  })

/** Rejects what the machine does not allow, before anything is written. */
const assertAllowed = ({ who, installation }: Scene, verb: InstallationVerb, proven = true): void => {
  const why = whyNotInstallation(verb, { ...installation, proven }, who.actor.userId)
  if (why) throw new BusinessError(why, { state: installation.status })
}

export const installDevice = (db: Db, body: One & Mounting, caller: Caller): Promise<true> =>
  change(db, caller, body, async (scene): Promise<true> => {
    assertAllowed(scene, 'install')
    await markInstalled(scene, body)
    return true
  })

export const acceptInstallation = (db: Db, body: One, caller: Caller): Promise<true> =>
  change(db, caller, body, async (scene): Promise<true> => {
    const { trx, locked, installation } = scene
    const proof = await findPressProof(trx, installation.id)
    assertAllowed(scene, 'accept', proof !== null || !(await canBePressed(trx, installation.deviceId)))
    const accepted = await setInstallationStatus(trx, caller, installation, {
      verb: 'accept',
      set: {
        acceptedBy: caller.actor.userId,
        acceptedAt: sql<Date>`now()` as unknown as Date,
        ...(proof && { lastTestAt: proof.occurredAt }),
      },
    })
    if (proof)
      await updateInstallation(trx, caller, accepted, {
        version: accepted.version,
        nextTestDue: sql<string>`last_test_at::date + ${sql.lit(TEST_INTERVAL_DAYS)}::int` as unknown as string,
      })
    await applyTransition(trx, caller, locked, { verb: 'accept' })
    await runHooks(trx, installationAccepted, { deviceId: installation.deviceId })
    return true
  })

export const suspendInstallation = (
  db: Db,
  body: One & { reason: string; until: Date },
  caller: Caller,
): Promise<true> =>
  change(db, caller, body, async (scene): Promise<true> => {
    assertAllowed(scene, 'suspend')
    await suspendDevice(scene.trx, caller, scene.locked, body)
    return true
  })

export const resumeInstallation = (db: Db, body: One, caller: Caller): Promise<true> =>
  change(db, caller, body, async (scene): Promise<true> => {
    assertAllowed(scene, 'resume')
    await resumeDevice(scene.trx, caller, scene.locked)
    return true
  })

/** Ends this installation and starts another at the new place: old records keep the old place. */
export const moveInstallation = (
  db: Db,
  body: One & { placeId: number; mountNote?: string | null | undefined },
  caller: Caller,
): Promise<number> =>
  change(db, caller, body, async (scene) => {
    const { trx, locked, installation } = scene
    assertAllowed(scene, 'move')
    if (installation.placeId === body.placeId) throw new BusinessError(codes.samePlace)
    const place = await findPlaceFor(trx, caller.actor, body.placeId, locked)
    if (place.schoolId !== installation.schoolId) throw new BusinessError(codes.placeElsewhere)
    await endInstallation(trx, caller, installation, 'move')
    const { id } = await insertInstallation(trx, caller, {
      deviceId: installation.deviceId,
      placeId: body.placeId,
      schoolId: place.schoolId,
      silent: installation.silent,
      mountNote: body.mountNote ?? null,
      status: 'INSTALLED',
      installedBy: caller.actor.userId,
      installedAt: sql<Date>`now()` as unknown as Date,
    })
    await applyTransition(trx, caller, locked, { verb: 'move' })
    await endInstallationPeriod(trx, locked.device, 'MOVED')
    return id
  })

type Removal = { reason?: string | undefined; withChildren?: boolean | undefined }

const takeDown = async (
  { trx, who, locked, installation }: Scene,
  { reason, withChildren }: Removal,
): Promise<void> => {
  const children = await detachChildren(trx, locked.device, withChildren)
  await endInstallation(trx, who, installation, 'remove')
  await cancelTimers(trx, { kind: DEVICE_TIMER, subjectId: installation.deviceId })
  const verb = locked.device.lifecycle === 'UNDER_REPAIR' ? 'removeForRepair' : 'remove'
  // Its gateway hangs in the school that it leaves.
  const set = { schoolId: null, gatewayId: null }
  await applyTransition(trx, who, { device: locked.device, installation: undefined }, { verb, reason, set })
  await endInstallationPeriod(trx, locked.device, 'REMOVED')
  await endPeriodsBelowGateway(trx, children)
}

/** Removes the old device and installs the new one at its place. @returns the new installation. */
export const exchangeDevice = async (
  trx: Db,
  caller: Caller,
  { oldId, newId, reason }: { oldId: number; newId: number; reason: string },
): Promise<number> => {
  // Locks in the order of ids, so that two exchanges of the same devices do not deadlock.
  for (const id of [oldId, newId].toSorted((a, b) => a - b)) await lockDevice(trx, caller.actor, id)
  const locked = await lockDevice(trx, caller.actor, oldId)
  const { installation } = locked
  if (!installation) throw new BusinessError(codes.installationState, { state: 'REMOVED' })
  const scene = { trx, who: caller, locked, installation }
  assertAllowed(scene, 'remove')
  const children = await passChildren(trx, oldId, newId)
  await takeDown(scene, { reason })
  const { silent, mountNote, placeId } = installation
  const planned = await planIn(trx, caller, { deviceId: newId, placeId, silent, mountNote })
  if (planned.locked.installation)
    await markInstalled({ trx, who: caller, locked: planned.locked, installation: planned.locked.installation }, {})
  await endPeriodsBelowGateway(trx, children)
  return planned.id
}

/** Whoever stands before the wall takes the old one down and puts the new one up. @returns the new installation. */
export const replaceDevice = (db: Db, body: One & { sn: string; reason: string }, caller: Caller): Promise<number> =>
  change(db, caller, body, async ({ trx, installation }) => {
    if (!hasPermission(caller.actor)(installationCalls.remove.permission)) throw new BusinessError(codes.forbidden)
    const device = await scoped(trx, caller.actor)
      .selectFrom('device')
      .select('id')
      .where('sn', '=', body.sn)
      .executeTakeFirst()
    if (!device) throw new BusinessError(codes.notFound, { what: '设备' })
    return exchangeDevice(trx, caller, { oldId: installation.deviceId, newId: device.id, reason: body.reason })
  })

export const removeInstallation = (db: Db, body: One & Removal, caller: Caller): Promise<true> =>
  change(db, caller, body, async (scene): Promise<true> => {
    assertAllowed(scene, 'remove')
    await takeDown(scene, body)
    return true
  })

type Edit = z.output<typeof installationCalls.update.body>

export const editInstallation = (db: Db, { photoIds, ...edit }: Edit, caller: Caller): Promise<true> =>
  change(db, caller, edit, async ({ trx, locked, installation }): Promise<true> => {
    const changes = changedColumns(edit)
    checkPosition({ ...installation, ...changes })
    const after = await updateInstallation(trx, caller, installation, changes)
    if (photoIds) await attachPhotos(trx, caller.actor, installation.id, photoIds)
    await auditInstallation(trx, caller, { action: installationCalls.update.permission, before: installation, after })
    await emitDeviceChanged(trx, locked.device)
    return true
  })
