import { codes } from '@tocsin/contract/codes'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '../../seed/fixtures.ts'
import { cloneSeededDatabase, type TestDatabase } from '../../test/database.ts'
import { quietLog } from '../../test/quiet-log.ts'
import { type Db, openDb, openPool } from '#db/db'
import { unscoped } from '#db/scope'
import { startJobConsumer } from './consume.ts'
import { queueJob, startQueue } from './queue.ts'
import { type JobHandler, PermanentJobError, JobAborted } from './run.ts'

let database: TestDatabase
let pool: pg.Pool
let db: Db
let queue: Awaited<ReturnType<typeof startQueue>>
let userId: number
const handlers: Record<string, JobHandler> = {}
let consumer: Awaited<ReturnType<typeof startJobConsumer>> | undefined

beforeAll(async () => {
  database = await cloneSeededDatabase()
  pool = openPool({ ...database.app, max: 8 }, 30)
  db = openDb(pool)
  userId = (await makeUser(db)).id
  queue = await startQueue(db, quietLog)
})
beforeEach(async () => {
  for (const name of Object.keys(handlers)) delete handlers[name]
  consumer = await startJobConsumer({ db, handlers, log: quietLog })
})
afterEach(async () => {
  await consumer?.stop()
  consumer = undefined
})
afterAll(async () => {
  await queue.stop()
  await pool.end()
  await database.drop()
})

const rowOf = (id: number) =>
  unscoped(db, 'test').selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const put = (name: string, data: object = {}) => db.transaction().execute((trx) => queueJob(trx, name, data, userId))
const until = async (id: number, state: string) => {
  const end = performance.now() + 30_000
  for (;;) {
    const row = await rowOf(id)
    if (row.state === state) return row
    if (performance.now() > end) throw new Error(`job ${id} is ${row.state}, not ${state}`)
    await pause(50)
  }
}

describe('job execution', () => {
  it('runs a job after its commit, never after a rollback, and notifies its owner', async () => {
    const ran: unknown[] = []
    handlers['note'] = async ({ job }) => {
      ran.push(job.data)
      return { state: 'DONE', done: 3, total: 3, counts: { good: 3 } }
    }
    await expect(
      db.transaction().execute(async (trx) => {
        await queueJob(trx, 'note', { never: true }, userId)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await db.deleteFrom('event').execute()
    const row = await until(await put('note', { a: 1 }), 'DONE')
    expect(row).toMatchObject({ done: 3, total: 3, counts: { good: 3 }, run: 1, error: null })
    expect(row.endedAt).not.toBeNull()
    expect(ran).toEqual([{ a: 1 }])
    const events = await db.selectFrom('event').select(['type', 'ref', 'userId']).execute()
    expect(events).toEqual([{ type: 'job.changed', ref: row.id, userId }])
  })

  it('reports why a job can never succeed and does not retry it', async () => {
    let tries = 0
    handlers['never'] = async () => {
      tries += 1
      throw new PermanentJobError(codes.notFound, { what: '文件' })
    }
    const row = await until(await put('never'), 'FAILED')
    expect(row.error).toEqual({ code: 404, msg: '文件不存在', params: { what: '文件' } })
    await pause(1500)
    expect(tries).toBe(1)
  })

  it('retries after a temporary failure', async () => {
    let tries = 0
    handlers['shaky'] = async ({ job }) => {
      tries += 1
      if (tries === 1) throw new Error('the network')
      return { state: 'DONE', counts: { run: job.run } }
    }
    expect(await until(await put('shaky'), 'DONE')).toMatchObject({ run: 2 })
  })

  it('stops at its next step when the job was cancelled, and writes nothing afterwards', async () => {
    let stopped: unknown
    handlers['long'] = async ({ db: own, hold }) => {
      try {
        for (let done = 1; ; done += 1) {
          await own.transaction().execute((trx) => hold(trx, { done }))
          await pause(20)
        }
      } catch (error) {
        stopped = error
        throw error
      }
    }
    const id = await put('long')
    await until(id, 'RUNNING')
    await pause(100)
    await unscoped(db, 'test').updateTable('job').set({ state: 'CANCELLED' }).where('id', '=', id).execute()
    const { done } = await rowOf(id)
    await pause(300)
    expect(stopped).toBeInstanceOf(JobAborted)
    expect(await rowOf(id)).toMatchObject({ state: 'CANCELLED', done })
  })

  it('continues in another worker when its worker stops', async () => {
    const steps: number[] = []
    handlers['steps'] = async ({ db: own, job, hold }) => {
      for (let done = job.done + 1; done <= 30; done += 1) {
        await own.transaction().execute((trx) => hold(trx, { done }))
        steps.push(done)
        await pause(30)
      }
      return { state: 'DONE' }
    }
    const id = await put('steps')
    await until(id, 'RUNNING')
    await pause(300)
    await consumer?.stop()
    const { done } = await rowOf(id)
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(30)
    consumer = await startJobConsumer({ db, handlers, log: quietLog })
    expect(await until(id, 'DONE')).toMatchObject({ done: 30, run: 2 })
    expect(steps).toEqual(Array.from({ length: 30 }, (_, at) => at + 1))
  })

  it('writes nothing after another worker took the job over', async () => {
    const first = Promise.withResolvers<void>()
    const outcome = Promise.withResolvers<unknown>()
    handlers['twice'] = async ({ db: own, hold, job }) => {
      if (job.run > 1) return { state: 'DONE', counts: { run: job.run } }
      await first.promise
      const late = await own
        .transaction()
        .execute((trx) => hold(trx, { done: 99 }))
        .catch((error: unknown) => error)
      outcome.resolve(late)
      throw late
    }
    const id = await put('twice')
    await until(id, 'RUNNING')
    await unscoped(db, 'test').updateTable('job').set({ run: 2 }).where('id', '=', id).execute()
    first.resolve()
    expect(await outcome.promise).toBeInstanceOf(JobAborted)
    expect((await rowOf(id)).done).toBe(0)
  })
})
