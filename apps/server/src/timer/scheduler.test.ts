import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Db, openDb, openPool } from '#db/db'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { quietLog } from '../../test/quiet-log.ts'
import { checkOverdue, type Overdue } from './overdue-monitor.ts'
import { claimDue, releaseTimer, type ClaimedTimer } from './claim.ts'
import { cancelTimers, scheduleTimer, type TimerKey } from './timer.ts'
import {
  executeTimer,
  runDueTimers,
  type SchedulerDeps,
  startScheduler,
  startSweepScheduler,
  type TimerHandler,
} from './scheduler.ts'

let database: TestDatabase
const pools: pg.Pool[] = []
let db: Db

const node = (): Db => {
  const pool = openPool({ ...database.app, max: 3 }, 20)
  pools.push(pool)
  return openDb(pool)
}

beforeAll(async () => {
  database = await cloneDatabase()
  db = node()
})
beforeEach(() => db.deleteFrom('timer').execute())
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})

const running = new AbortController().signal
/** Effects that a timer leaves in the database, so that a rollback removes them. */
const effect = async (trx: Db, { subjectId }: TimerKey) => {
  await trx.insertInto('event').values({ type: 'rule.changed', ref: subjectId, seq: null }).execute()
}
const effects = async (): Promise<Map<number | null, number>> => {
  const rows = await db
    .selectFrom('event')
    .select((eb) => ['ref', eb.fn.countAll<number>().as('n')])
    .groupBy('ref')
    .execute()
  return new Map(rows.map(({ ref, n }) => [ref, n]))
}
type Effect = (trx: Db, key: TimerKey) => Promise<void>
const parts = (step: Effect, on: Db = db, lock?: TimerHandler['lock']): SchedulerDeps => {
  const carryOut = async (trx: Db, keys: readonly TimerKey[]) => {
    for (const key of keys) await step(trx, key)
  }
  return { db: on, handlers: { test: { most: 16, execute: carryOut, ...(lock && { lock }) } }, log: quietLog }
}
const due = (subjectId: number, step = 'GO', epoch = 1) =>
  scheduleTimer(db, { kind: 'test', subjectId, step, epoch }, -1)
const getTimer = (subjectId: number) =>
  db.selectFrom('timer').selectAll().where('subjectId', '=', subjectId).executeTakeFirstOrThrow()
/** Moves leases and due times as if `seconds` had passed. */
const pass = (seconds: number) =>
  sql`update timer set due_at = due_at - make_interval(secs => ${seconds}),
    lease_until = lease_until - make_interval(secs => ${seconds})`.execute(db)
const claimed = async (): Promise<ClaimedTimer> => {
  const [held] = await claimDue(db, ['test'])
  if (!held) throw new Error('nothing was due')
  return held
}

