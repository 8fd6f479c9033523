import { AckStage } from '@tocsin/protocol/ack'
import { stageOf, stageReceipt, wentDark } from '#areas/alarm/intake/stage'
import { insertReceipts } from '#areas/alarm/intake/write'
import type { AllDb } from '#db/db'
import { announce } from '#db/event'
import type { Locked, Scene } from './scene.ts'

/** The record and all that were merged into it, one in the other: it stands for them. */
const countedIn = async (all: AllDb, id: number): Promise<number[]> => {
  const counted = [id]
  for (let last = counted; last.length > 0; counted.push(...last)) {
    const children = await all.selectFrom('warnRecord').select('id').where('mergedIntoId', 'in', last).execute()
    last = children.map((child) => child.id)
  }
  return counted
}

const pressesOf = async (all: AllDb, recordId: number) => {
  const latest = await all
    .selectFrom('signal')
    .distinctOn('deviceId')
    .select(['deviceId', 'eventId', 'code'])
    .where('recordId', 'in', await countedIn(all, recordId))
    .where('kind', '=', 'ALARM')
    .orderBy('deviceId')
    .orderBy('id', 'desc')
    .execute()
  return latest.filter(({ code }) => !wentDark(code))
}

/**
 * What whoever pressed is told: one row per device of the record, about its latest press. A silent record stays dark on
 * site (domain, feature 30).
 * @param of only devices of this record, which was merged into it.
 */
export const wordsFor = async ({ all, record }: Pick<Scene, 'all' | 'record'>, stage: AckStage, of = record.id) => {
  const presses = record.silent ? [] : await pressesOf(all, of)
  const { schoolId, deptId } = record
  return {
    receipts: presses.map((press) => stageReceipt(record, stage, press)),
    events: presses.map(({ deviceId }) => ({ type: 'device.outbox' as const, ref: deviceId, schoolId, deptId })),
  }
}

/** Tells it; nothing that others might hold is locked after this. */
export const tellDevices = async (scene: Scene, stage: AckStage, of = scene.record.id): Promise<void> => {
  const { receipts, events } = await wordsFor(scene, stage, of)
  if (receipts.length > 0) await insertReceipts(receipts).execute(scene.trx)
  await announce(scene.trx, ...events)
}

/** Whoever pressed for what was merged waits for what it was merged into: he is told where that is further than his. */
export const tellMerged = async (scene: Scene, child: Locked): Promise<void> => {
  const [was, is] = [stageOf(child), stageOf(scene.record)]
  const order = AckStage.options
  if (order.indexOf(is) > order.indexOf(was)) await tellDevices(scene, is, child.id)
}
