import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import type { NewEvent } from '#db/event'
import { scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

/** The owner of a post, its shifts and handovers: one school, or one department such as a command centre. */
export type Owner = { schoolId: number | null; deptId: number | null }

/** Name of the owner, for a query with `school` and `dept` as left joins. */
export const ownerName = sql<string>`coalesce(school.name, dept.name, '')`

export const ownerEvent = (type: NewEvent['type'], ref: number, { schoolId, deptId }: Owner): NewEvent => ({
  type,
  ref,
  schoolId,
  deptId,
})

/** Rejects an owner that is not exactly one, or that the actor does not see. */
export const assertOwnerVisible = async (trx: Db, actor: Actor, { schoolId, deptId }: Owner): Promise<void> => {
  if ((schoolId === null) === (deptId === null)) throw new BusinessError(codes.postNeedsOwner)
  if (schoolId !== null) {
    const school = await scoped(trx, actor)
      .selectFrom('school')
      .select('id')
      .where('id', '=', schoolId)
      .executeTakeFirst()
    if (!school) throw new BusinessError(codes.notFound, { what: '学校' })
  }
  if (deptId !== null) {
    const sees = actor.depts === 'all' || actor.depts.includes(deptId)
    const dept = await trx.selectFrom('dept').select('id').where('id', '=', deptId).executeTakeFirst()
    if (!sees || !dept) throw new BusinessError(codes.notFound, { what: '部门' })
  }
}
