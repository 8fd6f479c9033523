import { activeAssignmentStates } from '@tocsin/contract/alarm/assignment-machine'
import { codes } from '@tocsin/contract/codes'
import { type UnitDraft, UnitDraft as Draft, units } from '@tocsin/contract/police/unit'
import { fieldError, runEdit } from '#areas/audit/edit-transaction'
import { createRow, deleteRow, type EditableTable, editRow, lockRow } from '#areas/audit/edit-row'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import { type Actor, type Caller, type Route, route } from '#http/route'
import { completeUnits, pageUnits } from './unit-rows.ts'

registerConstraintErrors({
  police_unit_name_key: { code: codes.duplicate, params: { field: '名称' } },
  assignment_unit_fkey: { code: codes.unitUsed },
})

const unit: EditableTable<'policeUnit'> = {
  table: 'policeUnit',
  action: 'police:unit',
  missing: codes.unitGone,
  current: async (trx, row) => (await completeUnits(trx, [row]))[0],
  events: ({ id, deptId }) => [{ type: 'unit.changed', ref: id, deptId }],
}

/** The station must be visible; its users and those below it can be members. */
const listMembers = async (db: Db, actor: Actor, deptId: number) => {
  const station = await scoped(db, actor)
    .selectFrom('policeStation')
    .select('id')
    .where('deptId', '=', deptId)
    .executeTakeFirst()
  if (!station) return undefined
  return unscoped(db, 'people of a station in sight')
    .selectFrom('users')
    .select(['id', 'nickname as name'])
    .where('deptId', '=', deptId)
    .where('enabled', '=', true)
    .orderBy('nickname')
    .limit(1000)
    .execute()
}

const saveMembers = async (trx: Db, actor: Actor, unitId: number, { deptId, memberIds }: UnitDraft): Promise<void> => {
  const known = await listMembers(trx, actor, deptId)
  if (!known) throw fieldError(Draft, 'deptId', 'choice')
  const kept = await trx.selectFrom('policeUnitMember').select('userId').where('unitId', '=', unitId).execute()
  const allowed = new Set([...known.map(({ id }) => id), ...kept.map(({ userId }) => userId)])
  const wanted = [...new Set(memberIds)]
  if (!wanted.every((id) => allowed.has(id))) throw fieldError(Draft, 'memberIds', 'choice')
  await trx.deleteFrom('policeUnitMember').where('unitId', '=', unitId).execute()
  if (wanted.length > 0)
    await trx
      .insertInto('policeUnitMember')
      .values(wanted.map((userId) => ({ unitId, userId })))
      .execute()
}

const createUnit = (db: Db, draft: UnitDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    if (!(await listMembers(trx, caller.actor, draft.deptId))) throw fieldError(Draft, 'deptId', 'choice')
    const { memberIds: _members, ...columns } = draft
    const { id } = await createRow(trx, caller, unit, columns)
    await saveMembers(trx, caller.actor, id, draft)
    return id
  })

const updateUnit = (db: Db, edit: UnitDraft & { id: number; version: number }, caller: Caller): Promise<true> =>
  editRow(db, caller, unit, {
    id: edit.id,
    version: edit.version,
    change: async (trx) => {
      await saveMembers(trx, caller.actor, edit.id, edit)
      return { deptId: edit.deptId, name: edit.name, type: edit.type }
    },
  })

/** A unit on an assignment stays on duty until it returns. */
const assertNotOut = async (trx: Db, { id }: Row<'policeUnit'>): Promise<void> => {
  const out = await unscoped(trx, 'assignments of a unit in sight')
    .selectFrom('assignment')
    .select('id')
    .where('unitId', '=', id)
    .where('state', 'in', activeAssignmentStates)
    .executeTakeFirst()
  if (out) throw new BusinessError(codes.unitOut)
}

const setDuty = (db: Db, { onDuty, ...edit }: { id: number; version: number; onDuty: boolean }, caller: Caller) =>
  editRow(db, caller, unit, {
    ...edit,
    verb: 'duty',
    change: async (trx, before) => {
      if (!onDuty) await assertNotOut(trx, before)
      return { onDuty, onDutySince: onDuty ? (before.onDutySince ?? new Date()) : null }
    },
  })

const locateUnit = (db: Db, { id, lng, lat }: { id: number; lng: number; lat: number }, caller: Caller) =>
  editRow(db, caller, unit, { id, verb: 'duty', change: () => ({ lng, lat, positionAt: new Date() }) })

const deleteUnit = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, 'all', async (trx): Promise<true> => {
    const before = await lockRow(trx, caller, unit, { id })
    await deleteRow(trx, caller, unit, before)
    return true
  })

export const unitRoutes = ({ db }: { db: Db }): Route[] => [
  route(units.page, ({ query, actor }) => pageUnits(db, actor, query)),
  route(units.members, async ({ query, actor }) => (await listMembers(db, actor, query.deptId)) ?? []),
  route(units.create, ({ body, caller }) => createUnit(db, body, caller)),
  route(units.update, ({ body, caller }) => updateUnit(db, body, caller)),
  route(units.duty, ({ body, caller }) => setDuty(db, body, caller)),
  route(units.locate, ({ body, caller }) => locateUnit(db, body, caller)),
  route(units.delete, ({ query, caller }) => deleteUnit(db, query.id, caller)),
]
