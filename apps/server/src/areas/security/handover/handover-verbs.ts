import { codes } from '@tocsin/contract/codes'
import { type HandoverDraft, HandoverSummary } from '@tocsin/contract/security/handover'
import {
  handoverRule,
  type HandoverVerb,
  openHandoverStates,
  whyNotHandoverVerb,
} from '@tocsin/contract/security/handover-machine'
import { END_GRACE_MIN } from '@tocsin/contract/security/shift-machine'
import { sql } from 'kysely'
import { z } from 'zod'
import { createRow, lockRow, updateRow } from '#areas/audit/edit-row'
import { runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { assertOwnerVisible, type Owner } from '../owner.ts'
import { shiftTable, type StoredShift } from '../shift/shift-rows.ts'
import { handoverTable, type StoredHandover } from './handover-rows.ts'
import { buildSummary, findOwned, findUnowned } from './handover-summary.ts'

export const createHandover = (db: Db, { note, ...owner }: HandoverDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    await assertOwnerVisible(trx, caller.actor, owner)
    const values = { ...owner, note: note || null, giverId: caller.actor.userId }
    return (await createRow(trx, caller, handoverTable, values)).id
  })

/** How many numbers of alarms a message names. */
const MAX_NAMED = 3

const nameSome = (numbers: readonly string[], count = numbers.length): string =>
  numbers.slice(0, MAX_NAMED).join('、') + (count > Math.min(numbers.length, MAX_NAMED) ? '…' : '')

type Ref = { id: number; version?: number | undefined }
type Applied = { before: StoredHandover; after: StoredHandover }

/** The summary of a department is what its taker sees, and all readers of the handover read it. */
const assertMember = ({ schoolId, deptId }: StoredHandover, { actor }: Caller): void => {
  if (schoolId === null && actor.deptId !== deptId) throw new BusinessError(codes.handoverMember)
}

const applyVerb = async (
  trx: Db,
  ref: Ref,
  caller: Caller,
  { verb, columns }: { verb: HandoverVerb; columns: (before: StoredHandover) => Promise<object> | object },
): Promise<Applied> => {
  const before = await lockRow(trx, caller, handoverTable, ref)
  if (verb === 'take') assertMember(before, caller)
  const { to, needsOwners } = handoverRule(verb)
  const unowned = needsOwners ? await findUnowned(trx, caller.actor, before) : []
  const facts = { state: before.state, isGiver: before.giverId === caller.actor.userId, lacking: unowned.length }
  const why = whyNotHandoverVerb(verb, facts)
  if (why) {
    throw new BusinessError(why, { state: before.state, lacking: unowned.length, numbers: nameSome(unowned) })
  }
  const changes = { ...(await columns(before)), ...(to !== 'same' && { state: to }) }
  return { before, after: await updateRow(trx, caller, handoverTable, { before, changes, verb }) }
}

const run = (db: Db, caller: Caller, change: (trx: Db) => Promise<unknown>): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    await change(trx)
    return true
  })

export const noteHandover = (db: Db, { note, ...ref }: Ref & { note: string | null }, caller: Caller): Promise<true> =>
  run(db, caller, (trx) => applyVerb(trx, ref, caller, { verb: 'note', columns: () => ({ note: note || null }) }))

export const giveHandover = (db: Db, ref: Ref, caller: Caller): Promise<true> =>
  run(db, caller, (trx) => applyVerb(trx, ref, caller, { verb: 'give', columns: () => ({ givenAt: new Date() }) }))

export const cancelHandover = (db: Db, ref: Ref, caller: Caller): Promise<true> =>
  run(db, caller, (trx) => applyVerb(trx, ref, caller, { verb: 'cancel', columns: () => ({}) }))

const MINUTE_MS = 60_000

const ofOwner = ({ schoolId, deptId }: Owner) =>
  sql<boolean>`(shift.school_id is not distinct from ${schoolId} and shift.dept_id is not distinct from ${deptId})`

/** The shift of the person who leaves ends with the second signature, unless its time is not over. */
const endShift = async (trx: Db, { giverId, ...owner }: StoredHandover, caller: Caller): Promise<void> => {
  const now = new Date()
  const shifts = await unscoped(trx, 'the shift of the person who hands over')
    .selectFrom('shift')
    .innerJoin('employee', 'employee.id', 'shift.employeeId')
    .selectAll('shift')
    .where('employee.userId', '=', giverId)
    .where('shift.state', '=', 'CHECKED_IN')
    .where('shift.toAt', '<=', new Date(now.getTime() + END_GRACE_MIN * MINUTE_MS))
    .where(ofOwner(owner), '=', true)
    .forUpdate('shift')
    .execute()
  for (const before of shifts)
    await updateRow(trx, caller, shiftTable, {
      before,
      changes: { state: 'DONE', checkedOutAt: now },
      verb: 'check-out',
    })
}

export const takeHandover = (
  db: Db,
  { note, ...ref }: Ref & { note?: string | null | undefined },
  caller: Caller,
): Promise<true> =>
  run(db, caller, async (trx) => {
    const { after } = await applyVerb(trx, ref, caller, {
      verb: 'take',
      columns: async (before) => {
        const summary = await buildSummary(trx, caller.actor, before)
        return {
          takerId: caller.actor.userId,
          takerNote: note || null,
          takenAt: new Date(),
          // The driver would write the list as an array of SQL; the column is one JSON value.
          summary: sql<object>`${JSON.stringify(z.encode(HandoverSummary, summary))}::jsonb`,
        }
      },
    })
    await endShift(trx, after, caller)
  })

/** Rejects the end of one's own shift while one's handover of the same unit waits for a signature. */
export const assertHandedOver = async (trx: Db, owner: Owner, { actor }: Caller): Promise<void> => {
  const open = await unscoped(trx, 'one’s own handover')
    .selectFrom('handover')
    .select('id')
    .where('giverId', '=', actor.userId)
    .where('state', 'in', [...openHandoverStates])
    .where(
      sql<boolean>`(school_id is not distinct from ${owner.schoolId} and dept_id is not distinct from ${owner.deptId})`,
      '=',
      true,
    )
    .executeTakeFirst()
  if (open) throw new BusinessError(codes.handoverFirst)
}

/** Rejects the end of the shift of a seat whose person owns open alarms, whoever ends it. */
export const assertOwnsNoAlarm = async (
  trx: Db,
  { postId, employeeId }: Pick<StoredShift, 'postId' | 'employeeId'>,
  { actor }: Caller,
): Promise<void> => {
  const person = await unscoped(trx, 'the person of a shift that was locked in sight')
    .selectFrom('employee')
    .innerJoin('securityPost', (join) => join.on('securityPost.id', '=', postId).on('securityPost.type', '=', 'SEAT'))
    .select(['employee.name', 'employee.userId'])
    .where('employee.id', '=', employeeId)
    .executeTakeFirst()
  if (!person || person.userId === null) return
  const { count, numbers } = await findOwned(trx, actor, person.userId)
  if (count > 0)
    throw new BusinessError(codes.shiftOwnsAlarms, { name: person.name, count, numbers: nameSome(numbers, count) })
}
