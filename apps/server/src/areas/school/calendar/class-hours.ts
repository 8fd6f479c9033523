import type { SchoolTerm } from '@tocsin/contract/school/calendar'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { listDeptsAbove } from './day-kind.ts'

export type ClassHours = Pick<SchoolTerm, 'fromMin' | 'toMin'>

/**
 * The school hours of a day: those of the term that contains it, of the nearest department that has terms.
 * @returns null where no term contains the day
 */
export const findClassHours = async (db: Db, schoolId: number, day: string): Promise<ClassHours | null> => {
  const all = unscoped(db, 'the caller knows the school; terms of the departments above hold for it')
  const school = await all.selectFrom('school').select('deptId').where('id', '=', schoolId).executeTakeFirst()
  if (!school) return null
  const deptIds = (await listDeptsAbove(db, school.deptId)).map(({ id }) => id)
  const terms = await all
    .selectFrom('schoolTerm')
    .select(['deptId', 'fromDay', 'toDay', 'fromMin', 'toMin'])
    .where('deptId', 'in', [0, ...deptIds])
    .execute()
  const owner = deptIds.find((id) => terms.some(({ deptId }) => deptId === id))
  const term = terms.find(({ deptId, fromDay, toDay }) => deptId === owner && fromDay <= day && day <= toDay)
  return term ? { fromMin: term.fromMin, toMin: term.toMin } : null
}
