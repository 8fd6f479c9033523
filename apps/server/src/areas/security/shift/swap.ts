import { codes } from '@tocsin/contract/codes'
import type { ShiftSwapDraft, ShiftSwapQuery } from '@tocsin/contract/security/swap'
import { sql } from 'kysely'
import { createRow, type EditableTable, lockRow, updateRow } from '#areas/audit/edit-row'
import { runEdit } from '#areas/audit/edit-transaction'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { countCapped } from '#db/page'
import { scoped, unscoped } from '#db/scope'
import { type ListOrder, toOrderBy } from '#db/sort'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor, Caller } from '#http/route'
import { toOffsetLimit } from '#http/time-window'
import { ownerEvent } from '../owner.ts'
import { assertAssignable } from './conflicts.ts'
import { notifySwap } from './shift-notices.ts'
import { shiftTable, type StoredShift } from './shift-rows.ts'

registerConstraintErrors({
  shift_swap_open: { code: codes.swapOpen },
  shift_swap_dept_id_fkey: { code: codes.referred, params: { what: '部门' } },
})

const swapTable: EditableTable<'shiftSwap'> = {
  table: 'shiftSwap',
  action: 'security:shift',
  missing: { ...codes.notFound, zh: '换班不存在', en: 'The swap does not exist' },
  current: (_trx, swap) => swap,
  events: (swap) => [ownerEvent('shift.changed', swap.shiftId, swap)],
}

/** The person that an account belongs to. */
const findOwnPerson = (trx: Db, { actor }: Caller) =>
  unscoped(trx, 'one’s own record')
    .selectFrom('employee')
    .select(['id', 'name'])
    .where('userId', '=', actor.userId)
    .executeTakeFirst()

const assertSwappable = ({ state, publishedAt }: StoredShift): void => {
  if (publishedAt === null) throw new BusinessError(codes.shiftUnpublished)
  if (state !== 'PLANNED') throw new BusinessError(codes.shiftState, { state })
}

/** Locks both in the order of their ids, so that two answers do not deadlock. */
const lockBoth = async (trx: Db, caller: Caller, ids: readonly [number, number]) => {
  const locked = new Map<number, StoredShift>()
  for (const id of ids.toSorted((a, b) => a - b)) locked.set(id, await lockRow(trx, caller, shiftTable, { id }))
  const [own, other] = ids.map((id) => locked.get(id))
  if (!own || !other) throw new BusinessError(codes.swapSelf)
  assertSwappable(own)
  assertSwappable(other)
  return { own, other }
}

export const askSwap = (db: Db, { note, ...draft }: ShiftSwapDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { own, other } = await lockBoth(trx, caller, [draft.shiftId, draft.otherShiftId])
    const person = await findOwnPerson(trx, caller)
    if (!person || own.employeeId !== person.id) throw new BusinessError(codes.swapOwn)
    if (other.employeeId === person.id) throw new BusinessError(codes.swapSelf)
    const { schoolId, deptId } = own
    const people = { askedBy: person.id, asked: other.employeeId }
    const swap = await createRow(trx, caller, swapTable, {
      ...draft,
      ...people,
      schoolId,
      deptId,
      note: note ?? null,
    })
    await notifySwap(trx, swap, { own, other })
    return swap.id
  })

/** The two shifts of a swap as they were asked for. */
const loadPair = async (trx: Db, { shiftId, otherShiftId }: Row<'shiftSwap'>) => {
  const rows = await unscoped(trx, 'shifts of a swap that was locked in sight')
    .selectFrom('shift')
    .selectAll()
    .where('id', 'in', [shiftId, otherShiftId])
    .execute()
  const [own, other] = [shiftId, otherShiftId].map((id) => rows.find((row) => row.id === id))
  if (!own || !other) throw new BusinessError(swapTable.missing)
  return { own, other }
}

type SwapRef = { id: number; version?: number | undefined }

const assertOpen = ({ state }: Row<'shiftSwap'>): void => {
  if (state !== 'ASKED') throw new BusinessError(codes.swapAnswered)
}

