import type { OrderVerb } from '@tocsin/contract/supervise/order-machine'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { quietLog } from '../../test/quiet-log.ts'
import { type SuperviseServer, startSuperviseServer } from '../../test/supervise-server.ts'
import { type Db, openDb, openPool } from '#db/db'
import { runDueTimers } from '#timer/scheduler'
import { scheduleTimer } from '#timer/timer'
import { sweepHandlers, timerHandlers } from './index.ts'

// The timers of duty and supervision, due on two nodes at once: each takes effect once. The scheduler's own test proves it
// for a lost lease; those of announcements, alarms and notifications run on two nodes in their areas.

const SUBJECTS = 8
let site: SuperviseServer
const pools: pg.Pool[] = []
let nodes: Db[]
let postId: number
let employeeId: number
beforeAll(async () => {
  site = await startSuperviseServer()
  nodes = [1, 2].map(() => {
    const pool = openPool({ ...site.database.app, max: 3 }, 20)
    pools.push(pool)
    return openDb(pool)
  })
  const [post] = await select(
    `insert into security_post (school_id, name, type, weekdays, from_min, to_min, check_code)
     values ($1, '东门', 'GATE', 127, 0, 1440, 'nodes') returning id`,
    [site.first.id],
  )
  const [employee] = await select(
    `insert into employee (school_id, dept_id, employee_no, name, kind) values ($1, $2, 'N1', '马军', 'GUARD') returning id`,
    [site.first.id, site.first.deptId],
  )
  postId = Number(post?.['id'])
  employeeId = Number(employee?.['id'])
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await site.end()
})

const select = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await site.pool.query<Record<string, unknown>>(text, values)).rows

/** Runs what is due of a kind on both nodes until nothing is left. */
const runOnBoth = async (kind: string): Promise<void> => {
  const handler = { ...timerHandlers, ...sweepHandlers }[kind]
  if (!handler) throw new Error(`no timer of kind ${kind}`)
  // Small batches, so that neither node takes all.
  const handlers = { [kind]: { ...handler, most: 1 } }
  const run = async (db: Db) => {
    while ((await runDueTimers({ db, handlers, log: quietLog }, new AbortController().signal)) > 0);
  }
  await Promise.all(nodes.map(run))
}

/** Shifts that began and end so many minutes from now. */
const makeShifts = async (state: string, from: number, to: number): Promise<number[]> => {
  const rows = await select(
    `insert into shift (post_id, school_id, employee_id, from_at, to_at, state, published_at)
     select $1, $2, $3, now() + make_interval(mins => $4), now() + make_interval(mins => $5), $6, now()
     from generate_series(1, $7::int) returning id`,
    [postId, site.first.id, employeeId, from, to, state, SUBJECTS],
  )
  return rows.map(({ id }) => Number(id))
}
/** Each changed once, into this state. */
const shiftEffects = (state: string) => (ids: number[]) =>
  select(
    `select s.id, (select count(*) from event e where e.type = 'shift.changed' and e.ref = s.id)::int as effects
     from shift s where s.id = any($1) and s.state = $2 and s.version = 2`,
    [ids, state],
  )

const makeOrders = async (...verbs: OrderVerb[]): Promise<number[]> => {
  const ids = await Promise.all(Array.from({ length: SUBJECTS }, () => site.create()))
  for (const id of ids)
    for (const verb of verbs) await site.act(verb, id, site.who[verb === 'issue' ? 'issuer' : 'head'].token)
  return ids
}
/** One entry of the timeline, and one notice to each person that it names. */
const orderEffects = (verb: string, title: string) => (ids: number[]) =>
  select(
    `select o.id, greatest(
        (select count(*) from supervise_order_log l where l.order_id = o.id and l.verb = $2),
        (select count(*) from notice n join notice_user u on u.notice_id = n.id
          where u.user_id = $4 and n.title = $3 || '：' || o.no))::int as effects
     from supervise_order o where o.id = any($1)`,
    [ids, verb, title, site.who.head.id],
  )

