import { getGovernFigures } from '../../apps/server/src/areas/insight/govern.ts'
import { homeFigures } from '../../apps/server/src/areas/insight/home.ts'
import {
  getDuty,
  getHomeReadiness,
  getResponse,
  getSystemState,
} from '../../apps/server/src/areas/insight/home-cards.ts'
import { rebuildRollup, refreshRollup } from '../../apps/server/src/areas/insight/rollup/refresh-rollup.ts'
import { collectFigures } from '../../apps/server/src/areas/insight/report/figures.ts'
import { periodAt, periodBefore } from '../../packages/contract/src/insight/report-period.ts'
import { openDb, openPool } from '../../apps/server/src/db/db.ts'
import { refreshAll } from '../../apps/server/src/areas/insight/readiness/refresh.ts'
import type { Actor } from '../../apps/server/src/http/route.ts'
import { embedded } from '../../tools/fault/fault-setup.ts'
import type { BenchServer } from '../bench-server.ts'
import { type BenchFigure, percentile } from '../figures.ts'
import { asked, type Case } from '../register/list-case.ts'
import { everybody, makeHead, measureCase, timed } from '../register/measure-case.ts'
import { fillShifts } from './duty-rows.ts'
import { describeSizes, fillSignals } from './fill-signals.ts'
import { type City, fillCity, fillTimed, scaleOf } from './fill-city.ts'

const RECORDS = 10_000_000
const DELIVERIES = 1_000_000
const SESSIONS = 100_000
const QUICK_COUNT = 5
const DAY_MS = 86_400_000

type Pool = BenchServer['access']['pool']

/** Records at a time. */
const SLICE = 500_000

const INSERT_RECORDS = `
  insert into warn_record (no, class, code, level, mode, state, dedup_key, device_id, school_id, dept_id, school_name,
     place_path, first_at, last_at, received_at, displayed_at, claimed_at, dispatched_at, on_site_at, resolved_at,
     ended_at, disposition, cause_code)
   select 'BENCH' || n, (array['PANIC', 'PANIC', 'VOICE', 'INTRUSION'])[1 + n % 4], 'PANIC', 1 + n % 4,
     case when n % 50 = 0 then 'DRILL' else 'LIVE' end, case when n > $1::int - 300 then 'NEW' else 'RESOLVED' end,
     'bench' || n, null, school.id, school.dept_id, school.name, '一号楼/一层/101', at, at, at,
     at + make_interval(secs => 0.2 + n % 20 * 0.1), at + make_interval(secs => 2 + n % 60),
     case when n % 3 = 0 then at + make_interval(secs => 20 + n % 90) end,
     case when n % 3 = 0 then at + make_interval(secs => 120 + n % 400) end,
     case when n <= $1::int - 300 then at + interval '10 minutes' end,
     case when n <= $1::int - 300 then at + interval '10 minutes' end,
     case when n > $1::int - 300 then null when n % 4 = 0 then 'FALSE_ACCIDENTAL' else 'REAL_HANDLED' end,
     case when n % 4 = 0 then 'C' || n % 12 end
   from (select n, now() - make_interval(secs => 730 * 86400.0 * (1 - n / $1::float8)) as at
     from generate_series($2::int, least($1::int, $2::int + ${SLICE} - 1)) n) press
   join (select id, dept_id, name, row_number() over (order by id) as no, count(*) over () as schools from school
     where code like 'BENCH%') school on school.no = 1 + (n * 7919::bigint) % school.schools`

/** Alarms of two years, of which the last 300 are open; 1 in 50 is a drill and every fourth was false. */
const fillRecords = async (pool: Pool, count: number): Promise<void> => {
  // In slices, so that no statement reaches its timeout.
  for (let from = 1; from <= count; from += SLICE) await pool.query(INSERT_RECORDS, [count, from])
  await pool.query('vacuum analyze warn_record')
}

/** Counts the stored days from nothing, as the first start after an update does. */
const buildRollup = async (pool: Pool): Promise<void> => {
  const db = openDb(pool)
  await rebuildRollup(db)
  while (await db.transaction().execute((trx) => refreshRollup(trx)));
  await pool.query('vacuum analyze alarm_day, alarm_day_total')
}

