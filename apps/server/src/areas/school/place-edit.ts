import { codes } from '@tocsin/contract/codes'
import type { PlaceDraft } from '@tocsin/contract/school/place'
import {
  type PlaceCreateDraft,
  placeEdits,
  type PlacePlanDraft,
  type PlacesEdit,
} from '@tocsin/contract/school/place-edits'
import { MAX_PLANNED_PLACES, planPlaces } from '@tocsin/contract/school/place-plan'
import type { Move } from '@tocsin/contract/settings/wire-codecs'
import { sql } from 'kysely'
import type { z } from 'zod'
import { recordChange } from '#areas/audit/edit-row'
import { changedColumns, checkVersion, createStamp, runEdit, updateStamp } from '#areas/audit/edit-transaction'
import { reorderedSiblings } from '#areas/audit/sibling-order'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db, UnscopedDb } from '#db/db'
import { scoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import {
  all,
  checkCameras,
  checkName,
  checkOutline,
  checkParent,
  checkPosition,
  checkRoom,
  checkUnused,
} from './place-checks.ts'
import { deleteFloorPlans, listFloorPlansOf } from './plan/floor-plan-edit.ts'
import { lockSchool, sourceOfMove } from './school-edit.ts'

type Place = Row<'place'>

registerConstraintErrors({
  place_name_key: { code: codes.duplicate, params: { field: '位置名称' } },
  place_parent_id_fkey: { code: codes.referred, params: { what: '位置' } },
  school_device_place_id_fkey: { code: codes.referred, params: { what: '位置' } },
})

const record = (
  trx: Db,
  caller: Caller,
  { action, before, after }: { action: string; before?: Place; after?: Place },
) => {
  const { id = 0, schoolId = 0 } = after ?? before ?? {}
  return recordChange(trx, caller, {
    action,
    subject: 'place',
    id,
    before,
    after,
    events: [{ type: 'school.changed', ref: schoolId, schoolId }],
  })
}

/** Locks a place and its whole tree: two concurrent moves could otherwise form a cycle. */
const lockPlace = async (trx: Db, caller: Caller, id: number): Promise<Place> => {
  const seen = await scoped(trx, caller.actor)
    .selectFrom('place')
    .select('schoolId')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!seen) throw new BusinessError(codes.notFound, { what: '位置' })
  await lockSchool(trx, caller, seen.schoolId)
  const place = await all(trx).selectFrom('place').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!place) throw new BusinessError(codes.notFound, { what: '位置' })
  return place
}

const nextSort = async (trx: Db, schoolId: number, parentId: number | null): Promise<number> => {
  const { last } = await all(trx)
    .selectFrom('place')
    .select((eb) => eb.fn.max('sort').as('last'))
    .where('schoolId', '=', schoolId)
    .where('parentId', 'is not distinct from', parentId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

type Given = { [K in keyof PlaceDraft]?: PlaceDraft[K] | undefined }

/** A list for a jsonb column: the driver would write it as an SQL array. */
const toJson = <List extends object>(list: List | null) => list && sql<List>`${JSON.stringify(list)}::jsonb`

const toColumns = ({ polygon, planRoute, ...columns }: Given) => ({
  ...columns,
  ...(polygon !== undefined && { polygon: toJson(polygon) }),
  ...(planRoute !== undefined && { planRoute: toJson(planRoute) }),
})

/** Creates a place of a locked school, behind its siblings. */
export const insertPlace = async (trx: Db, draft: PlaceCreateDraft, caller: Caller): Promise<Place> => {
  const { schoolId, kind, name, parentId = null } = draft
  const after = await all(trx)
    .insertInto('place')
    .values({
      ...toColumns(draft),
      schoolId,
      kind,
      name,
      parentId,
      sort: draft.sort ?? (await nextSort(trx, schoolId, parentId)),
      ...createStamp(caller),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await record(trx, caller, { action: placeEdits.create.permission, after })
  return after
}

export const createPlace = (db: Db, draft: PlaceCreateDraft, caller: Caller): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { schoolId, parentId = null, name } = draft
    await lockSchool(trx, caller, schoolId)
    checkPosition(draft)
    checkOutline(draft.polygon)
    await checkParent(trx, schoolId, parentId)
    await checkName(trx, { schoolId, parentId, name })
    await checkCameras(trx, schoolId, draft.cameraIds)
    await checkRoom(trx, schoolId, 1)
    return (await insertPlace(trx, draft, caller)).id
  })

const listBelow = (trx: Db, schoolId: number, parentId: number) =>
  all(trx)
    .selectFrom('place')
    .select(['id', 'name'])
    .where('schoolId', '=', schoolId)
    .where('parentId', '=', parentId)
    .execute()

/** Creates floors and their rooms by number; an existing floor or room is used as it is. */
export const createPlaces = (
  db: Db,
  draft: PlacePlanDraft,
  caller: Caller,
): Promise<{ created: number; skipped: number }> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { schoolId, parentId, ...plan } = draft
    await lockSchool(trx, caller, schoolId)
    const parent = await checkParent(trx, schoolId, parentId)
    const planned = planPlaces(plan, parent?.floorNo ?? null)
    if (planned.length === 0) throw new BusinessError(codes.invalid)
    if (planned.length > MAX_PLANNED_PLACES) throw new BusinessError(codes.placesTooMany, { count: MAX_PLANNED_PLACES })
    await checkRoom(trx, schoolId, planned.length)
    const known = new Map<number, Map<string, number>>()
    const namesBelow = async (id: number) => {
      const found = known.get(id) ?? new Map((await listBelow(trx, schoolId, id)).map((item) => [item.name, item.id]))
      known.set(id, found)
      return found
    }
    let created = 0
    for (const { kind, name, floorNo, floorName } of planned) {
      const above = floorName === null ? parentId : ((await namesBelow(parentId)).get(floorName) ?? parentId)
      const names = await namesBelow(above)
      if (names.has(name)) continue
      const { id } = await insertPlace(trx, { schoolId, parentId: above, kind, name, floorNo }, caller)
      names.set(name, id)
      created += 1
    }
    return { created, skipped: planned.length - created }
  })

