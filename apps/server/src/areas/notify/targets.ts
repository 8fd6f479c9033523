import type { PolicyTarget } from '@tocsin/contract/notify/policy'
import { sql } from 'kysely'
import { earliestStart } from '#areas/security/shift/earliest-start'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'

/** The location of an event: its department and, if any, its school. */
export type MatterPlace = { schoolId: number | null; deptId: number }

/** Users whom a policy names, each once. */
export type Recipients = {
  /** All of them, those on duty first. */
  userIds: number[]
  /** Of these, people who have checked in to a shift of the school that has not ended. */
  onDuty: number[]
  /**
   * Of these, people of the school who are not on duty and are named by a role only; empty while nobody is on duty.
   * Everybody else, such as a command centre, a station or people named personally, never waits for a shift.
   */
  waiting: number[]
}

type Target = { id: number; onDuty: boolean; canWait: boolean }

/** One statement, because SQL decides the visibility of users who are not signed in. */
const loadTargets = async (
  db: Db,
  targets: readonly PolicyTarget[],
  { schoolId, deptId }: MatterPlace,
): Promise<Target[]> => {
  const roles = targets.flatMap((target) => (target.kind === 'ROLE' ? target.roleCode : []))
  const users = targets.flatMap((target) => (target.kind === 'USER' ? target.userId : []))
  const posts = targets.flatMap((target) => (target.kind === 'POST' ? target.postType : []))
  const isStation = targets.some(({ kind }) => kind === 'STATION')
  const all = unscoped(db, 'a policy names people by role and place')
  const { rows } = await sql<Target>`
    with recursive at as (
      select ${deptId}::bigint as id
      union select s.dept_id from school s where s.id = ${schoolId}
      union select s.police_dept_id from school s where s.id = ${schoolId} and s.police_dept_id is not null
    ), above as (
      select d.id, d.parent_id from dept d join at on at.id = d.id
      union select d.id, d.parent_id from dept d join above on above.parent_id = d.id
    )
    select u.id, duty.is_on as on_duty, not duty.is_on and not named.in_person and coalesce(
      u.dept_id = (select s.dept_id from school s where s.id = ${schoolId}), false) as can_wait
    from users u
    cross join lateral (select (
      u.id = any(${users})
      or ${isStation} and u.dept_id in (select s.police_dept_id from school s where s.id = ${schoolId})
      or exists (
        select from shift s join security_post p on p.id = s.post_id join employee e on e.id = s.employee_id
        where e.user_id = u.id and p.type = any(${posts}) and s.published_at is not null
          and s.state in ('PLANNED', 'CHECKED_IN', 'LATE') and s.checked_out_at is null
          and now() >= s.from_at and now() < s.to_at
          and (p.school_id = ${schoolId}::bigint or p.dept_id in (select id from at))
      )
    ) as in_person) named
    cross join lateral (select exists (
      select from employee e join shift s on s.employee_id = e.id
      where e.user_id = u.id and e.status = 'ACTIVE' and s.school_id = ${schoolId}::bigint
        and s.state = 'CHECKED_IN' and s.from_at > ${earliestStart(new Date())}::timestamptz
    ) as is_on) duty
    where u.enabled and not u.pending and (
      named.in_person
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
    order by duty.is_on desc, u.id limit 500`.execute(all)
  return rows
}

/**
 * Enabled users whom targets name at a place. Users of a role count when the role lets them see one of the departments
 * of the place (DESIGN 5). Shifts add nobody: they say who of them is told first.
 */
export const findRecipients = async (
  db: Db,
  targets: readonly PolicyTarget[],
  place: MatterPlace,
): Promise<Recipients> => {
  const found = await loadTargets(db, targets, place)
  const idsOf = (rows: readonly Target[]) => rows.map(({ id }) => id)
  const onDuty = found.filter((row) => row.onDuty)
  const waiting = onDuty.length > 0 ? found.filter((row) => row.canWait) : []
  return { userIds: idsOf(found), onDuty: idsOf(onDuty), waiting: idsOf(waiting) }
}

/** The same people, where all of them are told at once. */
export const findTargetUsers = async (
  db: Db,
  targets: readonly PolicyTarget[],
  place: MatterPlace,
): Promise<number[]> => (await findRecipients(db, targets, place)).userIds
