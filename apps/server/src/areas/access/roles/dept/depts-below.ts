import { sql } from 'kysely'

/** The ids of a department and of all below it, as a subquery. */
export const deptsBelow = (deptId: number) =>
  sql<number>`(with recursive below as (
    select id from dept where id = ${deptId} union select d.id from dept d join below on d.parent_id = below.id
  ) select id from below)`
