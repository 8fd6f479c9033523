import type { AckStage } from '@tocsin/protocol/ack'
import { sql } from 'kysely'
import { announce } from '#db/event'
import type { Locked, Scene } from './scene.ts'

/** A stage that reaches a device later than this would light it up for a case long over. */
const VALID = sql<Date>`now() + interval '1 hour'`

const pressesOf = ({ all, record }: Scene) =>
  all
    .selectFrom('signal')
    .distinctOn('deviceId')
    .select(['deviceId', 'eventId'])
    .where('recordId', '=', record.id)
    .where('kind', '=', 'ALARM')
    .orderBy('deviceId')
    .orderBy('id', 'desc')
    .execute()

const payloadOf = (record: Locked, eventId: string, stage: AckStage) => ({ eventId, stage, recordNo: record.no })

/**
 * Tells whoever pressed how far it is: one row per device of the record, about its latest press. A silent record stays
 * dark on site (domain, feature 30).
 */
export const tellDevices = async (scene: Scene, stage: AckStage): Promise<void> => {
  const { trx, record } = scene
  if (record.silent) return
  const presses = await pressesOf(scene)
  if (presses.length === 0) return
  await trx
    .insertInto('deviceOutbox')
    .values(
      presses.map(({ deviceId, eventId }) => ({
        deviceId,
        channel: 'ack' as const,
        key: `${record.id}.${stage}`,
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
