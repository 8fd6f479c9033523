import { stateMachine } from '@tocsin/contract/alarm/state-machine'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped, scoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

export type Assignee = { id: number; name: string }

/**
 * Lists enabled users, by name, who may claim and see the record: a role of the user opens one of the departments `at`
 * (DESIGN 5). One statement, because SQL decides the visibility of users who are not signed in.
 */
export const loadAssignees = async (db: Db, recordId: number): Promise<Assignee[]> => {
  const all = unscoped(db, 'who else may be given a record: the record itself was read through the sight of the caller')
  const { rows } = await sql<Assignee>`
    with recursive at as (
      select r.dept_id as id from warn_record r where r.id = ${recordId}
      union select s.dept_id from warn_record r join school s on s.id = r.school_id where r.id = ${recordId}
      union select s.police_dept_id from warn_record r join school s on s.id = r.school_id
        where r.id = ${recordId} and s.police_dept_id is not null
    ), above as (
      select d.id, d.parent_id from dept d join at on at.id = d.id
      union select d.id, d.parent_id from dept d join above on above.parent_id = d.id
    ), live_menu as (
      select id, permission from menu where parent_id is null and enabled
      union select m.id, m.permission from menu m join live_menu p on m.parent_id = p.id where m.enabled
    ), claiming as (
      select id from role where enabled and code = 'super_admin' and built_in
      union select rm.role_id from role_menu rm join live_menu m on m.id = rm.menu_id
        where m.permission = ${stateMachine.claim.permission}
    )
    select u.id, u.nickname as name from users u
    where u.enabled and exists (
      select from user_role ur join role ro on ro.id = ur.role_id
      where ur.user_id = u.id and ro.enabled and ro.id in (select id from claiming)
    ) and exists (
      select from user_role ur join role ro on ro.id = ur.role_id and ro.enabled
      where ur.user_id = u.id and (
        ro.data_scope = 'ALL'
        or ro.data_scope in ('DEPT', 'CUSTOM') and u.dept_id in (select id from at)
        or ro.data_scope = 'DEPT_AND_CHILD' and u.dept_id in (select id from above)
        or ro.data_scope = 'CUSTOM' and exists (
          select from role_dept rd where rd.role_id = ro.id and rd.dept_id in (select id from at)))
    )
    order by u.nickname, u.id limit 500`.execute(all)
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
