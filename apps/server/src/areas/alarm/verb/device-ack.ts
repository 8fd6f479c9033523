import { AckStage } from '@tocsin/protocol/ack'
import { sql } from 'kysely'
import { stageKey, stageOf } from '#areas/alarm/intake/stage'
import type { AllDb } from '#db/db'
import { announce } from '#db/event'
import type { Locked, Scene } from './scene.ts'

/** A stage that reaches a device later than this would light it up for a case long over. */
const VALID = sql<Date>`now() + interval '1 hour'`

/** The record and all that were merged into it, one in the other: it stands for them. */
const countedIn = async (all: AllDb, id: number): Promise<number[]> => {
  const counted = [id]
  for (let last = counted; last.length > 0; counted.push(...last)) {
    const children = await all.selectFrom('warnRecord').select('id').where('mergedIntoId', 'in', last).execute()
    last = children.map((child) => child.id)
  }
  return counted
}

const pressesOf = async (all: AllDb, recordId: number) =>
  all
    .selectFrom('signal')
    .distinctOn('deviceId')
    .select(['deviceId', 'eventId'])
    .where('recordId', 'in', await countedIn(all, recordId))
    .where('kind', '=', 'ALARM')
    .orderBy('deviceId')
    .orderBy('id', 'desc')
    .execute()

const payloadOf = (record: Locked, eventId: string, stage: AckStage) => ({ eventId, stage, recordNo: record.no })

/**
 * Tells whoever pressed how far it is: one row per device of the record, about its latest press. A silent record stays
 * dark on site (domain, feature 30).
 * @param of only devices of this record, which was merged into it.
 */
export const tellDevices = async ({ trx, all, record }: Scene, stage: AckStage, of = record.id): Promise<void> => {
  if (record.silent) return
  const presses = await pressesOf(all, of)
  if (presses.length === 0) return
  await trx
    .insertInto('deviceOutbox')
    .values(
      presses.map(({ deviceId, eventId }) => ({
        deviceId,
        channel: 'ack' as const,
        key: stageKey(record.id, stage),
        payload: payloadOf(record, eventId, stage),
        expiresAt: VALID,
      })),
    )
    .onConflict((conflict) =>
      conflict.constraint('device_outbox_key').doUpdateSet((eb) => ({
        payload: eb.ref('excluded.payload'),
        expiresAt: eb.ref('excluded.expiresAt'),
        createdAt: sql`now()`,
        sentAt: null,
      })),
    )
    .execute()
  const { schoolId, deptId } = record
  await announce(
    trx,
    ...presses.map(({ deviceId }) => ({ type: 'device.outbox' as const, ref: deviceId, schoolId, deptId })),
  )
}

/** Whoever pressed for what was merged waits for what it was merged into: he is told where that is further than his. */
export const tellMerged = async (scene: Scene, child: Locked): Promise<void> => {
  const [was, is] = [stageOf(child), stageOf(scene.record)]
  const order = AckStage.options
  if (order.indexOf(is) > order.indexOf(was)) await tellDevices(scene, is, child.id)
}
