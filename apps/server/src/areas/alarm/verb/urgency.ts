import type { LogEntry } from '#areas/alarm/log'
import { cancelSteps, planOverdue, planRing } from '#areas/alarm/step/timing'
import type { Locked, Scene } from './scene.ts'
import { planEscalation, THREAT_TO_LIFE } from './timers.ts'
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

type Urgency = Pick<Locked, 'level' | 'validation' | 'late'>

const becameGrave = (before: Urgency, after: Urgency): boolean =>
  after.validation === THREAT_TO_LIFE && before.validation !== THREAT_TO_LIFE

/** The higher validation of two; none is the lowest. */
export const higher = (a: number | null, b: number | null): number | null => (a === null || (b ?? -1) > a ? b : a)

/** Whether a record calls louder than it did: by its level, since a life is in danger, or since it is no old news. */
export const isLouder = (before: Urgency, after: Urgency): boolean =>
  after.level < before.level || becameGrave(before, after) || (before.late && !after.late)

/**
 * An open record stands for more than `before`, and perhaps for something more urgent: then what people decided about
 * the lesser one no longer holds, and waits begin anew. The row in the scene has its new columns and log already.
 */
export const settleUrgency = async (scene: Scene, before: Urgency): Promise<Locked> => {
  let { record } = scene
  if (record.falseBy !== null) record = await withdrawFalse(scene)
  if (!isLouder(before, record)) return record
  if (becameGrave(before, record)) await planEscalation(scene.trx, record)
  if (record.shelvedUntil !== null) record = await offShelf({ ...scene, record })
  if (record.state === 'NEW') await planRing(scene.trx, record)
  await planOverdue(scene.trx, record)
  return record
}
