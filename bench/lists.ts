import { makeDept } from '../apps/server/seed/fixtures.ts'
import { openPool } from '../apps/server/src/db/db.ts'
import type { Actor } from '../apps/server/src/http/route.ts'
import { auditPage } from '../apps/server/src/areas/audit/log/audit-log.ts'
import { loginPage } from '../apps/server/src/areas/audit/log/login-log.ts'
import { builtInRegions } from '../apps/server/src/areas/audit/log/region.ts'
import { userPage } from '../apps/server/src/areas/access/people/read.ts'
import type { LoginLogQuery } from '../packages/contract/src/audit/login-log.ts'
import type { UserQuery } from '../packages/contract/src/access/user.ts'
import { embedded } from '../tools/fault/fault-setup.ts'
import type { BenchFigure } from './figures.ts'
import type { BenchServer } from './bench-server.ts'
import { asked, type Case } from './register/list-case.ts'
import { everybody, makeHead, measureCase } from './register/measure-case.ts'
import { fillRegister, registerCases } from './register/lists.ts'

/** A smaller number tests the script and says nothing about speed. */
const SCALE = Number(process.env['BENCH_SCALE'] ?? 1)
const USERS = 1_000_000 * SCALE
const DEPTS = 3000
const DISTRICT = 300
const LOGINS = 10_000_000 * SCALE
const AUDITS = 10_000_000 * SCALE
/** The last page that exists or may be requested (DESIGN 5). */
const LAST = Math.floor(Math.min(100_000, USERS) / 10)
const DAYS = 90

/** Realistic names, so that two characters match hundreds of a million users, and some match none. */
const NAME = `substr('王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈', 1 + (random() * 49)::int, 1) ||
  substr('伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉萍红建国文辉力志永健世广义兴良海山仁波宁贵福生龙元全', 1 + (random() * 49)::int, 1) ||
  substr('伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉萍红建国文辉力志永健世广义兴良海山仁波宁贵福生龙元全', 1 + (random() * 49)::int, 1)`

/** A department with 299 below it, whose users can see these. */
const makeDepts = async ({ db }: BenchServer['access']): Promise<number[]> => {
  const depts: number[] = []
  for (let n = 0; n < DEPTS; n += 1) {
    const parentId = n > 0 && n < DISTRICT ? (depts[0] ?? null) : null
    depts.push((await makeDept(db, { parentId })).id)
  }
  return depts
}

