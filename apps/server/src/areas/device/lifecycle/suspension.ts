import { codes } from '@tocsin/contract/codes'
import { MAX_PANIC_SUSPENSION_DAYS, MAX_SUSPENSION_DAYS } from '@tocsin/contract/device/lifecycle'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { TimerHandler } from '#timer/scheduler'
import { cancelTimers, scheduleTimer } from '#timer/timer'
import { setInstallationStatus } from '../installation/installation-rows.ts'
import { applyTransition, type LockedDevice, lockDeviceForSystem, type ActingCaller } from './transition.ts'

/** Subject is the device; one step, because a device has one suspension at a time. */
export const DEVICE_TIMER = 'device'
const STEP = 'RESUME'

type Suspension = { reason: string; until: Date }

const secondsUntil = async (trx: Db, until: Date): Promise<number> => {
  const { rows } = await sql<{ left: number }>`
    select extract(epoch from ${until}::timestamptz - now())::float8 as left`.execute(trx)
  return rows[0]?.left ?? 0
}

const maxDays = async (trx: Db, { modelId }: Row<'device'>): Promise<number> => {
  const { alarmCodes } = await trx
    .selectFrom('deviceModel')
    .select('alarmCodes')
    .where('id', '=', modelId)
    .executeTakeFirstOrThrow()
  return alarmCodes.some((alarmCode) => alarmCode.startsWith('PANIC')) ? MAX_PANIC_SUSPENSION_DAYS : MAX_SUSPENSION_DAYS
}

const DAY_SEC = 86_400

/** Out of use until an instant, when it resumes by itself (domain 2.6). */
export const suspendDevice = async (
  trx: Db,
  caller: ActingCaller,
  locked: LockedDevice,
  { reason, until }: Suspension,
) => {
  const seconds = await secondsUntil(trx, until)
  if (seconds <= 0) throw new BusinessError(codes.suspendPast)
  const days = await maxDays(trx, locked.device)
  if (seconds > days * DAY_SEC) throw new BusinessError(codes.suspendTooLong, { days })
  const after = await applyTransition(trx, caller, locked, { verb: 'suspend', reason, set: { suspendedUntil: until } })
  if (locked.installation)
    await setInstallationStatus(trx, caller, locked.installation, { verb: 'suspend', set: { suspendedUntil: until } })
  await scheduleTimer(trx, { kind: DEVICE_TIMER, subjectId: locked.device.id, step: STEP, epoch: 1 }, seconds)
  return after
}

export const resumeDevice = async (trx: Db, caller: ActingCaller, locked: LockedDevice) => {
  const after = await applyTransition(trx, caller, locked, { verb: 'resume' })
  if (locked.installation)
    await setInstallationStatus(trx, caller, locked.installation, { verb: 'resume', set: { suspendedUntil: null } })
  await cancelTimers(trx, { kind: DEVICE_TIMER, subjectId: locked.device.id })
  return after
}

/** A later change may have moved the end, so the timer checks the row. */
const endSuspension = async (trx: Db, deviceId: number): Promise<void> => {
  const locked = await lockDeviceForSystem(trx, deviceId)
  if (locked?.device.lifecycle !== 'SUSPENDED' || !locked.device.suspendedUntil) return
  const left = await secondsUntil(trx, locked.device.suspendedUntil)
  if (left > 0) await scheduleTimer(trx, { kind: DEVICE_TIMER, subjectId: deviceId, step: STEP, epoch: 1 }, left)
  else if (locked.installation) await resumeDevice(trx, null, locked)
}

export const deviceTimerHandlers: Record<typeof DEVICE_TIMER, TimerHandler> = {
  [DEVICE_TIMER]: {
    most: 1,
    // The same lock order as the verbs: the device before its timers (decision 016).
    lock: async (trx, deviceIds, patient) => {
      const devices = unscoped(trx, 'a timer acts for nobody in particular')
        .selectFrom('device')
        .select('id')
        .where('id', 'in', deviceIds)
        .orderBy('id')
        .forNoKeyUpdate()
      const locked = await (patient ? devices : devices.skipLocked()).execute()
      return locked.map(({ id }) => id)
    },
    execute: async (trx, keys) => {
      for (const { subjectId } of keys) await endSuspension(trx, subjectId)
    },
  },
}
