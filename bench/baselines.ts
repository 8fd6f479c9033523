import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import type { Credential } from '../tools/simulator/fleet-file.ts'
import { type BenchFigure, median } from './figures.ts'
import { maxThroughput } from './load.ts'
import { memoryOf, type BenchServer } from './bench-server.ts'
import { openRawDevices } from './raw-devices.ts'

export const RUNS = 5
const CONNECTIONS = 4

export type Baselines = { 'bare broker': number; 'one-row inserts': number; 'batched inserts': number }

const repeated = async (run: () => Promise<number>, runs = RUNS): Promise<number[]> => {
  await run()
  const results: number[] = []
  while (results.length < runs) results.push(await run())
  return results
}

export type BareBroker = {
  mqtt: string
  /** Resident memory of its process, in MB. */
  memory: () => number
  /** Accepts every device. */
  devices: (count: number) => Credential[]
}

/** The bare broker library in a process of its own. */
export const withBareBroker = async <T>(work: (broker: BareBroker) => Promise<T>): Promise<T> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-broker.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await once(child.stdout, 'data')
    return await work({
      mqtt: `mqtt://127.0.0.1:${Number(String(line))}`,
      memory: () => memoryOf(child.pid ?? 0),
      devices: (count) =>
        Array.from({ length: count }, (_, n) => ({ productKey: 'bench01', sn: `BARE-${n}`, secret: randomBytes(32) })),
    })
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

/** QoS 1 publishes per second through it. */
const bareBroker = (width: number, window: number): Promise<number[]> =>
  withBareBroker(async ({ mqtt, devices }) => {
    const crowd = await openRawDevices(mqtt, devices(width), { bare: true })
    const runs = await repeated(
      async () => (await maxThroughput(crowd, { count: 10_000, window, fresh: false })).perSecond,
    )
    await crowd.close()
    return runs
  })

const lanes = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  let left = count
  const lane = async () => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  return (performance.now() - began) / 1000
}

/** Rows per second into the same PostgreSQL over as many connections as ingest has, one commit per statement. */
const inserts = async ({ access }: BenchServer, rowsEach: number, statements: number): Promise<number[]> => {
  const pool = new pg.Pool({ ...access.pool.options, max: CONNECTIONS })
  const table = `bench_${randomBytes(4).toString('hex')}`
  await pool.query(`create table ${table} (id bigint generated always as identity primary key,
    device_id bigint not null, event_id varchar(40) not null unique, body jsonb not null)`)
  const body = JSON.stringify({ v: 1, boot: 1, seq: 1, ts: Date.now(), upMs: 1, mode: 'LIVE', code: 'PANIC' })
  const insert = () => {
    const ids = Array.from({ length: rowsEach }, () => randomBytes(15).toString('hex'))
    return pool.query({
      name: table,
      text: `insert into ${table} (device_id, event_id, body) select 1, id, $2::jsonb from unnest($1::text[]) as id`,
      values: [ids, body],
    })
  }
  const runs = await repeated(async () => (rowsEach * statements) / (await lanes(statements, insert)))
  await pool.query(`drop table ${table}`)
  await pool.end()
  return runs
}

export const measureBaselines = async (
  stage: BenchServer,
  { width, window }: { width: number; window: number },
): Promise<{ figures: BenchFigure[]; baselines: Baselines }> => {
  const bare = await bareBroker(width, window)
  const single = await inserts(stage, 1, 2000)
  const batched = await inserts(stage, 100, 200)
  return {
    figures: [
      { name: 'baseline: bare broker, QoS 1, nothing stored', unit: 'publishes/s', runs: bare },
      { name: 'baseline: one-row inserts, 4 connections', unit: 'rows/s', runs: single },
      { name: 'baseline: inserts of 100 rows, 4 connections', unit: 'rows/s', runs: batched },
    ],
    baselines: {
      'bare broker': median(bare),
      'one-row inserts': median(single),
      'batched inserts': median(batched),
    },
  }
}