describe('schedulers', () => {
  it('on one database execute each timer exactly once', async () => {
    const ids = Array.from({ length: 400 }, (_, i) => 1000 + i)
    await Promise.all(ids.map((id) => due(id)))
    let done: () => void
    const all = new Promise<void>((resolve) => (done = resolve))
    let count = 0
    const step: Effect = async (trx, key) => {
      await effect(trx, key)
      count += 1
      if (count === ids.length) done()
    }
    const wheels = [startScheduler(parts(step, node())), startScheduler(parts(step, node()))]
    await all
    await Promise.all(wheels.map((wheel) => wheel.stop()))
    const happened = await effects()
    expect(ids.map((id) => happened.get(id))).toEqual(ids.map(() => 1))
    const left = await db.selectFrom('timer').select('subjectId').where('doneAt', 'is', null).execute()
    expect(left).toEqual([])
  })

  it('ignore timers that are not due, claimed by another, or of an unknown kind', async () => {
    await scheduleTimer(db, { kind: 'test', subjectId: 1, step: 'LATER', epoch: 1 }, 60)
    await due(2)
    await claimed()
    await scheduleTimer(db, { kind: 'foreign', subjectId: 3, step: 'GO', epoch: 1 }, -1)
    expect(await runDueTimers(parts(effect), running)).toBe(0)
  })

  it("take over the timers of a silent holder, and reject that holder's effects", async () => {
    await due(10)
    const stale = await claimed()
    await pass(11)
    const fresh = await claimed()
    expect(fresh.fence).toBe(stale.fence + 1)
    expect(await executeTimer(parts(effect), stale)).toBe('fenced')
    expect((await effects()).get(10)).toBeUndefined()
    expect(await executeTimer(parts(effect), fresh)).toBe('done')
    expect(await executeTimer(parts(effect), fresh)).toBe('fenced')
    expect((await effects()).get(10)).toBe(1)
  })

  it.each([
    ['cancelled', (key: TimerKey) => cancelTimers(db, key)],
    ['planned anew', (key: TimerKey) => scheduleTimer(db, key, 60)],
  ])('refuse a step that was %s after it was claimed', async (_, change) => {
    await due(20)
    const held = await claimed()
    await change(held)
    expect(await executeTimer(parts(effect), held)).toBe('fenced')
  })

  it('retry a failing timer later, keeping its error and rolling back its effects', async () => {
    await due(30)
    const failing: Effect = async (trx, key) => {
      await effect(trx, key)
      throw new Error('the siren is deaf')
    }
    const began = Date.now()
    expect(await runDueTimers(parts(failing), running)).toBe(1)
    const { leaseUntil, ...failed } = await getTimer(30)
    expect(failed).toMatchObject({ attempts: 1, lastError: 'the siren is deaf', doneAt: null })
    expect(leaseUntil?.getTime()).toBeGreaterThanOrEqual(began + 1000)
    await pass(2)
    expect(await runDueTimers(parts(failing), running)).toBe(1)
    expect(await getTimer(30)).toMatchObject({ attempts: 2 })
    expect((await effects()).get(30)).toBeUndefined()
    await pass(60)
    expect(await runDueTimers(parts(effect), running)).toBe(1)
    expect(await getTimer(30)).toMatchObject({ outcome: 'FIRED', lastError: null })
    expect((await effects()).get(30)).toBe(1)
  })

  it('let a handler schedule the timer again', async () => {
    await due(40)
    await runDueTimers(
      parts((trx, key) => scheduleTimer(trx, key, 60)),
      running,
    )
    expect(await getTimer(40)).toMatchObject({ doneAt: null, outcome: null, leaseUntil: null })
  })

  it('run due timers one by one when one of them fails, so that the others complete', async () => {
    const ids = Array.from({ length: 40 }, (_, i) => 6000 + i)
    await Promise.all(ids.map((id) => due(id)))
    const failing: Effect = async (trx, key) => {
      await effect(trx, key)
      if (key.subjectId === 6003) throw new Error('the siren is deaf')
    }
    expect(await runDueTimers(parts(failing), running)).toBe(40)
    const happened = await effects()
    expect(ids.map((id) => happened.get(id) ?? 0)).toEqual(ids.map((id) => (id === 6003 ? 0 : 1)))
    expect(await getTimer(6003)).toMatchObject({ attempts: 1, lastError: 'the siren is deaf', doneAt: null })
  })

  it('do not wait together for a locked subject; that one is waited for alone', async () => {
    await Promise.all([due(7000), due(7001), due(7002)])
    const items: { ids: readonly number[]; patient: boolean }[] = []
    const lock: TimerHandler['lock'] = async (_, ids, patient) => {
      items.push({ ids: ids.toSorted(), patient })
      return patient ? ids : ids.filter((id) => id !== 7001)
    }
    await runDueTimers(parts(effect, db, lock), running)
    expect(items).toEqual([
      { ids: [7000, 7001, 7002], patient: false },
      { ids: [7001], patient: true },
    ])
    const happened = await effects()
    expect([7000, 7001, 7002].map((id) => happened.get(id))).toEqual([1, 1, 1])
  })

  it('run the timers of one subject in due order, each seeing the effects of the one before', async () => {
    for (const [step, ago] of Object.entries({ THIRD: 1, FIRST: 3, SECOND: 2 }))
      await scheduleTimer(db, { kind: 'test', subjectId: 8000, step, epoch: 1 }, -ago)
    const order: string[][] = []
    const carryOut: TimerHandler['execute'] = async (_, keys) => void order.push(keys.map(({ step }) => step))
    await runDueTimers({ ...parts(effect), handlers: { test: { most: 16, execute: carryOut } } }, running)
    expect(order).toEqual([['FIRST'], ['SECOND'], ['THIRD']])
  })

  it('lock the subject before the timer, so that a cancelling verb and the timer do not deadlock', async () => {
    const record = db.selectFrom('eventHead').select('lastSeq').forUpdate()
    const lock: TimerHandler['lock'] = async (trx, ids) => {
      await trx.executeQuery(record.compile())
      return ids
    }
    const rounds = Array.from({ length: 20 }, (_, i) => 5000 + i)
    for (const id of rounds) {
      await due(id)
      const held = await claimed()
      const verb = db.transaction().execute(async (trx) => {
        await trx.executeQuery(record.compile())
        await cancelTimers(trx, held)
      })
      const [outcome] = await Promise.all([executeTimer(parts(effect, db, lock), held), verb])
      expect(['done', 'fenced']).toContain(outcome)
      expect((await effects()).get(id)).toBe(outcome === 'done' ? 1 : undefined)
    }
  })

  it('run a short sweep again and again while a long one is not done', async () => {
    const short = { kind: 'short', subjectId: 1, step: 'GO', epoch: 1 }
    await scheduleTimer(db, { ...short, kind: 'long' }, -2)
    await scheduleTimer(db, short, -1)
    const { promise: hasRunThrice, resolve } = Promise.withResolvers<void>()
    let runs = 0
    const handlers: SchedulerDeps['handlers'] = {
      long: { most: 1, execute: () => hasRunThrice },
      short: {
        most: 1,
        execute: async (trx) => {
          runs += 1
          if (runs === 3) resolve()
          else await scheduleTimer(trx, short, 0)
        },
      },
    }
    const sweeps = startSweepScheduler({ db, handlers, log: quietLog }, 2)
    await hasRunThrice
    await sweeps.stop()
    expect(runs).toBe(3)
  })

  it('release claimed timers that have not started when they stop', async () => {
    await due(50)
    await releaseTimer(db, await claimed())
    expect(await getTimer(50)).toMatchObject({ leaseUntil: null, attempts: 0 })
    await runDueTimers(parts(effect), AbortSignal.abort())
    expect(await getTimer(50)).toMatchObject({ leaseUntil: null, doneAt: null })
  })
})

it('the monitor reports timers that are late by more than half a minute', async () => {
  const reports: Overdue[] = []
  const look = () => checkOverdue({ db, log: quietLog, onOverdue: (overdue) => reports.push(overdue) })
  await due(60)
  await look()
  await pass(40)
  await look()
  expect(reports.map(({ count }) => count)).toEqual([0, 1])
  expect(reports[1]?.oldestSec).toBeGreaterThan(40)
})
