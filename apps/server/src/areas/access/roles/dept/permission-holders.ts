import { sql } from 'kysely'
import type { UnscopedDb } from '#db/db'

/** Where people work on a matter: a department, or those of a school and its police station. */
export type MatterPlace = { schoolId: number | null; deptId: number | null }

/**
 * Enabled users to whom a role gives a permission and the visibility of a place, with whether they work at its department or
 * below it. People who wait for the approval of their account hold nothing yet. The administrator may do everything: a
 * person may choose one for a task, but no message asks one, because administrators are on duty nowhere. One statement,
 * because SQL decides the permissions and the visibility of users who are not signed in.
 */
export const selectPermissionHolders = (
  _all: UnscopedDb,
  { permission, at, withAdministrators }: { permission: string; at: MatterPlace; withAdministrators: boolean },
) => sql`(
    with recursive place as (
      select id from dept where id = ${at.deptId}
      union select s.dept_id from school s where s.id = ${at.schoolId}
      union select s.police_dept_id from school s where s.id = ${at.schoolId} and s.police_dept_id is not null
    ), above as (
      select d.id, d.parent_id from dept d join place on place.id = d.id
      union select d.id, d.parent_id from dept d join above on above.parent_id = d.id
    ), local as (
      select id from dept where id = ${at.deptId}
      union select d.id from dept d join local on d.parent_id = local.id
    ), live_menu as (
      select id, permission from menu where parent_id is null and enabled
      union select m.id, m.permission from menu m join live_menu p on m.parent_id = p.id where m.enabled
    ), holding as (
      select id from role where ${withAdministrators}::boolean and code = 'super_admin' and built_in
      union select rm.role_id from role_menu rm join live_menu m on m.id = rm.menu_id where m.permission = ${permission}
    )
    select u.id, u.nickname, coalesce(u.dept_id in (select id from local), false) as is_local
    from users u
    where u.enabled and not u.pending and exists (
      select from user_role ur join role ro on ro.id = ur.role_id and ro.enabled
      where ur.user_id = u.id and ro.id in (select id from holding)
    ) and exists (
      select from user_role ur join role ro on ro.id = ur.role_id and ro.enabled
      where ur.user_id = u.id and (
        ro.data_scope = 'ALL'
        or ro.data_scope in ('DEPT', 'CUSTOM') and u.dept_id in (select id from place)
        or ro.data_scope = 'DEPT_AND_CHILD' and u.dept_id in (select id from above)
        or ro.data_scope = 'CUSTOM' and exists (
          select from role_dept rd where rd.role_id = ro.id and rd.dept_id in (select id from place)))
    ))`
