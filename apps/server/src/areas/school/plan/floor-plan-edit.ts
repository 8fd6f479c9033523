import { codes } from '@tocsin/contract/codes'
import { type ControlPoint, floorPlans } from '@tocsin/contract/school/plan/floor-plan'
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

type FloorPlan = Row<'floorPlan'>

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

type Changes = Partial<Pick<FloorPlan, 'metresPerPixel' | 'north' | 'controlPoints' | 'publishedAt'>>

/** The driver would write a list as an SQL array. */
const toColumns = ({ controlPoints: points, ...columns }: Changes) => ({
  ...columns,
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

/** Replaces the published edition of the same floor: every reader sees one plan. */
export const publishFloorPlan = (
  db: Db,
  { id, version }: z.output<typeof floorPlans.publish.body>,
  caller: Caller,
): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPlan(trx, caller, id)
    await checkVersion(version, before, () => before)
    if (before.publishedAt) return true
    const shown = await all(trx)
      .selectFrom('floorPlan')
      .selectAll()
      .where('placeId', '=', before.placeId)
      .where('publishedAt', 'is not', null)
      .executeTakeFirst()
    if (shown) await updateColumns(trx, caller, { before: shown, changes: { publishedAt: null } })
    await updateColumns(trx, caller, { before, changes: { publishedAt: new Date() } })
    return true
  })

export const deleteFloorPlan = (db: Db, id: number, caller: Caller): Promise<true> =>
  runEdit(db, { userId: caller.actor.userId }, async (trx): Promise<true> => {
    const before = await lockPlan(trx, caller, id)
    if (before.publishedAt) throw new BusinessError(codes.floorPlanPublished)
    await all(trx).deleteFrom('floorPlan').where('id', '=', id).execute()
    await record(trx, caller, { action: floorPlans.delete.permission, before })
    return true
  })
