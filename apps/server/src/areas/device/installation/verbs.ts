import { TEST_INTERVAL_DAYS } from '@tocsin/contract/device/button-test'
import { codes } from '@tocsin/contract/codes'
import { type InstallationVerb, whyNotInstallation } from '@tocsin/contract/device/installation'
import { InstallationDraft, type PlanDraft, installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { sql } from 'kysely'
import type { z } from 'zod'
import { changedColumns, checkVersion, createStamp, runEdit, toAuditState } from '#areas/audit/edit-transaction'
import { attachFiles } from '#areas/files/attachments'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { cancelTimers } from '#timer/timer'
import { allocateDevice } from '../lifecycle/device-verbs.ts'
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
import { canBePressed, findPressProof } from './press-proof.ts'

registerConstraintErrors({ school_device_open_key: { code: codes.alreadyInstalled } })

type Installation = Row<'schoolDevice'>
type One = { id: number; version: number }
type Scene = { trx: Db; who: Caller; locked: LockedDevice; installation: Installation }

const attachPhotos = (trx: Db, actor: Actor, subjectId: number, ids: readonly number[]): Promise<void> =>
  attachFiles(trx, actor, { draft: InstallationDraft, subject: PHOTOS_OF, subjectId }, [
    { field: 'photoIds', ids, pictures: true },
  ])

/** The place, which must belong to the school where the device is or comes to be. */
const findPlaceFor = async (trx: Db, actor: Actor, placeId: number, { device }: LockedDevice) => {
  const place = await scoped(trx, actor)
    .selectFrom('place')
    .select(['id', 'schoolId'])
    .where('id', '=', placeId)
    .executeTakeFirst()
  if (!place) throw new BusinessError(codes.notFound, { what: '位置' })
  if (device.schoolId !== null && device.schoolId !== place.schoolId) {
    // In stock it belongs to no school yet; elsewhere the place decides nothing.
    throw new BusinessError(device.lifecycle === 'ALLOCATED' ? codes.otherSchool : codes.placeElsewhere)
  }
  return place
}

type NewInstallation = PlanDraft & { schoolId: number } & Partial<
    Pick<Installation, 'status' | 'installedBy' | 'installedAt'>
  >

const insertInstallation = async (trx: Db, who: Caller, row: NewInstallation) => {
  const { deviceId, placeId, schoolId } = row
  const after = await unscoped(trx, 'an insert reads nothing; device and place are visible')
    .insertInto('schoolDevice')
    .values({ ...changedColumns(row), deviceId, placeId, schoolId, ...createStamp(who) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await auditInstallation(trx, who, { action: installationCalls.plan.permission, after })
  return after
}

/** Begins an installation; a device in stock is allocated to the school of the place on the way. */
const planIn = async (trx: Db, who: Caller, draft: PlanDraft): Promise<{ id: number; locked: LockedDevice }> => {
  let locked = await lockDevice(trx, who.actor, draft.deviceId)
  if (locked.installation) throw new BusinessError(codes.alreadyInstalled)
  const place = await findPlaceFor(trx, who.actor, draft.placeId, locked)
  if (locked.device.lifecycle === 'IN_STOCK')
    locked = (await allocateDevice(place.schoolId)(trx, who, locked)) as LockedDevice
  const { device } = await applyTransition(trx, who, locked, { verb: 'plan' })
  const installation = await insertInstallation(trx, who, { ...draft, schoolId: place.schoolId })
  return { id: installation.id, locked: { device, installation } }
}

export const planInstallation = (db: Db, draft: PlanDraft, who: Caller): Promise<number> =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => (await planIn(trx, who, draft)).id)

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

/** Plans and installs in one step, by whoever stands before the wall. */
export const mountDevice = (db: Db, { photoIds, ...draft }: PlanDraft & Mounting, who: Caller): Promise<number> =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => {
    const { id, locked } = await planIn(trx, who, draft)
    if (locked.installation) await markInstalled({ trx, who, locked, installation: locked.installation }, { photoIds })
    return id
  })

/** Locks the device, then its open installation, which must be the one that is meant. */
const change = <const T>(db: Db, who: Caller, { id, version }: One, work: (scene: Scene) => Promise<T>): Promise<T> =>
  runEdit(db, { userId: who.actor.userId }, async (trx) => {
    const found = await scoped(trx, who.actor)
      .selectFrom('schoolDevice')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    const locked = found && (await lockDeviceForSystem(trx, found.deviceId))
    if (!found || !locked) throw new BusinessError(codes.notFound, { what: '安装' })
    const installation = locked.installation?.id === id ? locked.installation : found
    await checkVersion(version, installation, () => toAuditState(installation))
    if (locked.installation?.id !== id) throw new BusinessError(codes.installationState, { state: 'REMOVED' })
    return work({ trx, who, locked, installation })
  })

/** Rejects what the machine does not allow, before anything is written. */
const assertAllowed = ({ who, installation }: Scene, verb: InstallationVerb, proven = true): void => {
  const why = whyNotInstallation(verb, { ...installation, proven }, who.actor.userId)
  if (why) throw new BusinessError(why, { state: installation.status })
}

export const installDevice = (db: Db, body: One & Mounting, who: Caller): Promise<true> =>
  change(db, who, body, async (scene): Promise<true> => {
    assertAllowed(scene, 'install')
    await markInstalled(scene, body)
    return true
  })

export const acceptInstallation = (db: Db, body: One, who: Caller): Promise<true> =>
  change(db, who, body, async (scene): Promise<true> => {
    const { trx, locked, installation } = scene
    const proof = await findPressProof(trx, installation)
    assertAllowed(scene, 'accept', proof !== null || !(await canBePressed(trx, installation.deviceId)))
    const accepted = await setInstallationStatus(trx, who, installation, {
      verb: 'accept',
      set: {
        acceptedBy: who.actor.userId,
        acceptedAt: sql<Date>`now()` as unknown as Date,
        ...(proof && { lastTestAt: proof.receivedAt }),
      },
    })
    if (proof)
      await updateInstallation(trx, who, accepted, {
        version: accepted.version,
        nextTestDue: sql<string>`current_date + ${sql.lit(TEST_INTERVAL_DAYS)}::int` as unknown as string,
      })
    await applyTransition(trx, who, locked, { verb: 'accept' })
    return true
  })

export const suspendInstallation = (db: Db, body: One & { reason: string; until: Date }, who: Caller): Promise<true> =>
  change(db, who, body, async (scene): Promise<true> => {
    assertAllowed(scene, 'suspend')
    await suspendDevice(scene.trx, who, scene.locked, body)
    return true
  })

export const resumeInstallation = (db: Db, body: One, who: Caller): Promise<true> =>
  change(db, who, body, async (scene): Promise<true> => {
    assertAllowed(scene, 'resume')
    await resumeDevice(scene.trx, who, scene.locked)
    return true
  })

/** Ends this installation and begins another at the new place: records of the past keep the old one. */
export const moveInstallation = (
  db: Db,
  body: One & { placeId: number; mountNote?: string | null | undefined },
  who: Caller,
): Promise<number> =>
  change(db, who, body, async (scene) => {
    const { trx, locked, installation } = scene
    assertAllowed(scene, 'move')
    if (installation.placeId === body.placeId) throw new BusinessError(codes.samePlace)
    const place = await findPlaceFor(trx, who.actor, body.placeId, locked)
    if (place.schoolId !== installation.schoolId) throw new BusinessError(codes.placeElsewhere)
    await endInstallation(trx, who, installation, 'move')
    const { id } = await insertInstallation(trx, who, {
      deviceId: installation.deviceId,
      placeId: body.placeId,
      schoolId: place.schoolId,
      silent: installation.silent,
      mountNote: body.mountNote ?? null,
      status: 'INSTALLED',
      installedBy: who.actor.userId,
      installedAt: sql<Date>`now()` as unknown as Date,
    })
    await applyTransition(trx, who, locked, { verb: 'move' })
    return id
  })

export const removeInstallation = (db: Db, body: One & { reason?: string | undefined }, who: Caller): Promise<true> =>
  change(db, who, body, async (scene): Promise<true> => {
    const { trx, locked, installation } = scene
    assertAllowed(scene, 'remove')
    await endInstallation(trx, who, installation, 'remove')
    await cancelTimers(trx, { kind: DEVICE_TIMER, subjectId: installation.deviceId })
    const inRepair = locked.device.lifecycle === 'UNDER_REPAIR'
    await applyTransition(
      trx,
      who,
      { device: locked.device, installation: undefined },
      {
        verb: inRepair ? 'removeForRepair' : 'remove',
        reason: body.reason,
        set: { schoolId: null },
      },
    )
    return true
  })

type Edit = z.output<typeof installationCalls.update.body>

export const editInstallation = (db: Db, { photoIds, ...edit }: Edit, who: Caller): Promise<true> =>
  change(db, who, edit, async ({ trx, locked, installation }): Promise<true> => {
    const after = await updateInstallation(trx, who, installation, changedColumns(edit))
    if (photoIds) await attachPhotos(trx, who.actor, installation.id, photoIds)
    await auditInstallation(trx, who, { action: installationCalls.update.permission, before: installation, after })
    await emitDeviceChanged(trx, locked.device)
    return true
  })
