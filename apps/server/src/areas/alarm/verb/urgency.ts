import type { LogEntry } from '#areas/alarm/log'
import { cancelSteps, planOverdue, planRing } from '#areas/alarm/step/timing'
import type { Locked, Scene } from './scene.ts'
import { carryOut, nothingProposed } from './verb.ts'

export const levelEntry = (from: number, to: number): LogEntry => ({
  kind: 'SIGNAL',
  verb: 'raiseLevel',
  actor: 'system',
  payload: { from, to },
})

/** More came since somebody proposed that it was false: a second person would confirm what the first had not seen. */
const withdrawFalse = (scene: Scene): Promise<Locked> => {
  const { disposition, falseBy: proposedBy } = scene.record
  return carryOut(scene, 'refuseFalse', { set: nothingProposed, payload: { disposition, proposedBy } })
}

/** What is more urgent than what was shelved is not: nobody decided to have that out of his way. */
const offShelf = async (scene: Scene): Promise<Locked> => {
  await cancelSteps(scene.trx, scene.record.id, 'UNSHELVE')
  return carryOut(scene, 'unshelve', { set: { shelvedUntil: null } })
}

/**
 * An open record stands for more than before, and where `louder` for something more urgent: what people decided about
 * the lesser one no longer holds, and waits begin anew. The row in the scene has its new level and log already.
 */
export const grown = async (scene: Scene, louder: boolean): Promise<Locked> => {
  let { record } = scene
  if (record.falseBy !== null) record = await withdrawFalse(scene)
  if (!louder) return record
  if (record.shelvedUntil !== null) record = await offShelf({ ...scene, record })
  if (record.state === 'NEW') await planRing(scene.trx, record)
  await planOverdue(scene.trx, record)
  return record
}
