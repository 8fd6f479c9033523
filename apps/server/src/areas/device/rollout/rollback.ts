import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { getSetting } from '#settings/settings-cache'
import { listFrozenSchools, type LocalTime, loadLocalTime } from './freeze.ts'
import { rollbackPayload, sendUpdate } from './update-command.ts'

type Rollout = Row<'rollout'>

/** A device that is reachable but does not report is asked this often in all. */
const MAX_ATTEMPTS = 5
const ANSWER_MINUTES = 15
/** Devices that stay away longer need a person. */
const MAX_DAYS = 30
/** Devices that one run asks at most, so that a run stays short. */
const MAX_SENDS = 200

const devices = (trx: Db) => unscoped(trx, 'the devices of a rollout that is rolled back as a whole')

/**
 * Devices that took the package or may have taken it. A failed one may have it too, and so may one that was asked and
 * is offline. A device that a later rollout of the same kind has reached is left alone.
 */
const findPending = (trx: Db, { id, kind, modelId }: Rollout) =>
  devices(trx)
    .selectFrom('rolloutDevice')
    .innerJoin('device', 'device.id', 'rolloutDevice.deviceId')
    .innerJoin('deviceState', 'deviceState.deviceId', 'device.id')
    .where('rolloutDevice.rolloutId', '=', id)
    .where('rolloutDevice.state', '<>', 'ROLLED_BACK')
    .where('rolloutDevice.attempts', '>', 0)
    .where('rolloutDevice.rollbackAttempts', '<', MAX_ATTEMPTS)
    .where('device.modelId', '=', modelId)
    .where('device.lifecycle', '<>', 'RETIRED')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('rolloutDevice as later')
            .innerJoin('rollout', 'rollout.id', 'later.rolloutId')
            .select('later.id')
            .whereRef('later.deviceId', '=', 'rolloutDevice.deviceId')
            .where('later.rolloutId', '>', id)
            .where('later.attempts', '>', 0)
            .where('rollout.kind', '=', kind),
        ),
      ),
    )

/** Asks the reachable devices, except where pupils are in class or in exams: going back is an update as well. */
const askDevices = async (trx: Db, rollout: Rollout, now: LocalTime): Promise<void> => {
  if ((await getSetting(trx, 'ota.freeze')) === 'true') return
  const schools = await findPending(trx, rollout).select('device.schoolId').distinct().execute()
  const frozen = await listFrozenSchools(
    trx,
    schools.map(({ schoolId }) => schoolId),
    now,
  )
  const program = await trx
    .selectFrom('programPackage')
    .selectAll()
    .where('id', '=', rollout.packageId)
    .executeTakeFirstOrThrow()
  const reachable = await findPending(trx, rollout)
    .select(['rolloutDevice.id', 'rolloutDevice.deviceId', 'device.schoolId', 'device.deptId'])
    .where('deviceState.connectivity', 'in', ['ONLINE', 'LATE'])
    .where(sql<boolean>`(device.school_id is null or device.school_id <> all(${frozen}))`)
    .where(
      sql<boolean>`(rollout_device.rollback_sent_at is null
        or rollout_device.rollback_sent_at < now() - make_interval(mins => ${ANSWER_MINUTES}))`,
    )
    .orderBy('rolloutDevice.id')
    .limit(MAX_SENDS)
    .execute()
  for (const device of reachable) {
    await sendUpdate(trx, device, { payload: rollbackPayload(rollout.id, program), userId: rollout.updater })
    await trx
      .updateTable('rolloutDevice')
      .set({ rollbackAttempts: sql<number>`rollback_attempts + 1`, rollbackSentAt: sql<Date>`now()` })
      .where('id', '=', device.id)
      .execute()
  }
}

/** Asks the devices that did not report the rollback. @returns whether more is to be done later. */
export const advanceRollback = async (trx: Db, rollout: Rollout, now: LocalTime): Promise<boolean> => {
  await askDevices(trx, rollout, now)
  const pending = await findPending(trx, rollout)
    .select('rolloutDevice.id')
    .where(sql<boolean>`${rollout.rollbackAt}::timestamptz > now() - make_interval(days => ${MAX_DAYS})`)
    .limit(1)
    .executeTakeFirst()
  return pending !== undefined
}

/** The first run comes with the verb; a rollback that a person repeats starts to count again. */
export const beginRollback = async (trx: Db, rollout: Rollout): Promise<boolean> => {
  await trx
    .updateTable('rolloutDevice')
    .set({ rollbackAttempts: 0, rollbackSentAt: null })
    .where('rolloutId', '=', rollout.id)
    .execute()
  return advanceRollback(trx, rollout, await loadLocalTime(trx))
}
