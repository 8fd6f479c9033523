import { codes } from '@tocsin/contract/codes'
import { type ControlPoint, floorPlans, type PlanContent, PlanDraw } from '@tocsin/contract/school/plan/floor-plan'
import { isTriangle } from '@tocsin/contract/school/plan/plan-position'
import { sql } from 'kysely'
import type { z } from 'zod'
import { recordChange } from '#areas/audit/edit-row'
import {
  changedColumns,
  checkVersion,
  createStamp,
  fieldError,
  runEdit,
  updateStamp,
} from '#areas/audit/edit-transaction'
import { readImageSize } from '#areas/files/image-size'
import { registerConstraintErrors } from '#db/constraint-error'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { all } from '../place-checks.ts'
import { lockSchool } from '../school-edit.ts'
import {
  applyContent,
  assertDrawable,
  assertRowVersions,
  contentOf,
  lockFloorRows,
  mergeContent,
} from './plan-content.ts'

type FloorPlan = Row<'floorPlan'>

const nothing: PlanContent = { places: [], pins: [] }

registerConstraintErrors({ floor_plan_file_fkey: { code: codes.fileUsed } })

const record = (
  trx: Db,
  caller: Caller,
  { action, before, after }: { action: string; before?: FloorPlan; after?: FloorPlan },
) => {
  const { id = 0, schoolId = 0 } = after ?? before ?? {}
  return recordChange(trx, caller, {
    action,
    subject: 'floor_plan',
    id,
    before,
    after,
    events: [{ type: 'school.changed', ref: schoolId, schoolId }],
  })
}

/**
 * A picture that the caller uploaded for a form: otherwise naming a file of another user would let every reader of the
 * plan open it.
 */
const findOwnPicture = async (trx: Db, { actor }: Caller, fileId: number) => {
  const file = await unscoped(trx, 'the actor’s own uploads')
    .selectFrom('file')
    .select('id')
    .where('id', '=', fileId)
    .where('ownerId', '=', actor.userId)
    .where('purpose', '=', 'DRAFT')
    .where('image', '=', true)
    .where('type', 'in', ['image/png', 'image/jpeg'])
    .forShare()
    .executeTakeFirst()
  const size = file && (await readImageSize(file.id))
  if (!size) throw fieldError(floorPlans.create.body, 'fileId', 'choice')
  return size
}

const findFloor = async (trx: Db, { actor }: Caller, id: number) => {
  const place = await scoped(trx, actor)
    .selectFrom('place')
    .select(['id', 'schoolId', 'kind'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (place?.kind !== 'FLOOR') throw fieldError(floorPlans.create.body, 'placeId', 'choice')
  return place
}

export const createFloorPlan = (
  db: Db,
  { placeId, fileId }: z.output<typeof floorPlans.create.body>,
  caller: Caller,
): Promise<number> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx) => {
    const { schoolId } = await findFloor(trx, caller, placeId)
    // Two concurrent editions of one floor would get the same number.
    await lockSchool(trx, caller, schoolId)
    const size = await findOwnPicture(trx, caller, fileId)
    const { last } = await all(trx)
      .selectFrom('floorPlan')
      .select((eb) => eb.fn.max('number').as('last'))
      .where('placeId', '=', placeId)
      .executeTakeFirstOrThrow()
    const after = await all(trx)
      .insertInto('floorPlan')
      .values({ schoolId, placeId, fileId, number: (last ?? 0) + 1, ...size, ...createStamp(caller) })
      .returningAll()
      .executeTakeFirstOrThrow()
    await record(trx, caller, { action: floorPlans.create.permission, after })
    return after.id
  })

const lockPlan = async (trx: Db, caller: Caller, id: number): Promise<FloorPlan> => {
  const seen = await scoped(trx, caller.actor)
    .selectFrom('floorPlan')
    .select('schoolId')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!seen) throw new BusinessError(codes.notFound, { what: '平面图' })
  await lockSchool(trx, caller, seen.schoolId)
  const plan = await all(trx).selectFrom('floorPlan').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!plan) throw new BusinessError(codes.notFound, { what: '平面图' })
  return plan
}

type Changes = Partial<Pick<FloorPlan, 'metresPerPixel' | 'north' | 'controlPoints' | 'publishedAt' | 'drawing'>>

/** The driver would write a list as an SQL array. */
const toColumns = ({ controlPoints: points, drawing, ...columns }: Changes) => ({
  ...columns,
  ...(drawing !== undefined && { drawing: drawing && sql<PlanContent>`${JSON.stringify(drawing)}::jsonb` }),
  ...(points !== undefined && {
    controlPoints: points && sql<ControlPoint[]>`${JSON.stringify(points)}::jsonb`,
  }),
})

