import { waitUntil } from '../tools/fault/wait-until.ts'
import { RUNS } from './baselines.ts'
import { type BenchFigure, percentile } from './figures.ts'
import { type DeviceLoad, maxThroughput, openDeviceLoad } from './load.ts'
import type { BenchServer } from './bench-server.ts'

const WIDTH = 450
/** Each device has two records. */
const STEPS = 2 * WIDTH
const WINDOW = 64
/** Long enough to make the timers of the records due before any scheduler sees them. */
const SOON_SEC = 1

/** What the first timer of a record does: it rings again, or (panic of level 1) hands the record to the police. */
const kinds = { 'rings again': 2, escalations: 1 } as const

/** Raises records and makes the first timer of each due at the same instant; nothing else is due meanwhile. */
const letFallDue = async ({ access }: BenchServer, crowd: DeviceLoad, level: number): Promise<void> => {
  await maxThroughput(crowd, { count: STEPS, window: WINDOW, fresh: true })
  await access.pool.query('update warn_record set level = $1 where open', [level])
  await access.pool.query(
    `update timer set due_at = now() + make_interval(secs => case when step = 'T1' then ${SOON_SEC} else 3600 end)
     where done_at is null`,
  )
}

const allFired = async ({ access }: BenchServer): Promise<boolean> => {
  const { rows } = await access.pool.query(`select from timer where step = 'T1' and done_at is null limit 1`)
  return rows.length === 0
}

/** Seconds from the due time to the log entry, of each record. */
const lateness = async ({ access }: BenchServer): Promise<number[]> => {
  const { rows } = await access.pool.query<{ late: number }>(
    `select extract(epoch from l.at - t.due_at)::float8 as late
     from timer t join warn_record r on r.id = t.subject_id and r.open
       join warn_log l on l.record_id = r.id and l.verb in ('T1', 'escalateBySystem')
     where t.kind = 'record' and t.step = 'T1' and t.outcome = 'FIRED'`,
  )
  return rows.map(({ late }) => late)
}

const round = async (stage: BenchServer, crowd: DeviceLoad, level: number) => {
  await stage.closeRecords()
  await letFallDue(stage, crowd, level)
  const before = stage.processor()
  await waitUntil('every step', () => allFired(stage))
  const after = stage.processor()
  const late = await lateness(stage)
  return {
    'a second': STEPS / Math.max(...late),
    'p99 late': percentile(late, 99) * 1000,
    'processor of the server': (after.server - before.server) / STEPS,
    'processor of the postgres': (after.postgres - before.postgres) / STEPS,
  }
}

const units = {
  'a second': '/s',
  'p99 late': 'ms',
  'processor of the server': 'ms each',
  'processor of the postgres': 'ms each',
} as const

/** Measures many timers that are due at once: how fast one node executes them, and what each costs. */
export const benchTimers = async (stage: BenchServer, show: (figure: BenchFigure) => void): Promise<void> => {
  const crowd = await openDeviceLoad(stage.node.mqtt, await stage.devices(WIDTH))
  for (const [name, level] of Object.entries(kinds)) {
    const rounds = []
    // The first is the warm-up.
    for (let run = 0; run <= RUNS; run += 1) rounds.push(await round(stage, crowd, level))
    for (const part of ['a second', 'p99 late', 'processor of the server', 'processor of the postgres'] as const)
      show({ name: `${STEPS} ${name}, ${part}`, unit: units[part], runs: rounds.slice(1).map((round) => round[part]) })
  }
  await crowd.close()
}
