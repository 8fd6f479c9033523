import { setTimeout as pause } from 'node:timers/promises'
import { openDb, openPool } from '../../apps/server/src/db/db.ts'
import { pageReadiness } from '../../apps/server/src/areas/insight/readiness/readiness-reads.ts'
import { refreshAll } from '../../apps/server/src/areas/insight/readiness/refresh.ts'
import { getHomeReadiness } from '../../apps/server/src/areas/insight/home-cards.ts'
import { embedded } from '../../tools/fault/fault-setup.ts'
import { RUNS } from '../baselines.ts'
import type { BenchServer } from '../bench-server.ts'
import { type BenchFigure, percentile } from '../figures.ts'
import { asked, type Case } from '../register/list-case.ts'
import { everybody, measureCase } from '../register/measure-case.ts'
import { fillShifts } from './duty-rows.ts'
import { fillCity, fillTimed } from './fill-city.ts'

const CHANGES = 20
const QUICK_COUNT = 5
const LOOK_EVERY_MS = 50
/** The timer of the server comes every five seconds; much later something is wrong. */
const LOST_MS = 120_000
/** A low battery costs points at every scale. */
const LOW_BATTERY = 3

type Pool = BenchServer['access']['pool']

/** Facts of the devices: tests, presses, changes of the connection, and the trend of the schools. */
const fillFacts = async (pool: Pool): Promise<void> => {
  await pool.query('update device_state set battery_pct = 20 + device_id % 80, skew_ms = device_id % 3000')
  await pool.query(
    `insert into device_connectivity (device_id, at, from_state, to_state, reason)
     select device_id, now() - make_interval(hours => n * 24 + (device_id % 20)::int),
       case n % 2 when 0 then 'OFFLINE' else 'ONLINE' end, case n % 2 when 0 then 'ONLINE' else 'OFFLINE' end, 'HEARTBEAT'
     from device_state, generate_series(0, 5) n where device_id % 5 = 0`,
  )
  await pool.query(
    `insert into school_readiness_day (school_id, day, score, devices, low)
     select id, current_date - n, 60 + (id + n) % 40, 33, 1 from school, generate_series(1, 90) n`,
  )
  await pool.query('vacuum analyze device_state, device_connectivity, school_readiness_day')
}

/** Runs of the whole computation, each from nothing. */
const measureAll = async (pool: Pool, runs: number): Promise<number[]> => {
  const db = openDb(pool)
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    await pool.query('delete from device_readiness')
    await pool.query('delete from school_readiness')
    const began = performance.now()
    await db.transaction().execute((trx) => refreshAll(trx, new Date()))
    times.push((performance.now() - began) / 1000)
  }
  return times
}

/** The server says that it did: a computation of everything in its own process is over. */
const untilFull = async (pool: Pool): Promise<void> => {
  await pool.query('update readiness_cursor set full_at = null')
  const began = performance.now()
  for (;;) {
    const { rows } = await pool.query('select from readiness_cursor where full_at is not null')
    if (rows.length > 0) return
    if (performance.now() - began > LOST_MS) throw new Error('the server computed nothing')
    await pause(LOOK_EVERY_MS)
  }
}

/** From the commit of a low battery to the changed score, as the server computes it, in seconds. */
const measureChange = async (pool: Pool, deviceId: number): Promise<number> => {
  const before = await pool.query<{ score: number }>('select score from device_readiness where device_id = $1', [
    deviceId,
  ])
  await pool.query(
    `with fact as (update device_state set battery_pct = ${LOW_BATTERY} where device_id = $1 returning device_id)
     insert into event (type, ref, school_id, dept_id)
     select 'device.status', device.id, device.school_id, device.dept_id
     from device join fact on fact.device_id = device.id`,
    [deviceId],
  )
  const began = performance.now()
  for (;;) {
    const after = await pool.query<{ score: number }>('select score from device_readiness where device_id = $1', [
      deviceId,
    ])
    if (after.rows[0]?.score !== before.rows[0]?.score) return (performance.now() - began) / 1000
    if (performance.now() - began > LOST_MS) throw new Error(`the score of device ${deviceId} did not change`)
    await pause(LOOK_EVERY_MS)
  }
}

const measureChanges = async (pool: Pool, count: number): Promise<number[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `select device_id as id from device_state where battery_pct > 60 order by device_id % 997, device_id limit $1`,
    [count],
  )
  const times: number[] = []
  for (const { id } of rows) {
    times.push(await measureChange(pool, Number(id)))
    // Spreads the changes over the period of the timer.
    await pause(Math.random() * 1000)
  }
  return times
}

const lists = (): Case[] => [
  {
    name: 'ranking, first page',
    path: '/insight/readiness/page',
    run: ({ db, actor }) => pageReadiness(db, actor, {}),
  },
  {
    name: 'ranking, low ones',
    path: `/insight/readiness/page?${asked({ low: true })}`,
    run: ({ db, actor }) => pageReadiness(db, actor, { low: true }),
  },
  {
    name: 'ranking, last page',
    path: `/insight/readiness/page?${asked({ pageNo: 300 })}`,
    run: ({ db, actor }) => pageReadiness(db, actor, { pageNo: 300 }),
  },
  {
    name: 'readiness on the dashboard',
    path: '/insight/home/readiness',
    run: ({ db, actor }) => getHomeReadiness(db, actor),
  },
]

/** Measures the readiness of 99,000 devices in 3,000 schools beside a month of 60,000 shifts a day. */
export const benchReadiness = async (
  stage: BenchServer,
  show: (figure: BenchFigure) => void,
  isQuick: boolean,
): Promise<void> => {
  await fillTimed('readiness', async () => {
    await fillCity(stage.access, isQuick)
    await fillShifts(stage.access.pool, [-2, 3])
    await fillFacts(stage.access.pool)
  })
  const pool = openPool({ ...embedded(stage.dataDir).owner, user: 'postgres', max: 10 }, 120)
  const runs = await measureAll(pool, isQuick ? 1 : RUNS)
  show({ name: 'everything computed from nothing', unit: 's', runs })
  await pool.query('vacuum analyze device_readiness, school_readiness')
  await untilFull(pool)
  const changes = await measureChanges(pool, isQuick ? QUICK_COUNT : CHANGES)
  show({ name: 'a low battery to the score of its device', unit: 's', runs: changes })
  show({ name: 'the same, p99', unit: 's', runs: [percentile(changes, 99)] })
  const [token = ''] = await stage.tokens(1)
  const reading = { stage, pool, bearer: token, actor: everybody, ...(isQuick && { count: QUICK_COUNT }) }
  for (const list of lists()) show(await measureCase(reading, list))
  await pool.end()
}