/** Fills the tables without their secondary indexes, which takes a third of the time, and creates these afterwards. */
const unindexed = async ({ pool }: BenchServer['access'], work: () => Promise<void>): Promise<void> => {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('users', 'login_log', 'audit_log') and indexdef not like '% UNIQUE %'`,
  )
  for (const { name } of rows) await pool.query(`drop index ${name}`)
  await work()
  for (const { definition } of rows)
    await pool.query(`set maintenance_work_mem = '512MB'; ${definition.replace(' ON ONLY ', ' ON ')}`)
}

/** Every hundredth row of a log belongs to one of these users, whose names are Chinese. */
const named = (n: string) =>
  `case when ${n} % 100 = 0 then (${NAME}) else 'crowd' || (1 + (${n} * 7919::bigint) % ${USERS}) end`

const fill = async ({ pool }: BenchServer['access'], depts: readonly number[]): Promise<void> => {
  await pool.query(
    `insert into users (username, nickname, dept_id, mobile, enabled)
     select 'crowd' || n, ${NAME}, ($2::bigint[])[1 + n % $3::int], (13000000000 + n)::text, n % 20 > 0
     from generate_series(1, $1::int) n`,
    [USERS, depts, DEPTS],
  )
  await pool.query("insert into last_login (user_id, at, ip) select id, now(), '10.0.0.1' from users")
  await pool.query(
    `insert into login_log (at, type, user_id, dept_id, username, result, ip, user_agent, trace_id)
     select now() - make_interval(secs => ${DAYS * 86_400} * (1 - n / $1::float8)), (array['LOGIN', 'REFRESH', 'LOGOUT'])[1 + n % 3],
       1 + n % ${USERS}, ($2::bigint[])[1 + n % $3::int], ${named('n')}, case when n % 50 = 0 then 'BAD_PASSWORD' else 'SUCCESS' end,
       '10.' || n % 200 || '.' || n % 250 || '.' || n % 240, 'Mozilla/5.0', md5(n::text)
     from generate_series(1, $1::int) n`,
    [LOGINS, depts, DEPTS],
  )
  await pool.query('alter table audit_log disable trigger audit_log_queue')
  await pool.query(
    `insert into audit_log (at, user_id, username, dept_id, ip, user_agent, trace_id, action, subject, subject_id, result, after, hash)
     select now() - make_interval(secs => ${DAYS * 86_400} * (1 - n / $1::float8)), 1 + n % ${USERS}, ${named('n')},
       ($2::bigint[])[1 + n % $3::int], '10.' || n % 200 || '.' || n % 250 || '.' || n % 240, 'Mozilla/5.0', md5(n::text),
       (array['system:user:update', 'system:role:update', 'warn:record:claim'])[1 + n % 3], 'users', n, 200, '{"nickname": "x"}', '\\x00'
     from generate_series(1, $1::int) n`,
    [AUDITS, depts, DEPTS],
  )
}

const users = (name: string, query: UserQuery): Case => ({
  name: `users, ${name}`,
  path: `/system/user/page?${asked({ ...query, ...(query.status !== undefined && { status: query.status ? 0 : 1 }) })}`,
  run: ({ db, actor }) => userPage(db, query, actor),
})

const quarter = (): [Date, Date] => [new Date(Date.now() - DAYS * 86_400_000), new Date(Date.now() + 60_000)]

const logins = (name: string, query: LoginLogQuery): Case => ({
  name: `sign-ins, ${name}`,
  path: `/system/login-log/page?${asked(query)}`,
  run: ({ db, actor }) => loginPage(db, { actor, query, regionOf: builtInRegions }),
})

const writes = (name: string, query: Parameters<typeof auditPage>[1]['query']): Case => ({
  name: `operations, ${name}`,
  path: `/system/operate-log/page?${asked(query)}`,
  run: ({ db, actor }) => auditPage(db, { actor, query, regionOf: builtInRegions }),
})

const cases = (): Case[] => [
  users('first page', {}),
  users('last page that is counted', { pageNo: LAST }),
  users('disabled ones', { status: false }),
  users('two characters, hundreds', { username: '张伟' }),
  users('two characters, none', { username: '东湖' }),
  users('a word all have', { username: 'crowd' }),
  logins('first page of 7 days', {}),
  logins('first page of 90 days', { createTime: quarter() }),
  logins('last page that is counted, 90 days', { createTime: quarter(), pageNo: LAST }),
  logins('refused ones, 90 days', { createTime: quarter(), status: false }),
  logins('one name, 90 days', { createTime: quarter(), username: 'crowd123456' }),
  logins('two characters, 90 days', { createTime: quarter(), username: '张伟' }),
  logins('two characters, none, 90 days', { createTime: quarter(), username: '东湖' }),
  logins('a word all have, 90 days', { createTime: quarter(), username: 'crowd' }),
  writes('first page of 7 days', {}),
  writes('first page of 90 days', { createTime: quarter() }),
  writes('last page that is counted, 90 days', { createTime: quarter(), pageNo: LAST }),
  writes('two characters, 90 days', { createTime: quarter(), userName: '张伟' }),
  writes('two characters, none, 90 days', { createTime: quarter(), userName: '东湖' }),
  writes('a word all have, 90 days', { createTime: quarter(), userName: 'crowd' }),
  writes('one address, 90 days', { createTime: quarter(), userIp: '10.7.7.7' }),
  writes('one network, 90 days', { createTime: quarter(), userIp: '10.7.' }),
  writes('one module, 90 days', { createTime: quarter(), type: 'system:role' }),
  writes('one name, 90 days', { createTime: quarter(), userName: 'crowd123456' }),
]

/** Measures lists at the size of a province: one million users, ten million log rows. */
export const benchLists = async (stage: BenchServer, show: (figure: BenchFigure) => void): Promise<void> => {
  const began = performance.now()
  const depts = await makeDepts(stage.access)
  await unindexed(stage.access, () => fill(stage.access, depts))
  await fillRegister(stage.access, depts, SCALE)
  await stage.access.pool.query('vacuum analyze users, last_login, login_log, audit_log')
  console.log(`filled in ${Math.round((performance.now() - began) / 1000)} s`)
  const [token = ''] = await stage.tokens(1)
  const pool = openPool({ ...embedded(stage.dataDir).owner, user: 'postgres', max: 10 }, 60)
  const district = depts.slice(0, DISTRICT)
  const head = await makeHead(stage.access, depts[0] ?? 0)
  const sights: [string, string, Actor][] = [
    ['', token, everybody],
    [` (sight of ${DISTRICT} departments)`, await stage.tokenOf(head), { ...everybody, depts: district, schools: [] }],
  ]
  for (const [note, bearer, actor] of sights)
    for (const { name, ...read } of [...registerCases(), ...cases()])
      show(await measureCase({ stage, pool, bearer, actor }, { ...read, name: `${name}${note}` }))
  await pool.end()
}
