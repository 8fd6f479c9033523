import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import { Refusal } from '#http/refusal'
import type { Actor } from '#http/route'
import { seesDept } from './rights.ts'

/** Refuses a department that does not exist, that the actor does not see, or that is disabled. */
export const checkDept = async (trx: Db, actor: Actor, deptId: number): Promise<void> => {
  const dept = seesDept(actor, deptId)
    ? await trx.selectFrom('dept').select(['name', 'enabled']).where('id', '=', deptId).forShare().executeTakeFirst()
    : undefined
  if (!dept) throw new Refusal(codes.deptMissing)
  if (!dept.enabled) throw new Refusal(codes.deptDisabled, { name: dept.name })
}
