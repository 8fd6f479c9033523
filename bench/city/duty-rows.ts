import type { BenchServer } from '../bench-server.ts'

type Pool = BenchServer['access']['pool']

const POSTS_EACH = 20

/** Each school has 20 posts with one shift a day, of which every hundredth is absent or not published. */
export const fillShifts = async (pool: Pool, [first, last]: readonly [number, number]): Promise<void> => {
  // A person without an account cannot receive an alarm, and covers nothing.
  await pool.query(
    `with account as (
       insert into users (username, nickname, dept_id)
       select 'duty' || id, name, dept_id from employee where user_id is null and employee_no like 'B%'
       returning id, username)
     update employee set user_id = account.id from account where account.username = 'duty' || employee.id`,
  )
  await pool.query(
    `insert into security_post (school_id, name, type, from_min, to_min, check_code)
     select id, '第' || n || '岗', (array['GATE', 'PATROL', 'MONITOR_ROOM'])[1 + n % 3],
       360 + n % 3 * 240, 840 + n % 3 * 240, 'BENCH' || id || '-' || n
     from school, generate_series(1, ${POSTS_EACH}) n where code like 'BENCH%'`,
  )
  await pool.query(
    `insert into shift (post_id, school_id, employee_id, from_at, to_at, state, published_at, checked_in_at)
     select post.id, post.school_id, person.id, start, start + interval '8 hours',
       case when post.id % 100 = 1 then 'ABSENT' when start > now() then 'PLANNED'
         when start > now() - interval '8 hours' then 'CHECKED_IN' else 'DONE' end,
       case when post.id % 100 <> 2 then now() end, case when start <= now() and post.id % 100 <> 1 then start end
     from (select *, row_number() over (partition by school_id order by id) as no from security_post) post
     join (select *, row_number() over (partition by school_id order by id) as no from employee) person
       on person.school_id = post.school_id and person.no = post.no
     cross join lateral (
       select (current_date + day + make_interval(mins => post.from_min)) at time zone 'Asia/Shanghai' as start
       from generate_series($1::int, $2::int) day
     ) at
     where post.check_code like 'BENCH%'`,
    [first, last],
  )
  await pool.query('vacuum analyze users, employee, security_post, shift')
}

export const fillOrders = async (pool: Pool, count: number): Promise<void> => {
  await pool.query(
    `insert into supervise_order (no, kind, title, content, requirement, issuer_dept_id, responsible_dept_id, school_id,
       state, issued_at, due_at)
     select 'BENCH' || n, 'MANUAL', '第' || n || '件', repeat('内容', 50), repeat('要求', 20), district.id, own.id,
       school.id, (array['ISSUED', 'SIGNED', 'IN_PROGRESS', 'RETURNED', 'CONCLUDED', 'EVALUATED', 'EVALUATED',
         'EVALUATED', 'REVOKED', 'EVALUATED'])[1 + n % 10],
       now() - interval '20 days', now() + make_interval(hours => n % 500 - 100)
     from generate_series(1, $1::int) n
     join (select *, row_number() over (order by id) as no, count(*) over () as schools from school
       where code like 'BENCH%') school on school.no = 1 + n % school.schools
     join dept own on own.id = school.dept_id join dept district on district.id = own.parent_id`,
    [count],
  )
  await pool.query(
    `insert into supervise_party (order_id, part, dept_id, school_id)
     select id, 'ISSUER', issuer_dept_id, null::bigint from supervise_order
     union all select id, 'RESPONSIBLE', responsible_dept_id, school_id from supervise_order`,
  )
  await pool.query('vacuum analyze supervise_order, supervise_party')
}
