import { codes } from '@tocsin/contract/codes'
import { deviceVerbLists, deviceVerbs } from '@tocsin/contract/device/device-verbs'
import { sql } from 'kysely'
import { runEdit, runEditForEach } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import { type Route, route, type Caller } from '#http/route'
import { cancelTimers } from '#timer/timer'
import { endInstallation } from '../installation/installation-rows.ts'
import { DEVICE_TIMER, resumeDevice, suspendDevice } from './suspension.ts'
import { endInstallationPeriod } from './end-installation-period.ts'
import { detachChildren, endPeriodsBelowGateway } from './detach-children.ts'
import { applyTransition, checkDeviceVersion, lockDevice, type LockedDevice } from './transition.ts'

type One = { id: number; version: number }
type Work = (trx: Db, caller: Caller, locked: LockedDevice) => Promise<unknown>

const runOne = async (trx: Db, caller: Caller, { id, version }: One, work: Work): Promise<void> => {
  const locked = await lockDevice(trx, caller.actor, id)
  await checkDeviceVersion(version, locked.device)
  await work(trx, caller, locked)
}

const changeOne = (db: Db, caller: Caller, item: One, work: Work): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    await runOne(trx, caller, item, work)
    return true
  })

const changeSeveral = (db: Db, caller: Caller, items: readonly One[], work: Work): Promise<true> => {
  const versions = new Map(items.map(({ id, version }) => [id, version]))
  return runEditForEach(db, {
    ids: [...versions.keys()],
    work: (trx, id) => runOne(trx, caller, { id, version: versions.get(id) ?? 0 }, work),
    named: async (id) => {
      const row = await scoped(db, caller.actor)
        .selectFrom('device')
        .select('sn')
        .where('id', '=', id)
        .executeTakeFirst()
      return row && { name: row.sn }
    },
  })
}

/** Locks the gateway, which may leave the school at the same moment. */
const isGatewayOfSchool = async (trx: Db, gatewayId: number | null, schoolId: number): Promise<boolean> => {
  if (gatewayId === null) return true
  const gateway = await unscoped(trx, 'the gateway of a device that was locked in the visibility of the caller')
    .selectFrom('device')
    .select('schoolId')
    .where('id', '=', gatewayId)
    .forShare()
    .executeTakeFirst()
  return gateway?.schoolId === schoolId
}

/** Only to a school that the caller sees. Its gateway goes along only from the same school. */
export const allocateDevice =
  (schoolId: number): Work =>
  async (trx, caller, locked) => {
    const school = await scoped(trx, caller.actor)
      .selectFrom('school')
      .select('id')
      .where('id', '=', schoolId)
      .executeTakeFirst()
    if (!school) throw new BusinessError(codes.notFound, { what: '学校' })
    const isReachable = await isGatewayOfSchool(trx, locked.device.gatewayId, schoolId)
    const set = { schoolId, ...(!isReachable && { gatewayId: null }) }
    const allocated = await applyTransition(trx, caller, locked, { verb: 'allocate', set })
    if (!isReachable) await endInstallationPeriod(trx, locked.device, 'GATEWAY_CHANGED')
    return allocated
  }

type Leaving = { reason: string; withChildren?: boolean | undefined }

const reportLost =
  ({ reason, withChildren }: Leaving): Work =>
  async (trx, caller, locked) => {
    const children = await detachChildren(trx, locked.device, withChildren)
    // Its location is unknown, so it is not installed.
    if (locked.installation) await endInstallation(trx, caller, locked.installation, 'remove')
    // Who holds it now could press it, or read the secret from it.
    await trx
      .updateTable('deviceCredential')
      .set({ expiresAt: sql<Date>`now()` })
      .where('deviceId', '=', locked.device.id)
      .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', sql<Date>`now()`)]))
      .execute()
    await cancelTimers(trx, { kind: DEVICE_TIMER, subjectId: locked.device.id })
    await applyTransition(
      trx,
      caller,
      { ...locked, installation: undefined },
      { verb: 'lost', reason, set: { gatewayId: null } },
    )
    await endInstallationPeriod(trx, locked.device, 'LOST')
    await endPeriodsBelowGateway(trx, children)
  }

const retire =
  ({ reason, withChildren }: Leaving): Work =>
  async (trx, caller, locked) => {
    const children = await detachChildren(trx, locked.device, withChildren)
    const set = { schoolId: null, gatewayId: null }
    await applyTransition(trx, caller, locked, { verb: 'retire', reason, set })
    await trx.deleteFrom('deviceCredential').where('deviceId', '=', locked.device.id).execute()
    await cancelTimers(trx, { kind: DEVICE_TIMER, subjectId: locked.device.id })
    await endInstallationPeriod(trx, locked.device, 'RETIRED')
    await endPeriodsBelowGateway(trx, children)
    await unscoped(trx, 'nothing more is sent to a retired device')
      .deleteFrom('deviceOutbox')
      .where('deviceId', '=', locked.device.id)
      .execute()
  }

/** Leaves the school before it was installed there. */
const restock: Work = async (trx, caller, locked) => {
  await detachChildren(trx, locked.device, false)
  await applyTransition(trx, caller, locked, { verb: 'restock', set: { schoolId: null, gatewayId: null } })
  await endInstallationPeriod(trx, locked.device, 'REMOVED')
}

const plain =
  (verb: 'found' | 'repaired'): Work =>
  (trx, caller, locked) =>
    applyTransition(trx, caller, locked, { verb, ...(verb !== 'repaired' && { set: { schoolId: null } }) })

export const deviceVerbRoutes = ({ db }: { db: Db }): Route[] => [
  route(deviceVerbs.allocate, ({ body, caller }) => changeOne(db, caller, body, allocateDevice(body.schoolId))),
  route(deviceVerbs.restock, ({ body, caller }) => changeOne(db, caller, body, restock)),
  route(deviceVerbs.suspend, ({ body, caller }) =>
    changeOne(db, caller, body, (trx, caller, locked) => suspendDevice(trx, caller, locked, body)),
  ),
  route(deviceVerbs.resume, ({ body, caller }) => changeOne(db, caller, body, resumeDevice)),
  route(deviceVerbs.repair, ({ body, caller }) =>
    changeOne(db, caller, body, (trx, caller, locked) =>
      applyTransition(trx, caller, locked, { verb: 'repair', reason: body.reason }),
    ),
  ),
  route(deviceVerbs.repaired, ({ body, caller }) => changeOne(db, caller, body, plain('repaired'))),
  route(deviceVerbs.lost, ({ body, caller }) => changeOne(db, caller, body, reportLost(body))),
  route(deviceVerbs.found, ({ body, caller }) => changeOne(db, caller, body, plain('found'))),
  route(deviceVerbs.retire, ({ body, caller }) => changeOne(db, caller, body, retire(body))),
  route(deviceVerbLists.allocateList, ({ body, caller }) =>
    changeSeveral(db, caller, body.items, allocateDevice(body.schoolId)),
  ),
  route(deviceVerbLists.suspendList, ({ body, caller }) =>
    changeSeveral(db, caller, body.items, (trx, caller, locked) => suspendDevice(trx, caller, locked, body)),
  ),
  route(deviceVerbLists.retireList, ({ body, caller }) => changeSeveral(db, caller, body.items, retire(body))),
]