/** Notices with this title to the school, by content. */
const noticeEffects = (title: string) => () =>
  select(
    `select n.content as id, count(*)::int as effects from notice n join notice_user u on u.notice_id = n.id
     where n.title like $1 || '%' and u.user_id = $2 group by n.content`,
    [title, site.who.head.id],
  )

const missRounds = async (): Promise<number[]> => {
  const [plan] = await select(
    `insert into patrol_plan (school_id, name, from_min, to_min, rounds) values ($1, '巡查', 0, 1440, 1) returning id`,
    [site.first.id],
  )
  await select(`insert into patrol_point (plan_id, school_id, seq, name, code) values ($1, $2, 1, '东门', 'nodes')`, [
    plan?.['id'],
    site.first.id,
  ])
  await select(
    `insert into patrol_run (plan_id, school_id, day, round, from_at, to_at)
     values ($1, $2, current_date - 2, 1, now() - interval '50 hours', now() - interval '49 hours')`,
    [plan?.['id'], site.first.id],
  )
  return [1]
}

type Case = {
  kind: string
  step: string
  prepare: () => Promise<number[]>
  /** One row for each effect that is to happen, with how often it happened. */
  effects: (ids: number[]) => Promise<Record<string, unknown>[]>
}
const prepareNothing = () => Promise.resolve([1])

const cases: Case[] = [
  { kind: 'shift', step: 'LATE', prepare: () => makeShifts('PLANNED', -6, 400), effects: shiftEffects('LATE') },
  { kind: 'shift', step: 'ABSENT', prepare: () => makeShifts('LATE', -31, 400), effects: shiftEffects('ABSENT') },
  { kind: 'shift', step: 'END', prepare: () => makeShifts('CHECKED_IN', -600, -121), effects: shiftEffects('DONE') },
  { kind: 'patrol', step: 'SWEEP', prepare: missRounds, effects: noticeEffects('巡查漏检') },
  { kind: 'coverage', step: 'SWEEP', prepare: prepareNothing, effects: noticeEffects('覆盖缺口') },
  ...(
    [
      ['SIGN', 'remindSign', '督办单尚未签收', ['issue']],
      ['YELLOW', 'remindSoon', '督办单临期', ['issue', 'sign']],
      ['DUE', 'remindDue', '督办单到期', ['issue', 'sign']],
      ['D1', 'remindLate', '督办单逾期 1 天', ['issue', 'sign']],
      ['D3', 'remindUpward', '督办单逾期 3 天', ['issue', 'sign']],
    ] as const
  ).map(([step, verb, title, verbs]) => {
    const prepare = () => makeOrders(...verbs)
    return { kind: 'supervise', step, prepare, effects: orderEffects(verb, title) }
  }),
  {
    kind: 'supervise-search',
    step: 'SEARCH',
    prepare: async () => {
      await site.absences(site.second.id)
      return [1]
    },
    effects: () =>
      select(
        `select subject_id as id, count(*)::int as effects from supervise_order where kind = 'DUTY_ABSENT' group by 1`,
      ),
  },
]

it.each(cases)('$kind $step takes effect once on two nodes', async ({ kind, step, prepare, effects }) => {
  const ids = await prepare()
  for (const subjectId of ids) await scheduleTimer(site.site.db, { kind, subjectId, step, epoch: 1 }, -1)
  await runOnBoth(kind)
  // What a node sees that restarts and finds the timers due once more: the facts decide, and nothing happens again.
  if (kind !== 'supervise') {
    for (const subjectId of ids) await scheduleTimer(site.site.db, { kind, subjectId, step, epoch: 1 }, -1)
    await runOnBoth(kind)
  }
  const rows = await effects(ids)
  expect(rows.length).toBeGreaterThanOrEqual(ids.length)
  expect(rows.map((row) => row['effects'])).toEqual(rows.map(() => 1))
})
