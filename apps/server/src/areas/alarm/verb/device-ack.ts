import { AckStage } from '@tocsin/protocol/ack'
import { toAckStage, buildStageReceipt, isSilencedByCancel } from '#areas/alarm/intake/ack-stage'
import { insertReceipts } from '#areas/alarm/intake/pending-writes'
import type { AllTablesDb } from '#db/db'
import { emitEvents } from '#db/event'
import type { LockedRecord, VerbContext } from './verb-context.ts'

/** The record and all that were merged into it, one in the other: it stands for them. */
const countedIn = async (all: AllTablesDb, id: number): Promise<number[]> => {
  const counted = [id]
  for (let last = counted; last.length > 0; counted.push(...last)) {
    const children = await all.selectFrom('warnRecord').select('id').where('mergedIntoId', 'in', last).execute()
    last = children.map((child) => child.id)
  }
  return counted
}

const pressesOf = async (all: AllTablesDb, recordId: number) => {
  const latest = await all
    .selectFrom('signal')
    .distinctOn('deviceId')
    .select(['deviceId', 'eventId', 'code'])
    .where('recordId', 'in', await countedIn(all, recordId))
    .where('kind', '=', 'ALARM')
    .orderBy('deviceId')
    .orderBy('id', 'desc')
    .execute()
  return latest.filter(({ code }) => !isSilencedByCancel(code))
}

/**
 * What whoever pressed is told: one row per device of the record, about its latest press. A silent record stays dark on
 * site (domain, feature 30).
 * @param of only devices of this record, which was merged into it.
 */
export const stageMessages = async (
  { all, record }: Pick<VerbContext, 'all' | 'record'>,
  stage: AckStage,
  of = record.id,
) => {
  const presses = record.silent ? [] : await pressesOf(all, of)
  const { schoolId, deptId } = record
  return {
    receipts: presses.map((press) => buildStageReceipt(record, stage, press)),
    events: presses.map(({ deviceId }) => ({ type: 'device.outbox' as const, ref: deviceId, schoolId, deptId })),
  }
}

/** Tells it; nothing that others might hold is locked after this. */
export const notifyDevices = async (scene: VerbContext, stage: AckStage, of = scene.record.id): Promise<void> => {
  const { receipts, events } = await stageMessages(scene, stage, of)
  if (receipts.length > 0) await insertReceipts(receipts).execute(scene.trx)
  await emitEvents(scene.trx, ...events)
}

/** Whoever pressed for what was merged waits for what it was merged into: he is told where that is further than his. */
export const notifyMergedDevices = async (scene: VerbContext, child: LockedRecord): Promise<void> => {
  const [was, is] = [toAckStage(child), toAckStage(scene.record)]
  const order = AckStage.options
  if (order.indexOf(is) > order.indexOf(was)) await notifyDevices(scene, is, child.id)
}
