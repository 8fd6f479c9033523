import type { Responder } from '@tocsin/contract/alarm/assignment'
import { type AssignmentState, TASK_QUERY, toResponderState } from '@tocsin/contract/alarm/assignment-machine'
import { codes } from '@tocsin/contract/codes'
import { sql } from 'kysely'
import type { Db } from '#db/db'
import { scoped, unscoped } from '#db/scope'
import { BusinessError } from '#http/business-error'
import type { Actor } from '#http/route'

type Found = Omit<Responder, 'state'> & { onDuty: boolean; open: AssignmentState | null }

/**
 * Users of the school of a record with a page of their own tasks, with their activity. One statement: SQL decides the
 * permissions of users who are not signed in.
 */
export const loadResponders = async (db: Db, recordId: number): Promise<Responder[]> => {
  const all = unscoped(db, 'who can be sent to a record that was read through the sight of the caller')
  const { rows } = await sql<Found>`
    with recursive here as (
      select coalesce(s.dept_id, r.dept_id) as id from warn_record r left join school s on s.id = r.school_id
        where r.id = ${recordId}
      union select d.id from dept d join here on d.parent_id = here.id
    ), live_menu as (
      select id, permission from menu where parent_id is null and enabled
      union select m.id, m.permission from menu m join live_menu p on m.parent_id = p.id where m.enabled
    ), holding as (
      select rm.role_id from role_menu rm join live_menu m on m.id = rm.menu_id where m.permission = ${TASK_QUERY}
    )
    select u.id, u.nickname as name, coalesce(duty.on_duty, false) as on_duty, busy.state as open, busy.no as busy_no,
      (select count(*)::int4 from assignment a where a.responder_user_id = u.id
        and a.assigned_at > now() - interval '1 day') as tasks,
      exists (select from assignment a where a.responder_user_id = u.id and a.record_id = ${recordId}
        and a.state in ('ASSIGNED', 'RECEIVED', 'EN_ROUTE', 'ON_SCENE')) as is_here,
      case when latest.state in ('TIMED_OUT', 'DECLINED') then latest.state end as missed,
      (select string_agg(ro.name, '、' order by ro.sort) from user_role ur join role ro on ro.id = ur.role_id
        where ur.user_id = u.id and ro.enabled and ro.id in (select role_id from holding)) as role_names
    from users u
    left join responder_duty duty on duty.user_id = u.id
    left join lateral (
      select a.state, r.no from assignment a left join warn_record r on r.id = a.record_id
      where a.responder_user_id = u.id and a.state in ('ASSIGNED', 'RECEIVED', 'EN_ROUTE', 'ON_SCENE')
      order by array_position(array['ON_SCENE', 'EN_ROUTE', 'RECEIVED', 'ASSIGNED'], a.state::text), a.id limit 1
    ) busy on true
    left join lateral (
      select a.state from assignment a where a.responder_user_id = u.id and a.record_id = ${recordId}
      order by a.id desc limit 1
    ) latest on true
    where u.enabled and u.dept_id in (select id from here) and exists (
      select from user_role ur join role ro on ro.id = ur.role_id
      where ur.user_id = u.id and ro.enabled and ro.id in (select role_id from holding))
    order by u.nickname, u.id limit 200`.execute(all)
  const people = rows.map(({ onDuty, open, ...row }) => ({ ...row, state: toResponderState(onDuty, open) }))
  return people.toSorted((a, b) => rankOf(a) - rankOf(b) || a.tasks - b.tasks)
}

/**
 * Free ones first, busy ones after those off duty: a call may fetch those off duty, while busy ones work. Last who did
 * not answer this alarm or declined it.
 */
const rankOf = ({ state, missed }: Pick<Responder, 'state' | 'missed'>): number => {
  if (missed !== null) return 3
  return state === 'FREE' ? 0 : state === 'OFF' ? 1 : 2
}

export const listResponders = async (db: Db, actor: Actor, recordId: number): Promise<Responder[]> => {
  const seen = await scoped(db, actor)
    .selectFrom('warnRecord')
    .select('id')
    .where('id', '=', recordId)
    .executeTakeFirst()
  if (!seen) throw new BusinessError(codes.notFound, { what: '警情' })
  return loadResponders(db, recordId)
}
