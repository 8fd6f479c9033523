import { sql } from 'kysely'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

/** What roles grant to users of certain departments: disabled roles count, because they may be enabled any time. */
export type GrantedRights = {
  super: boolean
  all: boolean
  permissions: string[]
  depts: number[]
  /** Defaults to the actor. */
  own?: boolean
}

/** The rules of the session's visibility (DESIGN 5), for roles instead of a user. */
export const grantedRights = async (
  db: Db,
  roleIds: readonly number[],
  homes: readonly number[],
): Promise<GrantedRights> => {
  const { rows } = await sql<GrantedRights>`
    with recursive roles as (
      select id, data_scope, code = 'super_admin' and built_in as super from role where id = any(${roleIds})
    ), below as (
      select h.id from unnest(${homes}::bigint[]) as h (id)
      where exists (select from roles where data_scope = 'DEPT_AND_CHILD')
      union
      select d.id from dept d join below on d.parent_id = below.id
    ), seen as (
      select id from below
      union
      select h.id from unnest(${homes}::bigint[]) as h (id)
      where exists (select from roles where data_scope in ('DEPT', 'CUSTOM'))
      union
      select rd.dept_id from role_dept rd join roles on roles.id = rd.role_id and roles.data_scope = 'CUSTOM'
    )
    select exists (select from roles where super) as super,
      exists (select from roles where data_scope = 'ALL') as "all",
      coalesce((select json_agg(id) from seen), '[]') as depts,
      coalesce((
        select json_agg(distinct m.permission) from menu m join role_menu rm on rm.menu_id = m.id
        join roles on roles.id = rm.role_id where m.permission <> ''
      ), '[]') as permissions`.execute(db)
  return rows[0] ?? { super: false, all: false, permissions: [], depts: [] }
}

const rolesOf = async (db: Db, userId: number): Promise<number[]> => {
  const rows = await db.selectFrom('userRole').select('roleId').where('userId', '=', userId).execute()
  return rows.map(({ roleId }) => roleId)
}

/** The permissions that a user's roles grant in this department. */
export const grantedRightsOfUser = async (db: Db, userId: number, deptId: number): Promise<GrantedRights> =>
  grantedRights(db, await rolesOf(db, userId), [deptId])

/** What a role grants to all its holders. */
export const grantedRightsOfRole = async (db: Db, roleId: number): Promise<GrantedRights> => {
  const holders = await unscoped(db, 'whoever holds the role counts, seen or not')
    .selectFrom('userRole')
    .innerJoin('users', 'users.id', 'userRole.userId')
    .select('users.deptId')
    .distinct()
    .where('roleId', '=', roleId)
    .execute()
  return grantedRights(
    db,
    [roleId],
    holders.map(({ deptId }) => deptId),
  )
}