const updateColumns = async (trx: Db, caller: Caller, { before, changes }: { before: FloorPlan; changes: Changes }) => {
  const after = await all(trx)
    .updateTable('floorPlan')
    .set({ ...toColumns(changes), ...updateStamp(caller) })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await record(trx, caller, { action: floorPlans.update.permission, before, after })
}

export const updateFloorPlan = (db: Db, edit: z.output<typeof floorPlans.update.body>, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPlan(trx, caller, edit.id)
    await checkVersion(edit.version, before, () => before)
    if (edit.controlPoints && !isTriangle(edit.controlPoints)) throw new BusinessError(codes.controlPointsInLine)
    await updateColumns(trx, caller, { before, changes: changedColumns(edit) })
    return true
  })

const findShown = (trx: Db, placeId: number): Promise<FloorPlan | undefined> =>
  all(trx)
    .selectFrom('floorPlan')
    .selectAll()
    .where('placeId', '=', placeId)
    .where('publishedAt', 'is not', null)
    .executeTakeFirst()

/** The edition that was drawn on, with its school locked. */
const lockDrawn = async (trx: Db, caller: Caller, { id, version, placeId }: PlanDraw) => {
  if (id === null) {
    const { schoolId } = await findFloor(trx, caller, placeId)
    await lockSchool(trx, caller, schoolId)
    const shown = await findShown(trx, placeId)
    if (shown) throw new BusinessError(codes.stale, undefined, { current: shown })
    return { schoolId, edition: undefined }
  }
  const edition = await lockPlan(trx, caller, id)
  await checkVersion(version ?? 0, edition, () => edition)
  if (edition.placeId !== placeId) throw fieldError(PlanDraw, 'placeId', 'choice')
  return { schoolId: edition.schoolId, edition }
}

/** What is drawn on an edition that is not published stays with it; on the published one it is shown at once. */
export const drawFloor = (db: Db, draw: PlanDraw, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const { schoolId, edition } = await lockDrawn(trx, caller, draw)
    const rows = await lockFloorRows(trx, draw.placeId)
    assertDrawable(caller, rows, draw)
    if (edition && !edition.publishedAt) {
      const drawing = mergeContent(edition.drawing, draw)
      await updateColumns(trx, caller, { before: edition, changes: { drawing } })
      return true
    }
    await assertRowVersions(rows, draw)
    const content = mergeContent(contentOf(rows), draw)
    const { permission: action } = floorPlans.draw
    await applyContent(trx, caller, { rows, schoolId, content, edition, isNew: false, action })
    return true
  })

/**
 * Replaces the published edition of the same floor with its outlines, routes and pins, which stay with it: every reader
 * sees one plan, and no outline of another.
 */
export const publishFloorPlan = (
  db: Db,
  { id, version }: z.output<typeof floorPlans.publish.body>,
  caller: Caller,
): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPlan(trx, caller, id)
    await checkVersion(version, before, () => before)
    if (before.publishedAt) return true
    const { placeId, schoolId, drawing } = before
    const shown = await findShown(trx, placeId)
    const rows = await lockFloorRows(trx, placeId)
    if (shown)
      await updateColumns(trx, caller, { before: shown, changes: { publishedAt: null, drawing: contentOf(rows) } })
    await updateColumns(trx, caller, { before, changes: { publishedAt: new Date(), drawing: null } })
    const { permission: action } = floorPlans.publish
    await applyContent(trx, caller, {
      rows,
      schoolId,
      content: drawing ?? nothing,
      edition: before,
      isNew: true,
      action,
    })
    return true
  })

/** All editions of a floor. */
export const listFloorPlansOf = (trx: Db, placeId: number): Promise<FloorPlan[]> =>
  all(trx).selectFrom('floorPlan').selectAll().where('placeId', '=', placeId).orderBy('id').forUpdate().execute()

/** Deletes plans, published ones too, because their floor is deleted in the same transaction. */
export const deleteFloorPlans = async (trx: Db, caller: Caller, plans: readonly FloorPlan[]): Promise<void> => {
  for (const before of plans) {
    await all(trx).deleteFrom('floorPlan').where('id', '=', before.id).execute()
    await record(trx, caller, { action: floorPlans.delete.permission, before })
  }
}

export const deleteFloorPlan = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPlan(trx, caller, id)
    if (before.publishedAt) throw new BusinessError(codes.floorPlanPublished)
    await deleteFloorPlans(trx, caller, [before])
    return true
  })
