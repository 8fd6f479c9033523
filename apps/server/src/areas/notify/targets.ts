import type { PolicyTarget } from '@tocsin/contract/notify/policy'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

/** The location of an event: its department and, if any, its school. */
export type MatterPlace = { schoolId: number | null; deptId: number }

/**
 * Enabled users whom targets name at a place, each once. Users of a role count when the role lets them see one of the
 * departments of the place (DESIGN 5). One statement, because SQL decides the visibility of users who are not signed
 * in.
 */
export const findTargetUsers = async (
  db: Db,
  targets: readonly PolicyTarget[],
  { schoolId, deptId }: MatterPlace,
): Promise<number[]> => {
  const roles = targets.flatMap((target) => (target.kind === 'ROLE' ? target.roleCode : []))
  const users = targets.flatMap((target) => (target.kind === 'USER' ? target.userId : []))
  const posts = targets.flatMap((target) => (target.kind === 'POST' ? target.postType : []))
  const isStation = targets.some(({ kind }) => kind === 'STATION')
  const all = unscoped(db, 'a policy names people by role and place')
  const { rows } = await sql<{ id: number }>`
    with recursive at as (
      select ${deptId}::bigint as id
      union select s.dept_id from school s where s.id = ${schoolId}
      union select s.police_dept_id from school s where s.id = ${schoolId} and s.police_dept_id is not null
    ), above as (
      select d.id, d.parent_id from dept d join at on at.id = d.id
      union select d.id, d.parent_id from dept d join above on above.parent_id = d.id
    )
    select u.id from users u where u.enabled and not u.pending and (
      u.id = any(${users})
      or ${isStation} and u.dept_id in (select s.police_dept_id from school s where s.id = ${schoolId})
      or exists (
        select from shift s join security_post p on p.id = s.post_id join employee e on e.id = s.employee_id
        where e.user_id = u.id and p.type = any(${posts}) and s.published_at is not null
          and s.state in ('PLANNED', 'CHECKED_IN', 'LATE') and s.checked_out_at is null
          and now() >= s.from_at and now() < s.to_at
          and (p.school_id = ${schoolId}::bigint or p.dept_id in (select id from at))
      )
      or exists (
        select from user_role ur join role ro on ro.id = ur.role_id and ro.enabled
        where ur.user_id = u.id and ro.code = any(${roles}) and (
          ro.data_scope = 'ALL'
          or ro.data_scope in ('DEPT', 'CUSTOM') and u.dept_id in (select id from at)
          or ro.data_scope = 'DEPT_AND_CHILD' and u.dept_id in (select id from above)
          or ro.data_scope = 'CUSTOM' and exists (
            select from role_dept rd where rd.role_id = ro.id and rd.dept_id in (select id from at)))
      )
    )
    order by u.id limit 500`.execute(all)
  return rows.map(({ id }) => id)
}
