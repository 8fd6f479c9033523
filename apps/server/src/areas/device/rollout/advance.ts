import { LAST_RING } from '@tocsin/contract/device/rollout/rollout-machine'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { getSetting } from '#settings/settings-cache'
import type { TimerHandler } from '#timer/scheduler'
import { listFrozenSchools, type LocalTime, loadLocalTime } from './freeze.ts'
import { advanceRollback } from './rollback.ts'
import { recordRolloutChange } from './rollout-change.ts'
import { loadFigures } from './rollout-reads.ts'
import { sendUpdate, updatePayload, withdrawUpdates } from './update-command.ts'

type Rollout = Row<'rollout'>

export const ROLLOUT_TIMER = 'rollout'
const STEP = 'ADVANCE'
const EVERY_SEC = 60
/** Devices that one run starts at most, so that a run stays short. */
const MAX_STARTS = 200
const ANSWER_MINUTES = 15
const MAX_ATTEMPTS = 3
/** A download or an update that does not move on for so long has failed. */
const STALL_MINUTES = 60

const devices = (trx: Db) => unscoped(trx, 'the devices of a rollout, which the server advances')

const setState = async (trx: Db, before: Rollout, action: string, set: Partial<Rollout>): Promise<Rollout> => {
  const after = await trx
    .updateTable('rollout')
    .set({ ...set, version: sql<number>`version + 1`, updateTime: sql<Date>`now()` })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordRolloutChange(trx, null, { action, id: before.id, before, after })
  return after
}

/** A device that said nothing after the command is asked again, and fails after the last attempt. */
const retrySilent = async (trx: Db, { id }: Rollout): Promise<void> => {
  const silent = (attempts: '<' | '>=') =>
    devices(trx)
      .updateTable('rolloutDevice')
      .where('rolloutId', '=', id)
      .where('state', '=', 'INITIATED')
      .where('changedAt', '<', sql<Date>`now() - make_interval(mins => ${ANSWER_MINUTES})`)
      .where('attempts', attempts, MAX_ATTEMPTS)
  await silent('>=').set({ state: 'FAILED', error: 'NO_ANSWER', changedAt: sql<Date>`now()` }).execute()
  await silent('<').set({ state: 'QUEUED', changedAt: sql<Date>`now()` }).execute()
}

/** A device that stopped on the way would hold its ring for ever: it fails, and the gate counts it. */
const failStalled = (trx: Db, { id }: Rollout) =>
  devices(trx)
    .updateTable('rolloutDevice')
    .set({ state: 'FAILED', error: 'STALLED', changedAt: sql<Date>`now()` })
    .where('rolloutId', '=', id)
    .where('state', 'in', ['DOWNLOADING', 'DOWNLOADED', 'VERIFIED', 'UPDATING'])
    .where('changedAt', '<', sql<Date>`now() - make_interval(mins => ${STALL_MINUTES})`)
    .execute()

/** A waiting device that left service or has another model by now is no part of the rollout any more. */
const dropForeign = async (trx: Db, { id, modelId }: Rollout): Promise<void> => {
  const foreign = await devices(trx)
    .selectFrom('rolloutDevice')
    .innerJoin('device', 'device.id', 'rolloutDevice.deviceId')
    .select(['rolloutDevice.id', 'rolloutDevice.attempts'])
    .where('rolloutDevice.rolloutId', '=', id)
    .where('rolloutDevice.state', '=', 'QUEUED')
    .where((eb) => eb.or([eb('device.lifecycle', '<>', 'IN_SERVICE'), eb('device.modelId', '<>', modelId)]))
    .execute()
  const [items, never] = [foreign.filter((item) => item.attempts > 0), foreign.filter((item) => item.attempts === 0)]
  const ids = (of: typeof foreign) => sql<boolean>`id = any(${of.map((item) => item.id)})`
  if (items.length > 0)
    await devices(trx)
      .updateTable('rolloutDevice')
      .set({ state: 'FAILED', error: 'NOT_IN_SERVICE', changedAt: sql<Date>`now()` })
      .where(ids(items))
      .execute()
  if (never.length > 0) await devices(trx).deleteFrom('rolloutDevice').where(ids(never)).execute()
}

/** Devices that could start now, by the state of the device itself. */
const findWaiting = (trx: Db, { id, ring, modelId }: Rollout) =>
  devices(trx)
    .selectFrom('rolloutDevice')
    .innerJoin('device', 'device.id', 'rolloutDevice.deviceId')
    .innerJoin('deviceState', 'deviceState.deviceId', 'device.id')
    .where('rolloutDevice.rolloutId', '=', id)
    .where('rolloutDevice.state', '=', 'QUEUED')
    .where('rolloutDevice.ring', '<=', ring)
    .where('device.lifecycle', '=', 'IN_SERVICE')
    .where('device.modelId', '=', modelId)
    .where('deviceState.connectivity', 'in', ['ONLINE', 'LATE'])

