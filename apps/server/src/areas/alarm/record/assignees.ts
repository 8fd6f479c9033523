import { stateMachine } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import { selectPermissionHolders } from '#areas/access/roles/dept/permission-holders'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

export type Assignee = { id: number; name: string }

/** Lists users, by name, who may claim and see the record (DESIGN 5). */
export const loadAssignees = async (db: Db, recordId: number): Promise<Assignee[]> => {
  const all = unscoped(db, 'who else may be given a record: the record itself was read through the sight of the caller')
  const { permission } = stateMachine.claim
  const at = await all
    .selectFrom('warnRecord')
    .select(['schoolId', 'deptId'])
    .where('id', '=', recordId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<Assignee>`
    select id, nickname as name from ${selectPermissionHolders(all, { permission, at, withAdministrators: true })} as holder
    order by nickname, id limit 500`.execute(all)
  return rows
}

export const listAssignees = async (db: Db, actor: Actor, recordId: number): Promise<Assignee[]> => {
  const seen = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select('id')
    .where('id', '=', recordId)
    .executeTakeFirst()
  if (!seen) throw new BusinessError(codes.notFound, { what: '警情' })
  return loadAssignees(db, recordId)
}
