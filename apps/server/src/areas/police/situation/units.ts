import { activeAssignmentStates, openAssignmentStates } from '@tocsin/contract/alarm/assignment-machine'
import { codes } from '@tocsin/contract/codes'
import { situationCalls } from '@tocsin/contract/police/situations'
import type { UnitChoice } from '@tocsin/contract/police/unit'
import {
  createAssignment,
  emitAssignment,
  endAssignment,
  withdrawAssignment,
} from '#areas/alarm/assignment/create-assignments'
import { fieldError } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import { emitEvents } from '#db/event'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { completeUnits } from '../unit-rows.ts'
import type { LockedSituation, SituationContext } from './execute-verb.ts'
import type { StoredSituation } from './situation-rows.ts'

const all = (trx: Db) => unscoped(trx, 'units of an incident that was locked')

/** Open assignments of an incident, locked by `lockSituations`. */
export const listActive = (trx: Db, situationId: number): Promise<Row<'assignment'>[]> =>
  all(trx)
    .selectFrom('assignment')
    .selectAll()
    .where('situationId', '=', situationId)
    .where('state', 'in', activeAssignmentStates)
    .orderBy('id')
    .execute()

const EARTH_M = 6_371_000
const radians = (degrees: number) => (degrees * Math.PI) / 180
type Position = { lng: number | null; lat: number | null }

/** Straight-line metres; null without a position. */
export const distanceM = (a: Position, b: Position): number | null => {
  if (a.lng === null || a.lat === null || b.lng === null || b.lat === null) return null
  const x = radians(b.lng - a.lng) * Math.cos(radians((a.lat + b.lat) / 2))
  return Math.round(Math.hypot(x, radians(b.lat - a.lat)) * EARTH_M)
}

const stateOrder = ['FREE', 'ASSIGNED', 'EN_ROUTE', 'ON_SCENE', 'OFF']

/** Visible units: free before busy, those of the station before neighbours, near before far. */
export const listUnitChoices = async (db: Db, actor: Actor, id: number): Promise<UnitChoice[]> => {
  const seen = scoped(db, actor)
  const situation = await seen.selectFrom('policeSituation').selectAll().where('id', '=', id).executeTakeFirst()
  if (!situation) throw new BusinessError(codes.notFound, { what: '警单' })
  const rows = await seen.selectFrom('policeUnit').selectAll().orderBy('name').limit(500).execute()
  const choices = (await completeUnits(db, rows)).map((unit) => ({
    ...unit,
    distanceM: distanceM(unit, situation),
    neighbour: unit.deptId !== situation.stationDeptId,
  }))
  return choices.toSorted(
    (a, b) =>
      stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state) ||
      Number(a.neighbour) - Number(b.neighbour) ||
      (a.distanceM ?? Infinity) - (b.distanceM ?? Infinity),
  )
}

const assertCanGo = (
  unit: { id: number; name: string; state: string; onDuty: boolean; situationNo: string | null },
  here: ReadonlySet<number | null>,
  isForced: boolean,
): void => {
  if (here.has(unit.id)) throw new BusinessError(codes.unitHere, { unit: unit.name })
  if (!unit.onDuty) throw new BusinessError(codes.unitOff, { unit: unit.name })
  if (unit.state !== 'FREE' && !isForced)
    throw new BusinessError(codes.unitBusy, { unit: unit.name, no: unit.situationNo ?? '' })
}

type Send = { unitIds: readonly number[]; force?: boolean | undefined }

/** Sends visible units; rows are locked, so that two desks do not send one free unit twice unknowingly. */
export const sendUnits = async (
  { trx, situation, caller }: SituationContext,
  { unitIds, force = false }: Send,
): Promise<string[]> => {
  const ids = [...new Set(unitIds)]
  const rows = await scoped(trx, caller.actor)
    .selectFrom('policeUnit')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length < ids.length) throw fieldError(situationCalls.dispatch.body, 'unitIds', 'choice')
  const here = new Set((await listActive(trx, situation.id)).map(({ unitId }) => unitId))
  const chosen = await completeUnits(trx, rows)
  for (const unit of chosen) assertCanGo(unit, here, force)
  for (const unit of chosen)
    await createAssignment(trx, {
      recordId: null,
      situationId: situation.id,
      unitId: unit.id,
      schoolId: situation.schoolId,
      deptId: unit.deptId,
      responderName: unit.name,
      byUserId: caller.actor.userId,
    })
  return chosen.map(({ name }) => name)
}

/** Ends the open assignments: the incident moved elsewhere or is over. */
export const endUnits = async ({ trx, situation, now }: LockedSituation): Promise<void> => {
  for (const item of await listActive(trx, situation.id)) await endAssignment(trx, item, now)
}

/** Units still out, by name; unanswered assignments do not block closing. */
export const namesOut = async (trx: Db, situationId: number): Promise<string[]> =>
  (await listActive(trx, situationId))
    .filter(({ state }) => openAssignmentStates.some((open) => open === state))
    .map(({ responderName }) => responderName)

/** Tells the phones of the unit and the desks, which show the number of its incident. */
const moveAssignment = async (trx: Db, before: Row<'assignment'>, situationId: number): Promise<Row<'assignment'>> => {
  const after = await all(trx)
    .updateTable('assignment')
    .set({ situationId, version: before.version + 1 })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emitAssignment(trx, after)
  await emitEvents(trx, { type: 'unit.changed', ref: after.unitId, deptId: after.deptId })
  return after
}

/**
 * A merge: units continue for the other incident; a unit on both is recalled from the child.
 * @returns the moved assignments
 */
export const moveUnits = async (child: LockedSituation, into: StoredSituation): Promise<Row<'assignment'>[]> => {
  const { trx } = child
  const moved: Row<'assignment'>[] = []
  const there = new Set((await listActive(trx, into.id)).map(({ unitId }) => unitId))
  for (const item of await listActive(trx, child.situation.id)) {
    if (there.has(item.unitId)) await endAssignment(trx, item, child.now)
    else moved.push(await moveAssignment(trx, item, into.id))
  }
  return moved
}

export const recallUnit = async (context: SituationContext, assignmentId: number): Promise<string> => {
  const { trx, situation, now, caller } = context
  const item = (await listActive(trx, situation.id)).find(({ id }) => id === assignmentId)
  if (!item) throw fieldError(situationCalls.recall.body, 'assignmentId', 'choice')
  await withdrawAssignment(trx, item, { endedAt: now, userId: caller.actor.userId })
  return item.responderName
}
