import { codes } from '@tocsin/contract/codes'
import {
  MAX_SCAN_AGE_HOURS,
  MIN_KEY_ROUNDS,
  PatrolDraft,
  type PatrolEdit,
  type PatrolPointDraft,
} from '@tocsin/contract/security/patrol'
import { sql } from 'kysely'
import { randomInt } from 'node:crypto'
import { createRow, deleteRow, type EditableTable, editRow, lockRow } from '#areas/audit/edit-row'
import { changedColumns, fieldError, runEdit } from '#areas/audit/edit-transaction'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { assertOwnerVisible } from '../owner.ts'
import { getPatrol } from './patrol-reads.ts'
import { mayHaveUnsentScans, patrolEvent, resetRuns } from './patrol-runs.ts'

registerConstraintErrors({
  patrol_scan_run_id_fkey: { code: codes.patrolUsed },
  patrol_plan_school_id_fkey: { code: codes.referred, params: { what: '学校' } },
})

const planTable: EditableTable<'patrolPlan'> = {
  table: 'patrolPlan',
  action: 'security:patrol',
  missing: { ...codes.notFound, zh: '巡查路线不存在', en: 'The patrol does not exist' },
  current: (trx, { id }, { actor }) => getPatrol(trx, actor, id),
  events: ({ id, schoolId }) => [patrolEvent(id, schoolId)],
}

/** Without characters that look alike: people type it. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 8
export const makePointCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** The places of points, checked; @returns which of them are key areas. */
const findKeyPlaces = async (
  trx: Db,
  { actor }: Caller,
  schoolId: number,
  points: readonly PatrolPointDraft[],
): Promise<Set<number>> => {
  const ids = [...new Set(points.flatMap(({ placeId }) => placeId ?? []))]
  if (ids.length === 0) return new Set()
  const places = await scoped(trx, actor)
    .selectFrom('place')
    .select(['id', 'keyPart'])
    .where('id', 'in', ids)
    .where('schoolId', '=', schoolId)
    .execute()
  if (places.length < ids.length) throw new BusinessError(codes.postPlace)
  return new Set(places.filter(({ keyPart }) => keyPart).map(({ id }) => id))
}

/** Stores the points in their order: those with an id keep their code, others get one, the rest is removed. */
const savePoints = async (
  trx: Db,
  caller: Caller,
  { id: planId, schoolId }: { id: number; schoolId: number },
  points: readonly PatrolPointDraft[],
): Promise<void> => {
  const all = unscoped(trx, 'points of a plan that the caller may change')
  const keyPlaces = await findKeyPlaces(trx, caller, schoolId, points)
  const stored = await all
    .selectFrom('patrolPoint')
    .select('id')
    .where('planId', '=', planId)
    .where('removedAt', 'is', null)
    .execute()
  const known = new Set(stored.map(({ id }) => id))
  const kept = new Set(points.flatMap(({ id }) => id ?? []))
  if ([...kept].some((id) => !known.has(id))) throw new BusinessError(codes.notFound, { what: '巡查点' })
  const gone = [...known].filter((id) => !kept.has(id))
  // They stay for scans that were made before and arrive later.
  if (gone.length > 0)
    await all.updateTable('patrolPoint').set({ removedAt: sql<Date>`now()` }).where('id', 'in', gone).execute()
  for (const [at, { id, name, placeId, keyPart }] of points.entries()) {
    const values = { seq: at + 1, name, placeId, keyPart: keyPart || (placeId !== null && keyPlaces.has(placeId)) }
    if (id) await all.updateTable('patrolPoint').set(values).where('id', '=', id).execute()
    else
      await all
        .insertInto('patrolPoint')
        .values({ ...values, planId, schoolId, code: makePointCode() })
        .execute()
  }
}

/** A plan with a key area needs at least five rounds a day. */
const assertRounds = async (trx: Db, { id, rounds }: { id: number; rounds: number }): Promise<void> => {
  if (rounds >= MIN_KEY_ROUNDS) return
  const key = await unscoped(trx, 'points of a plan that the caller may change')
    .selectFrom('patrolPoint')
    .select('id')
    .where('planId', '=', id)
    .where('keyPart', '=', true)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (key) throw fieldError(PatrolDraft, 'rounds', 'tooSmall', MIN_KEY_ROUNDS)
}

export const createPatrol = (db: Db, { points, ...draft }: PatrolDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    await assertOwnerVisible(trx, caller.actor, { schoolId: draft.schoolId, deptId: null })
    const plan = await createRow(trx, caller, planTable, draft)
    await savePoints(trx, caller, plan, points)
    await assertRounds(trx, plan)
    await resetRuns(trx, plan, new Date())
    return plan.id
  })

export const updatePatrol = (db: Db, { points, ...edit }: PatrolEdit, caller: Caller): Promise<true> =>
  editRow(db, caller, planTable, {
    ...edit,
    change: async (trx, before) => {
      const changes = changedColumns(edit)
      const after: Row<'patrolPlan'> = { ...before, ...changes }
      if (points) await savePoints(trx, caller, before, points)
      await assertRounds(trx, after)
      await resetRuns(trx, after, new Date())
      return changes
    },
  })

export const deletePatrol = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const plan = await lockRow(trx, caller, planTable, { id })
    if (await mayHaveUnsentScans(trx, id, new Date()))
      throw new BusinessError(codes.patrolBegun, { hours: MAX_SCAN_AGE_HOURS })
    await deleteRow(trx, caller, planTable, plan)
    return true
  })
