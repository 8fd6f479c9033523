import { codes } from '@tocsin/contract/codes'
import { addDays, slotOnDay, startOfWeek } from '@tocsin/contract/security/hours'
import type { OwnerWeek, ShiftDraft, ShiftEdit } from '@tocsin/contract/security/shift'
import { createRow, deleteRow, editRow, lockRow, updateRow } from '#areas/audit/edit-row'
import { changedColumns, runEdit } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { findGaps } from '../gap/find-gaps.ts'
import { assertOwnerVisible } from '../owner.ts'
import { assertAssignable, assertShiftSpan } from './conflicts.ts'
import { notifyChangedShift, notifyPublished } from './shift-notices.ts'
import { findPost, formatShiftTime, shiftTable, type StoredShift } from './shift-rows.ts'
import { cancelShiftTimers, scheduleShiftTimers } from './shift-timers.ts'

const DAY_MS = 86_400_000

const insertShift = async (
  trx: Db,
  caller: Caller,
  { remark, ...draft }: ShiftDraft,
  standInFor: number | null = null,
): Promise<StoredShift> => {
  const { schoolId, deptId, enabled } = await findPost(trx, caller.actor, draft.postId)
  if (!enabled) throw new BusinessError(codes.notFound, { what: '岗位' })
  assertShiftSpan(draft)
  await assertAssignable(trx, draft, { schoolId, deptId }, [])
  return createRow(trx, caller, shiftTable, { ...draft, schoolId, deptId, standInFor, remark: remark ?? null })
}

/** Everybody would be absent from a shift that is over, because it cannot be checked into. */
const assertNotOver = ({ toAt }: Pick<StoredShift, 'toAt'>): void => {
  if (toAt.getTime() <= Date.now()) throw new BusinessError(codes.shiftPast)
}

export const createShift = (db: Db, draft: ShiftDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    assertNotOver(draft)
    return (await insertShift(trx, caller, draft)).id
  })

const assertPlanned = ({ state }: StoredShift): void => {
  if (state !== 'PLANNED') throw new BusinessError(codes.shiftState, { state })
}

export const updateShift = (db: Db, edit: ShiftEdit, caller: Caller): Promise<true> =>
  editRow(db, caller, shiftTable, {
    ...edit,
    change: async (trx, before) => {
      const changes = changedColumns(edit)
      const after = { ...before, ...changes }
      const { schoolId, deptId } = await findPost(trx, caller.actor, after.postId)
      assertPlanned(before)
      assertShiftSpan(after)
      if (after.toAt.getTime() !== before.toAt.getTime()) assertNotOver(after)
      await assertAssignable(trx, after, { schoolId, deptId }, [before.id])
      if (before.publishedAt) await scheduleShiftTimers(trx, after)
      await notifyChangedShift(trx, before, after)
      return { ...changes, schoolId, deptId }
    },
  })

export const deleteShift = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const shift = await lockRow(trx, caller, shiftTable, { id })
    assertPlanned(shift)
    await cancelShiftTimers(trx, id)
    await notifyChangedShift(trx, shift)
    await deleteRow(trx, caller, shiftTable, shift)
    return true
  })

type Filled = { created: number; skipped: number }

/**
 * Inserts shifts without a conflict; the others are counted, and the planner sees the gaps. Shifts that are over are
 * skipped too: everybody would be absent from them.
 */
const insertEach = async (trx: Db, caller: Caller, drafts: readonly ShiftDraft[]): Promise<Filled> => {
  const now = new Date()
  let created = 0
  for (const draft of drafts.filter(({ toAt }) => toAt > now)) {
    const inserted = await insertShift(trx, caller, draft).catch((error: unknown) => {
      // An error is thrown before anything is written, so the transaction can continue.
      if (error instanceof BusinessError) return undefined
      throw error
    })
    if (inserted) created += 1
  }
  const skipped = drafts.length - created
  if (created === 0) throw new BusinessError(codes.shiftNoneCreated, { skipped })
  return { created, skipped }
}

/** The shifts of one visible owner: a caller who sees all schools would otherwise change the drafts of each. */
const shiftsOfWeek = async (trx: Db, caller: Caller, { week, schoolId = null, deptId = null }: OwnerWeek) => {
  if ((schoolId === null) === (deptId === null)) throw new BusinessError(codes.shiftOneOwner)
  await assertOwnerVisible(trx, caller.actor, { schoolId, deptId })
  return {
    rows: scoped(trx, caller.actor)
      .selectFrom('shift')
      .selectAll()
      .where('fromAt', '>=', startOfWeek(week))
      .where('fromAt', '<', addDays(startOfWeek(week), 7))
      .where(schoolId === null ? 'deptId' : 'schoolId', '=', schoolId ?? deptId)
      .orderBy('fromAt')
      .orderBy('id'),
  }
}