const fillSystem = async (pool: Pool, scale: number): Promise<void> => {
  await pool.query(
    `insert into delivery (subject_type, subject_id, plan_key, recipient_name, channel, level, state, title, body,
       created_at, due_at, expires_at, ended_at)
     select 'RECORD', n, 'bench' || n, '员工' || n, 'SMS', 1, case when n % 100 = 0 then 'FAILED' else 'DELIVERED' end,
       '一键报警', repeat('内容', 20), at, at, at + interval '1 hour', at
     from (select n, now() - make_interval(secs => 90 * 86400.0 * (1 - n / $1::float8)) as at
       from generate_series(1, $1::int) n) sent`,
    [DELIVERIES * scale],
  )
  await pool.query(
    `insert into users (username, nickname, dept_id, pending)
     select 'bench' || n, '员工' || n, (select min(id) from dept), false from generate_series(1, $1::int) n`,
    [SESSIONS * scale],
  )
  await pool.query(
    `insert into session (user_id, ip, user_agent, idle_expires_at, expires_at)
     select id, '10.0.0.1', 'bench', now() + case when id % 4 = 0 then 1 else -1 end * interval '8 hours',
       now() + interval '7 days'
     from users where username like 'bench%'`,
  )
  await pool.query('vacuum analyze delivery, users, session')
}

const cases = ({ districtId }: City): Case[] => {
  const quarter = { from: new Date(Date.now() - 92 * DAY_MS), to: new Date() }
  const govern = (name: string, query: Parameters<typeof getGovernFigures>[2]): Case => ({
    name: `governance, ${name}`,
    path: `/insight/govern/get?${asked(query)}`,
    run: ({ db, actor }) => getGovernFigures(db, actor, query, new Date()),
  })
  const home = (name: string, path: string, run: Case['run']): Case => ({
    name: `home, ${name}`,
    path: `/insight/home/${path}`,
    run,
  })
  return [
    home('alarms and devices', 'get', ({ db, actor }) => homeFigures(db, actor)),
    home('response of today', 'response', ({ db, actor }) => getResponse(db, actor)),
    home('on duty now', 'duty', ({ db, actor }) => getDuty(db, actor)),
    home('readiness', 'readiness', ({ db, actor }) => getHomeReadiness(db, actor)),
    home('state of the system', 'system', ({ db, actor }) => getSystemState(db, actor)),
    govern('30 days', {}),
    govern('30 days of a district', { deptId: districtId }),
    govern('92 days', quarter),
  ]
}

const readers = new Set(['warn:record:query', 'device:device:query'])

/** Measures the pages of figures with the alarms of two years: ten million records, ten signals for each, one million messages. */
export const benchDashboards = async (
  stage: BenchServer,
  show: (figure: BenchFigure) => void,
  isQuick: boolean,
): Promise<void> => {
  const pool = openPool({ ...embedded(stage.dataDir).owner, user: 'postgres', max: 10 }, 1800)
  const city = await fillTimed('dashboards', async () => {
    const filled = await fillCity(stage.access, isQuick)
    await fillShifts(stage.access.pool, [-2, 3])
    // The changes of a fill would be counted one by one.
    await pool.query('alter table warn_record disable trigger user')
    await fillRecords(pool, RECORDS * scaleOf(isQuick))
    await pool.query('alter table warn_record enable trigger user')
    await fillSystem(stage.access.pool, scaleOf(isQuick))
    await pool.query(
      `insert into school_readiness_day (school_id, day, score, devices, low)
       select id, current_date - n, 60 + (id + n) % 40, 33, 1 from school, generate_series(1, 90) n`,
    )
    await openDb(pool)
      .transaction()
      .execute((trx) => refreshAll(trx, new Date()))
    await pool.query('vacuum analyze device_readiness, school_readiness, school_readiness_day')
    return filled
  })
  await fillTimed('signals', () => fillSignals(pool))
  await fillTimed('rollup', () => buildRollup(pool))
  console.log(await describeSizes(pool))
  const [token = ''] = await stage.tokens(1)
  const head = await makeHead(stage.access, city.districtId)
  const all: Actor = { ...everybody, permissions: readers }
  const district = { ...all, deptId: city.districtId, depts: city.districtDepts, schools: city.districtSchools }
  const sights: [string, string, Actor][] = [
    ['the city', token, all],
    ['a district', await stage.tokenOf(head), district],
  ]
  for (const [sight, bearer, actor] of sights) {
    const month = periodBefore('MONTH', periodAt('MONTH', new Date()))
    const collect = () => collectFigures(openDb(pool), actor, { kind: 'MONTH', period: month })
    const times = await timed(collect, 0, isQuick ? QUICK_COUNT : undefined)
    show({ name: `figures of a monthly report (${sight}), p99`, unit: 'ms', runs: [percentile(times, 99)] })
    for (const { name, ...read } of cases(city))
      show(
        await measureCase(
          { stage, pool, bearer, actor, ...(isQuick && { count: QUICK_COUNT }) },
          { ...read, name: `${name} (${sight})` },
        ),
      )
  }
  await pool.end()
}
