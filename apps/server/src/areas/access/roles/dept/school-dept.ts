import { codes } from '@tocsin/contract/codes'
import { recordChanges } from '#areas/audit/edit-row'
import { createStamp, updateStamp } from '#areas/audit/edit-transaction'
import type { Db } from '#db/db'
import type { Row } from '#db/tables'
import { BusinessError } from '#http/business-error'
import type { Caller } from '#http/route'
import { deptChange, lockTree, lockDept, recordDeptChange } from './change.ts'

type NewDept = { name: string; parentId: number }

/** Creates the departments of new schools below education departments in the caller's sight, by their names. */
export const insertSchoolDepts = async (
  trx: Db,
  caller: Caller,
  drafts: readonly NewDept[],
): Promise<Map<string, Row<'dept'>>> => {
  await lockTree(trx)
  for (const parentId of new Set(drafts.map((draft) => draft.parentId))) {
    const parent = await lockDept(trx, caller.actor, parentId)
    if (parent?.kind !== 'EDU_BUREAU') throw new BusinessError(codes.deptParentMissing)
    if (!parent.enabled) throw new BusinessError(codes.deptDisabled, { name: parent.name })
  }
  const inserted = await trx
    .insertInto('dept')
    .values(drafts.map(({ name, parentId }) => ({ name, parentId, kind: 'SCHOOL' as const, ...createStamp(caller) })))
    .returningAll()
    .execute()
  await recordChanges(
    trx,
    caller,
    inserted.map((after) => deptChange({ action: 'create', id: after.id, after })),
  )
  return new Map(inserted.map((dept) => [dept.name, dept]))
}

/** Gives the department of a school its new name, unless people gave the department another one. */
export const renameSchoolDept = async (
  trx: Db,
  caller: Caller,
  { id, from, to }: { id: number; from: string; to: string },
): Promise<void> => {
  const before = await trx.selectFrom('dept').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!before || before.name !== from || from === to) return
  const after = await trx
    .updateTable('dept')
    .set({ name: to, ...updateStamp(caller) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordDeptChange(trx, caller, { action: 'update', id, before, after })
}

/** Deletes the department of a school that was just deleted. */
export const deleteSchoolDept = async (trx: Db, caller: Caller, id: number): Promise<void> => {
  await lockTree(trx)
  const before = await trx.deleteFrom('dept').where('id', '=', id).returningAll().executeTakeFirst()
  if (before) await recordDeptChange(trx, caller, { action: 'delete', id, before })
}
