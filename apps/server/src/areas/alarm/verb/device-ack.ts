import { AckStage } from '@tocsin/protocol/ack'
import { stageOf, stageReceipt } from '#areas/alarm/intake/stage'
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

/**
 * Tells whoever pressed how far it is: one row per device of the record, about its latest press. A silent record stays
 * dark on site (domain, feature 30).
 * @param of only devices of this record, which was merged into it.
 */
export const tellDevices = async ({ trx, all, record }: Scene, stage: AckStage, of = record.id): Promise<void> => {
  if (record.silent) return
  const presses = await pressesOf(all, of)
  if (presses.length === 0) return
  await insertReceipts(presses.map((press) => stageReceipt(record, stage, press))).execute(trx)
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
