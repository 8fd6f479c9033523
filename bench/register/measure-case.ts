import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { makeUser } from '../../apps/server/seed/fixtures.ts'
import { openDb } from '../../apps/server/src/db/db.ts'
import type { Actor } from '../../apps/server/src/http/route.ts'
import type { BenchServer } from '../bench-server.ts'
import { type BenchFigure, median, percentile, round } from '../figures.ts'
import type { Case } from './list-case.ts'

const ASKED = 100

/** A user with every permission and visibility of the own department and those below. */
export const makeHead = async ({ db, pool }: BenchServer['access'], deptId: number): Promise<number> => {
  await pool.query(
    `with made as (insert into role (code, name, data_scope) values ('bench', 'bench', 'DEPT_AND_CHILD') returning id)
     insert into role_menu (role_id, menu_id) select made.id, menu.id from made, menu`,
  )
  return (await makeUser(db, { deptId, roles: ['bench'] })).id
}

/** The pause between calls that keeps within the rate limit of a user. */
const REST_MS = 20

export const timed = async (work: () => Promise<unknown>, rest = 0, count = ASKED): Promise<number[]> => {
  const times: number[] = []
  // The first ones fill caches.
  for (let n = -3; n < count; n += 1) {
    const began = performance.now()
    await work()
    if (n >= 0) times.push(performance.now() - began)
    if (rest > 0) await pause(rest)
  }
  return times
}

type Statement = { text: string; values: unknown[] }

/** The database statements of a list, in their order. */
export const statementsOf = async (pool: pg.Pool, actor: Actor, run: Case['run']): Promise<Statement[]> => {
  const items: Statement[] = []
  const listening = Object.create(pool) as pg.Pool
  const connect = async () => {
    const client = await pool.connect()
    const spying = Object.create(client) as typeof client
    spying.query = ((text: unknown, values?: unknown[]) => {
      if (typeof text === 'string') items.push({ text, values: values ?? [] })
      return client.query(text as string, values as unknown[])
    }) as typeof client.query
    spying.release = () => client.release()
    return spying
  }
  listening.connect = connect as typeof pool.connect
  await run({ db: openDb(listening), actor })
  return items
}

export const everybody: Actor = {
  userId: 0,
  sessionId: 0,
  deptId: 0,
  username: '',
  nickname: '',
  depts: 'all',
  schools: 'all',
  permissions: new Set(),
}

type Reading = { stage: BenchServer; pool: pg.Pool; bearer: string; actor: Actor; count?: number }

/** Measures a call beside the bare SQL that it sends, all statements at once. */
export const measureCase = async (
  { stage, pool, bearer, actor, count }: Reading,
  { name, path, run }: Case,
): Promise<BenchFigure> => {
  const ask = async () => {
    const response = await fetch(`${stage.node.http}/admin-api${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
    })
    const { code, msg } = (await response.json()) as { code: number; msg: string }
    if (code !== 200) throw new Error(`${path}: ${msg}`)
  }
  const statements = await statementsOf(pool, actor, run)
  const bare = await timed(() => Promise.all(statements.map(({ text, values }) => pool.query(text, values))), 0, count)
  const called = await timed(ask, REST_MS, count)
  const medians = `medians ${round(median(called))} and ${round(median(bare))} ms`
  return {
    name: `${name}, p99`,
    unit: 'ms',
    runs: [percentile(called, 99)],
    ratios: { [`bare SQL (${round(percentile(bare, 99))} ms; ${medians})`]: percentile(bare, 99) },
  }
}
