import { codes } from '@tocsin/contract/codes'
import type { Db } from '#db/db'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'
import { canSeeDept } from './grant-guards.ts'

/** Rejects a department that does not exist, that the actor does not see, or that is disabled. */
export const checkDept = async (trx: Db, actor: Actor, deptId: number): Promise<void> => {
  const dept = canSeeDept(actor, deptId)
    ? await trx.selectFrom('dept').select(['name', 'enabled']).where('id', '=', deptId).forShare().executeTakeFirst()
    : undefined
  if (!dept) throw new BusinessError(codes.deptMissing)
  if (!dept.enabled) throw new BusinessError(codes.deptDisabled, { name: dept.name })
}