const updateColumns = async (
  trx: Db,
  caller: Caller,
  { before, changes }: { before: Place; changes: Partial<PlaceDraft> },
): Promise<void> => {
  const after = await all(trx)
    .updateTable('place')
    .set({ ...toColumns(changes), ...updateStamp(caller) })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await record(trx, caller, { action: placeEdits.update.permission, before, after })
}

type PlaceEdit = Omit<z.output<typeof placeEdits.update.body>, 'version'> & { version?: number }

/** Changes a place in the caller's transaction. */
export const updatePlaceIn = async (trx: Db, edit: PlaceEdit, caller: Caller): Promise<void> => {
  const before = await lockPlace(trx, caller, edit.id)
  await checkVersion(edit.version, before, () => before)
  const given = changedColumns(edit)
  const changes = { ...sourceOfMove(before, given), ...given }
  const after = { ...before, ...changes }
  checkPosition(after)
  checkOutline(changes.polygon)
  if (after.name !== before.name) await checkName(trx, after)
  await checkCameras(trx, before.schoolId, changes.cameraIds)
  await updateColumns(trx, caller, { before, changes })
}

export const updatePlace = (db: Db, edit: PlaceEdit, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    await updatePlaceIn(trx, edit, caller)
    return true
  })

/** Sets the same values for several places, all or none. */
export const updatePlaces = (db: Db, { ids, ...edit }: PlacesEdit, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const changes = changedColumns(edit)
    for (const id of [...new Set(ids)].toSorted((a, b) => a - b))
      await updateColumns(trx, caller, { before: await lockPlace(trx, caller, id), changes })
    return true
  })

const isBelow = async (places: UnscopedDb, id: number, ancestor: number): Promise<boolean> => {
  const { rows } = await sql`
    with recursive up as (
      select id, parent_id from place where id = ${id}
      union select above.id, above.parent_id from place above join up on above.id = up.parent_id
    ) select id from up where id = ${ancestor}`.execute(places)
  return rows.length > 0
}

/** Moves a place in the tree of its school: devices and alarms keep referring to it. */
export const movePlace = (db: Db, { id, parentId, beforeId, version }: Move, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPlace(trx, caller, id)
    const { schoolId } = before
    await checkVersion(version, before, () => before)
    await checkParent(trx, schoolId, parentId)
    if (parentId !== null && (await isBelow(all(trx), parentId, id))) throw new BusinessError(codes.placeCycle)
    await checkName(trx, { ...before, parentId })
    const siblings = await all(trx)
      .selectFrom('place')
      .selectAll()
      .where('schoolId', '=', schoolId)
      .where('parentId', 'is not distinct from', parentId)
      .where('id', '<>', id)
      .orderBy('sort')
      .orderBy('id')
      .execute()
    const places = new Map(reorderedSiblings(siblings, before, beforeId).map((sibling) => [sibling.id, sibling.sort]))
    await updateColumns(trx, caller, { before, changes: { parentId, sort: places.get(id) ?? before.sort } })
    for (const sibling of siblings) {
      const sort = places.get(sibling.id) ?? sibling.sort
      if (sort !== sibling.sort) await updateColumns(trx, caller, { before: sibling, changes: { sort } })
    }
    return true
  })

type Deletion = { id: number; withFloorPlans?: boolean | undefined }

/** Deletes a place without places below it that never had a device: old alarms keep their place. */
export const deletePlace = (db: Db, { id, withFloorPlans = false }: Deletion, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPlace(trx, caller, id)
    await checkUnused(trx, caller.actor, id)
    const plans = await listFloorPlansOf(trx, id)
    if (plans.length > 0 && !withFloorPlans) throw new BusinessError(codes.placeFloorPlans, { count: plans.length })
    await deleteFloorPlans(trx, caller, plans)
    await all(trx).deleteFrom('place').where('id', '=', id).execute()
    await record(trx, caller, { action: placeEdits.delete.permission, before })
    return true
  })
