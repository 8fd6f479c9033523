import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

/** `isLocal`: works at the department of the matter or below it. */
export type PermissionHolder = { id: number; isLocal: boolean }

/**
 * Enabled users to whom a role gives a permission and the sight of a place, those of its department first; not the
 * administrator, who may do everything and is on duty nowhere. `deptId` null: nobody works on the matter yet, and
 * whoever sees the school counts. One statement, because SQL decides the permissions and the visibility of users who
 * are not signed in.
 */
export const findPermissionHolders = async (
  db: Db,
  permission: string,
  { schoolId, deptId }: { schoolId: number | null; deptId: number | null },
): Promise<PermissionHolder[]> => {
  const all = unscoped(db, 'a message reaches whoever may work on its matter')
  const { rows } = await sql<PermissionHolder>`
    with recursive place as (
      select id from dept where id = ${deptId}
      union select s.dept_id from school s where s.id = ${schoolId}
      union select s.police_dept_id from school s where s.id = ${schoolId} and s.police_dept_id is not null
    ), above as (
      select d.id, d.parent_id from dept d join place on place.id = d.id
      union select d.id, d.parent_id from dept d join above on above.parent_id = d.id
    ), local as (
      select id from dept where id = ${deptId}
      union select d.id from dept d join local on d.parent_id = local.id
    ), live_menu as (
      select id, permission from menu where parent_id is null and enabled
      union select m.id, m.permission from menu m join live_menu p on m.parent_id = p.id where m.enabled
    ), holding as (
      select rm.role_id as id from role_menu rm join live_menu m on m.id = rm.menu_id where m.permission = ${permission}
    )
    select u.id, coalesce(u.dept_id in (select id from local), false) as is_local
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
    )
    order by is_local desc, u.id limit 500`.execute(all)
  return rows
}