/** Exchanges the people of two shifts; each must be able to take the other's. */
const exchange = async (trx: Db, caller: Caller, { shiftId, otherShiftId, askedBy, asked }: Row<'shiftSwap'>) => {
  const { own, other } = await lockBoth(trx, caller, [shiftId, otherShiftId])
  if (own.employeeId !== askedBy || other.employeeId !== asked) throw new BusinessError(codes.swapAnswered)
  const both = [own.id, other.id]
  await assertAssignable(trx, { ...own, employeeId: asked }, own, both)
  await assertAssignable(trx, { ...other, employeeId: askedBy }, other, both)
  await updateRow(trx, caller, shiftTable, { before: own, changes: { employeeId: asked }, verb: 'swap' })
  await updateRow(trx, caller, shiftTable, { before: other, changes: { employeeId: askedBy }, verb: 'swap' })
}

export const answerSwap = (db: Db, { agree, ...ref }: SwapRef & { agree: boolean }, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockRow(trx, caller, swapTable, ref)
    const person = await findOwnPerson(trx, caller)
    if (before.asked !== person?.id) throw new BusinessError(codes.swapOther)
    assertOpen(before)
    if (agree) await exchange(trx, caller, before)
    const changes = { state: agree ? ('AGREED' as const) : ('REFUSED' as const), answeredAt: new Date() }
    const after = await updateRow(trx, caller, swapTable, { before, changes, verb: 'swap' })
    await notifySwap(trx, after, await loadPair(trx, before))
    return true
  })

export const withdrawSwap = (db: Db, ref: SwapRef, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockRow(trx, caller, swapTable, ref)
    const person = await findOwnPerson(trx, caller)
    if (before.askedBy !== person?.id) throw new BusinessError(codes.swapOwn)
    assertOpen(before)
    const after = await updateRow(trx, caller, swapTable, { before, changes: { state: 'WITHDRAWN' }, verb: 'swap' })
    await notifySwap(trx, after, await loadPair(trx, before))
    return true
  })

const order: ListOrder<ShiftSwapQuery> = {
  columns: {
    createTime: { by: sql`shift_swap.create_time` },
  },
  usual: sql`shift_swap.id desc`,
  id: sql`shift_swap.id`,
}

export const pageSwaps = async (db: Db, actor: Actor, query: ShiftSwapQuery) => {
  const { limit, offset } = toOffsetLimit(query)
  const visible = scoped(db, actor)
    .selectFrom('shiftSwap')
    .select('shiftSwap.id')
    .$if(query.open !== undefined, (q) => q.where('state', query.open ? '=' : '<>', 'ASKED'))
  const mine = (column: 'asker' | 'other') =>
    sql<boolean>`(shift_swap.state = 'ASKED' and ${sql.ref(`${column}.user_id`)} is not distinct from ${actor.userId})`
  const rows = unscoped(db, 'people and posts of visible swaps')
    .selectFrom('shiftSwap')
    .innerJoin('shift as own', 'own.id', 'shiftSwap.shiftId')
    .innerJoin('shift as theirs', 'theirs.id', 'shiftSwap.otherShiftId')
    .innerJoin('securityPost as ownPost', 'ownPost.id', 'own.postId')
    .innerJoin('securityPost as otherPost', 'otherPost.id', 'theirs.postId')
    .innerJoin('employee as asker', 'asker.id', 'shiftSwap.askedBy')
    .innerJoin('employee as other', 'other.id', 'shiftSwap.asked')
    .selectAll('shiftSwap')
    .select([
      'asker.name as askedByName',
      'other.name as askedName',
      'ownPost.name as postName',
      'otherPost.name as otherPostName',
      'own.fromAt',
      'theirs.fromAt as otherFromAt',
      mine('other').as('canAnswer'),
      mine('asker').as('canWithdraw'),
    ])
    .where('shiftSwap.id', 'in', visible)
    .orderBy(toOrderBy(query.orderBy, order))
  const [list, total] = await Promise.all([rows.limit(limit).offset(offset).execute(), countCapped(db, visible)])
  return { list, ...total }
}