export const copyWeek = (db: Db, { week, ...owner }: OwnerWeek, caller: Caller): Promise<Filled> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const lastWeek = addDays(startOfWeek(week), -7)
    const { rows } = await shiftsOfWeek(trx, caller, { ...owner, week: lastWeek })
    const before = await rows.where('standInFor', 'is', null).execute()
    const later = (at: Date) => new Date(at.getTime() + 7 * DAY_MS)
    const drafts = before.map(({ postId, employeeId, fromAt, toAt, remark }) => {
      return { postId, employeeId, fromAt: later(fromAt), toAt: later(toAt), remark }
    })
    return insertEach(trx, caller, drafts)
  })

type Fill = { week: Date; postId: number; employeeIds: readonly number[] }

/** Plans a week of a post by its hours; people rotate. */
export const fillWeek = (db: Db, { week, postId, employeeIds }: Fill, caller: Caller): Promise<Filled> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const post = await findPost(trx, caller.actor, postId)
    const first = startOfWeek(week)
    const slots = Array.from({ length: 7 }, (_, day) => slotOnDay(post, addDays(first, day))).filter(
      (slot) => slot !== undefined,
    )
    const places = slots.flatMap((slot) => Array.from({ length: post.headcount }, () => slot))
    const drafts = places.map(({ from, to }, at) => ({
      postId,
      employeeId: employeeIds[at % employeeIds.length] ?? 0,
      fromAt: from,
      toAt: to,
    }))
    return insertEach(trx, caller, drafts)
  })

type Publication = OwnerWeek & { reason?: string | undefined }

/**
 * Publishes what is not over of a week; a gap within 24 hours needs a reason.
 * @returns how many shifts
 */
export const publishWeek = (db: Db, { reason, ...week }: Publication, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { rows } = await shiftsOfWeek(trx, caller, week)
    const found = await rows.where('publishedAt', 'is', null).where('toAt', '>', new Date()).forNoKeyUpdate().execute()
    if (found.length === 0) throw new BusinessError(codes.shiftNothing)
    const published: StoredShift[] = []
    for (const before of found) {
      const changes = { publishedAt: new Date(), ...(reason && { remark: before.remark ?? reason }) }
      const after = await updateRow(trx, caller, shiftTable, { before, changes, verb: 'publish' })
      await scheduleShiftTimers(trx, after)
      published.push(after)
    }
    const schoolIds = [...new Set(published.flatMap((shift) => shift.schoolId ?? []))]
    const [gap] = reason ? [] : await findGaps(trx, schoolIds, new Date())
    if (gap)
      throw new BusinessError(codes.shiftGap, {
        school: gap.schoolName,
        from: formatShiftTime(gap.from),
        to: formatShiftTime(gap.to),
      })
    await notifyPublished(trx, published)
    return published.length
  })

/** The absent shift is locked, so of two planners one is first. Another one may follow who is absent or left. */
const assertNobodyStandsIn = async (trx: Db, shiftId: number): Promise<void> => {
  const found = await unscoped(trx, 'stand-ins of a shift that was locked in sight')
    .selectFrom('shift')
    .innerJoin('employee', 'employee.id', 'shift.employeeId')
    .select('employee.name')
    .where('shift.standInFor', '=', shiftId)
    .where('shift.state', 'not in', ['ABSENT', 'LEFT_EARLY'])
    .executeTakeFirst()
  if (found) throw new BusinessError(codes.shiftStoodIn, { name: found.name })
}

/** A stand-in takes the shift of an absent person; published at once, because it is about to begin. */
export const standIn = (
  db: Db,
  { shiftId, employeeId }: { shiftId: number; employeeId: number },
  caller: Caller,
): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const absent = await lockRow(trx, caller, shiftTable, { id: shiftId })
    if (absent.state !== 'ABSENT') throw new BusinessError(codes.shiftState, { state: absent.state })
    assertNotOver(absent)
    await assertNobodyStandsIn(trx, shiftId)
    const { postId, fromAt, toAt } = absent
    const shift = await insertShift(trx, caller, { postId, employeeId, fromAt, toAt }, shiftId)
    const after = await updateRow(trx, caller, shiftTable, {
      before: shift,
      changes: { publishedAt: new Date() },
      verb: 'publish',
    })
    await scheduleShiftTimers(trx, after)
    await notifyPublished(trx, [after])
    return shift.id
  })
