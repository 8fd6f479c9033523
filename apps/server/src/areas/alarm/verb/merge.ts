import { mergesInto } from '@tocsin/contract/alarm/machine'
import { codes } from '@tocsin/contract/codes'
import { appendLog } from '#areas/alarm/log'
import type { Db } from '#db/db'
import { announce } from '#db/event'
import type { Actor } from '#http/route'
import { tellMerged } from './device-ack.ts'
import { type Locked, personScene, type PersonScene, refused } from './scene.ts'
import { higher, isLouder, levelEntry, settleUrgency } from './urgency.ts'
import { act, admit, carryOut, nothingProposed } from './verb.ts'

type Merge = { id: number; version: number; intoId: number }

/** A target that is open is merged into nothing, so no chain of merges can come back to its start (invariant 13). */
const fits = (child: Locked, target: Locked): boolean =>
  target.id !== child.id &&
  target.open &&
  target.mode === child.mode &&
  mergesInto(child.class, target.class) &&
  target.schoolId === child.schoolId &&
  (target.schoolId !== null || target.deptId === child.deptId)

/** Both rows, locked in the order of their ids: two merges of the same pair wait instead of blocking each other. */
const lockBoth = async (trx: Db, actor: Actor, { id, intoId }: Merge): Promise<[PersonScene, PersonScene]> => {
  if (id === intoId) {
    const same = await personScene(trx, actor, id)
    return [same, same]
  }
  const first = await personScene(trx, actor, Math.min(id, intoId))
  const second = await personScene(trx, actor, Math.max(id, intoId))
  return id < intoId ? [first, second] : [second, first]
}

/** The target is as urgent as what it now stands for, as if both had been one record from the start. */
const tellTarget = async (scene: PersonScene, child: Locked): Promise<Locked> => {
  const { all, trx, by, record } = scene
  const { id, state, schoolId, deptId } = record
  const level = Math.min(record.level, child.level)
  const validation = higher(record.validation, child.validation)
  const actor = { id: by.userId, name: by.nickname }
  const payload = { id: child.id, no: child.no }
  await appendLog(
    all,
    id,
    { kind: 'NOTE', verb: 'merged', actor, from: state, to: state, payload },
    ...(level < record.level ? [levelEntry(record.level, level)] : []),
  )
  const after = await all
    .updateTable('warnRecord')
    .set({
      level,
      validation,
      duress: record.duress || child.duress,
      silent: record.silent || child.silent,
      late: record.late && child.late,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await settleUrgency({ ...scene, record: after }, record)
  await announce(trx, { type: isLouder(record, after) ? 'alarm.again' : 'alarm.changed', ref: id, schoolId, deptId })
  return after
}

/** The child ends as a duplicate and keeps its signals; both logs say so. */
export const merge = (db: Db, actor: Actor, given: Merge) =>
  act(db, async (trx) => {
    const [child, target] = await lockBoth(trx, actor, given)
    await admit(child, 'merge', given.version)
    if (!fits(child.record, target.record)) throw await refused(child, codes.mergeTarget)
    const after = await carryOut(child, 'merge', {
      set: {
        // What somebody proposed that nobody confirmed is not how it ended.
        ...nothingProposed,
        disposition: 'DUPLICATE',
        mergedIntoId: target.record.id,
        resolverId: actor.userId,
      },
      payload: { intoId: target.record.id, intoNo: target.record.no },
      stage: null,
    })
    await tellMerged({ ...target, record: await tellTarget(target, after) }, child.record)
    return after
  })
