import { canMergeInto, isOnlyExpectedPress } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { appendLog } from '#areas/alarm/record-log'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import type { Actor } from '#http/route'
import { notifyMergedDevices } from './device-ack.ts'
import { type LockedRecord, lockForUser, type UserVerbContext, rejectWithRecord } from './verb-context.ts'
import { maxValidation, isMoreUrgent, levelChangeEntry, applyUrgencyChange } from './urgency.ts'
import { inTransaction, authorizeVerb, applyOutcome, clearedProposal } from './execute-verb.ts'

type Merge = { id: number; version: number; intoId: number }

/** An open target is not merged into anything, so no chain of merges can form a cycle (invariant 13). */
const fits = (child: LockedRecord, target: LockedRecord): boolean =>
  target.id !== child.id &&
  target.open &&
  // It ends by itself, which a duplicate would not.
  !isOnlyExpectedPress(child) &&
  !isOnlyExpectedPress(target) &&
  target.mode === child.mode &&
  canMergeInto(child.class, target.class) &&
  target.schoolId === child.schoolId &&
  (target.schoolId !== null || target.deptId === child.deptId)

/** Locks both rows in the order of their ids, so that two merges of the same pair do not deadlock. */
const lockBoth = async (trx: Db, actor: Actor, { id, intoId }: Merge): Promise<[UserVerbContext, UserVerbContext]> => {
  if (id === intoId) {
    const same = await lockForUser(trx, actor, id)
    return [same, same]
  }
  const first = await lockForUser(trx, actor, Math.min(id, intoId))
  const second = await lockForUser(trx, actor, Math.max(id, intoId))
  return id < intoId ? [first, second] : [second, first]
}

/** Gives the target the urgency of everything it now represents, as if both had been one record from the start. */
const tellTarget = async (context: UserVerbContext, child: LockedRecord): Promise<LockedRecord> => {
  const { all, trx, by, record } = context
  const { id, state, schoolId, deptId } = record
  const level = Math.min(record.level, child.level)
  const validation = maxValidation(record.validation, child.validation)
  const actor = { id: by.userId, name: by.nickname }
  const payload = { id: child.id, no: child.no }
  await appendLog(
    all,
    id,
    { kind: 'NOTE', verb: 'merged', actor, from: state, to: state, payload },
    ...(level < record.level ? [levelChangeEntry(record.level, level)] : []),
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
  await applyUrgencyChange({ ...context, record: after }, record)
  await emitEvents(trx, {
    type: isMoreUrgent(record, after) ? 'alarm.again' : 'alarm.changed',
    ref: id,
    schoolId,
    deptId,
  })
  return after
}

/** Ends the child as a duplicate, with its signals; both logs record it. */
export const merge = (db: Db, actor: Actor, input: Merge) =>
  inTransaction(db, async (trx) => {
    const [child, target] = await lockBoth(trx, actor, input)
    await authorizeVerb(child, 'merge', input.version)
    if (!fits(child.record, target.record)) throw await rejectWithRecord(child, codes.mergeTarget)
    const after = await applyOutcome(child, 'merge', {
      set: {
        // An unconfirmed proposal is not the result of the record.
        ...clearedProposal,
        disposition: 'DUPLICATE',
        mergedIntoId: target.record.id,
        resolverId: actor.userId,
      },
      payload: { intoId: target.record.id, intoNo: target.record.no },
      stage: null,
    })
    await notifyMergedDevices({ ...target, record: await tellTarget(target, after) }, child.record)
    return after
  })