/** Starts online devices of the rings so far, except where pupils are in class or in exams. @returns how many. */
const startDevices = async (trx: Db, rollout: Rollout, now: LocalTime): Promise<number> => {
  const { id, updater } = rollout
  if ((await getSetting(trx, 'ota.freeze')) === 'true') return 0
  const schools = await findWaiting(trx, rollout).select('device.schoolId').distinct().execute()
  const frozen = await listFrozenSchools(
    trx,
    schools.map(({ schoolId }) => schoolId),
    now,
  )
  const waiting = await findWaiting(trx, rollout)
    .select(['rolloutDevice.id', 'rolloutDevice.deviceId', 'device.schoolId', 'device.deptId'])
    .where(sql<boolean>`(device.school_id is null or device.school_id <> all(${frozen}))`)
    .orderBy('rolloutDevice.id')
    .limit(MAX_STARTS)
    .execute()
  const program = await trx
    .selectFrom('programPackage')
    .selectAll()
    .where('id', '=', rollout.packageId)
    .executeTakeFirstOrThrow()
  for (const device of waiting) {
    await sendUpdate(trx, device, { payload: updatePayload(id, program), userId: updater })
    await devices(trx)
      .updateTable('rolloutDevice')
      .set({ state: 'INITIATED', attempts: sql<number>`attempts + 1`, changedAt: sql<Date>`now()` })
      .where('id', '=', device.id)
      .execute()
  }
  return waiting.length
}

/**
 * One step of a running rollout: the health gate first, then the end of the ring, then new devices. After a rollback:
 * the devices that did not report it yet.
 * @returns whether it runs on.
 */
export const advanceRollout = async (trx: Db, rolloutId: number, now: LocalTime): Promise<boolean> => {
  const rollout = await trx
    .selectFrom('rollout')
    .selectAll()
    .where('id', '=', rolloutId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (rollout?.state === 'HALTED' && rollout.rollbackAt !== null) return advanceRollback(trx, rollout, now)
  if (rollout?.state !== 'RING') return false
  await retrySilent(trx, rollout)
  await failStalled(trx, rollout)
  await dropForeign(trx, rollout)
  const { badPct, rings } = await loadFigures(trx, rolloutId)
  if (badPct > rollout.maxBadPct) {
    await withdrawUpdates(trx, rolloutId)
    const reason = `${badPct}% > ${rollout.maxBadPct}%`
    await setState(trx, rollout, 'halt', { state: 'HALTED', reason, endedAt: new Date() })
    return false
  }
  let { ring } = rollout
  const isFinished = (no: number) => rings.every((ring) => ring.ring !== no || ring.ended === ring.total)
  while (ring < LAST_RING && isFinished(ring)) ring += 1
  if (ring === LAST_RING && isFinished(ring)) {
    await setState(trx, rollout, 'complete', { state: 'COMPLETED', ring, endedAt: new Date() })
    return false
  }
  const current = ring === rollout.ring ? rollout : await setState(trx, rollout, 'ring', { ring })
  if ((await startDevices(trx, current, now)) > 0) await emitEvents(trx, { type: 'rollout.changed', ref: rolloutId })
  return true
}

const insertRun = (trx: Db, subjectId: number, { epoch, seconds }: { epoch: number; seconds: number }) =>
  trx
    .insertInto('timer')
    .values({
      kind: ROLLOUT_TIMER,
      subjectId,
      step: STEP,
      epoch,
      dueAt: sql<Date>`now() + make_interval(secs => ${seconds})`,
    })
    .onConflict((conflict) => conflict.constraint('timer_step_key').doNothing())
    .execute()

/** The first run comes at once; each run schedules the next one. */
export const scheduleAdvance = async (trx: Db, rolloutId: number): Promise<void> => {
  const last = await trx
    .selectFrom('timer')
    .select('epoch')
    .where('kind', '=', ROLLOUT_TIMER)
    .where('subjectId', '=', rolloutId)
    .orderBy('epoch', 'desc')
    .executeTakeFirst()
  await insertRun(trx, rolloutId, { epoch: (last?.epoch ?? 0) + 1, seconds: 0 })
}

export const rolloutTimerHandlers: Record<typeof ROLLOUT_TIMER, TimerHandler> = {
  [ROLLOUT_TIMER]: {
    most: 1,
    // As the verbs do: the rollout before its timers (decision 016).
    lock: async (trx, ids, patient) => {
      const found = trx.selectFrom('rollout').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate()
      const locked = await (patient ? found : found.skipLocked()).execute()
      return locked.map(({ id }) => id)
    },
    execute: async (trx, keys) => {
      const now = await loadLocalTime(trx)
      for (const { subjectId, epoch } of keys)
        if (await advanceRollout(trx, subjectId, now))
          await insertRun(trx, subjectId, { epoch: epoch + 1, seconds: EVERY_SEC })
    },
  },
}
