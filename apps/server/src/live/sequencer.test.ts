import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBreakableLink } from '../../test/breakable-link.ts'
import { cloneDatabase, type TestDatabase } from '../../test/database.ts'
import { quietLog } from '../../test/quiet-log.ts'
import { type Db, openDb, openPool } from '#db/db'
import { emitEvents, wakeSequencer } from '#db/event'
import { type Sequencer, startSequencer } from './sequencer.ts'

let database: TestDatabase
let pool: pg.Pool
let db: Db
let started: Sequencer[] = []

const start = (connection: pg.ClientConfig = database.app) => {
  const sequencer = startSequencer({ connection, log: quietLog })
  started.push(sequencer)
  return sequencer
}

/** Writes one event in a transaction that stays open as long as `held` takes. */
const write = async (ref: number, held: () => Promise<unknown> = async () => {}) => {
  await db.transaction().execute(async (trx) => {
    await emitEvents(trx, { type: 'alarm.changed', ref })
    await held()
  })
  wakeSequencer()
}

type Numbered = { id: number; ref: number; seq: number | null }
const all = async () => (await pool.query<Numbered>('select id, ref, seq from event order by seq, id')).rows
const allNumbered = async () => {
  await expect.poll(async () => (await all()).filter(({ seq }) => seq === null)).toEqual([])
  return all()
}

const oneTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

beforeAll(async () => {
  database = await cloneDatabase()
  pool = openPool({ ...database.app, max: 60 }, 20)
  db = openDb(pool)
})
beforeEach(() => pool.query('delete from event').then(() => pool.query('update event_head set last_seq = 0')))
afterEach(async () => {
  await Promise.all(started.map(({ stop }) => stop()))
  started = []
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

type Cursor = { column: 'seq' | 'id'; last: number; refs: number[]; numbers: number[] }

const readOn = async (cursor: Cursor) => {
  const { rows } = await pool.query<{ at: number; ref: number }>(
    `select ${cursor.column} as at, ref from event where ${cursor.column} > $1 order by 1`,
    [cursor.last],
  )
  for (const { at, ref } of rows) {
    cursor.last = at
    cursor.refs.push(ref)
    cursor.numbers.push(at)
  }
}
const cursorOver = (column: 'seq' | 'id'): Cursor => ({ column, last: 0, refs: [], numbers: [] })

/** For docs/benchmarks.md, fault runs. */
const EVENTS = Number(process.env['FAULT_EVENTS'] ?? 2000)

describe('event numbers', { timeout: 60_000 + EVENTS * 30 }, () => {
  it('let no cursor miss what 50 writers commit in any order, where a cursor over ids does (X22)', async () => {
    start()
    const writers = oneTo(50)
    const each = Math.ceil(EVENTS / writers.length)
    const readers = oneTo(20).map(() => cursorOver('seq'))
    const bare = cursorOver('id')

    // Forces the order that a cursor over ids cannot handle: a lower id commits after a higher one was read.
    const release = Promise.withResolvers<void>()
    const inserted = Promise.withResolvers<void>()
    const slow = write(0, () => (inserted.resolve(), release.promise))
    await inserted.promise
    await write(-1)
    await readOn(bare)
    expect(bare.refs).toEqual([-1])

    const rolledBack = new Error('rolled back')
    const writing = writers.map(async (writer) => {
      for (const n of oneTo(each)) {
        const ref = writer * 100_000 + n
        const held = async () => {
          // Mostly short, sometimes longer than the sequencer's poll interval of 250 ms.
          await pause(Math.random() ** 6 * 500)
          if (n % 10 === 0) throw rolledBack
        }
        await write(ref, held).catch((error) => expect(error).toBe(rolledBack))
      }
    })
    let written = false
    const reading = [...readers, bare].map(async (reader) => {
      while (!written) {
        await readOn(reader)
        await pause(Math.random() * 20)
      }
    })
    await writing[0]
    release.resolve()
    await Promise.all([slow, ...writing])
    await allNumbered()
    written = true
    await Promise.all(reading)

    const committed = [0, -1, ...writers.flatMap((w) => oneTo(each).flatMap((n) => (n % 10 ? [w * 100_000 + n] : [])))]
    const sorted = (refs: number[]) => refs.toSorted((a, b) => a - b)
    for (const reader of readers) {
      await readOn(reader)
      expect(sorted(reader.refs)).toEqual(sorted(committed))
      expect(reader.numbers).toEqual(oneTo(committed.length))
    }
    await readOn(bare)
    expect(bare.refs).not.toContain(0)
    expect(bare.refs.length).toBeLessThan(committed.length)
  })

  it('follow the ids in batches, with one notification of the highest', async () => {
    const client = new pg.Client(database.app)
    const items: string[] = []
    client.on('notification', ({ payload }) => items.push(payload ?? ''))
    await client.connect()
    await client.query('listen tocsin_event')
    await pool.query(`insert into event (type, ref) select 'alarm.changed', n from generate_series(1, 2500) n`)
    start()
    const rows = await allNumbered()
    expect(rows.map(({ ref }) => ref)).toEqual(oneTo(2500))
    expect(rows.map(({ seq }) => seq)).toEqual(oneTo(2500))
    await expect.poll(() => items).toEqual(['2500'])
    await client.end()
  })
})

describe('two sequencers', () => {
  const oneLeads = (...sequencers: Sequencer[]) =>
    expect.poll(() => sequencers.filter(({ isLeader: leads }) => leads())).toHaveLength(1)

  const writeMany = (from: number, to: number) =>
    Promise.all(oneTo(to - from).map((n) => write(from + n, () => pause(Math.random() * 10))))

  const gapless = async (n: number) => {
    const rows = await allNumbered()
    expect(rows.map(({ seq }) => seq)).toEqual(oneTo(n))
    const { rows: heads } = await pool.query<{ head: number }>('select last_seq as head from event_head')
    expect(heads[0]?.head).toBe(n)
  }

  it('never lead together, and the other continues when the leader stops', async () => {
    const [first, second] = [start(), start()]
    await oneLeads(first, second)
    await writeMany(0, 50)
    const [leading, other] = first.isLeader() ? [first, second] : [second, first]
    expect(other.isLeader()).toBe(false)
    await leading.stop()
    await writeMany(50, 100)
    await expect.poll(other.isLeader).toBe(true)
    await gapless(100)
  })

  it("hand over without gap or duplicate when the leader's connection is terminated", async () => {
    const link = await createBreakableLink(database.app)
    const first = start(link.connection)
    await oneLeads(first)
    const second = start()
    const writing = writeMany(0, 200)
    await expect.poll(async () => (await all()).some(({ seq }) => seq !== null)).toBe(true)
    const superuser = new pg.Client(database.superuser)
    await superuser.connect()
    const ended = await superuser.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = $1)`,
      [database.app.database],
    )
    expect(ended.rowCount).toBe(1)
    link.cut()
    await superuser.end()
    await expect.poll(second.isLeader).toBe(true)
    await writing
    await gapless(200)
    expect(first.isLeader()).toBe(false)
    link.mend()
    await first.stop()
    await link.close()
  })

  it("hand over when the leader's connection is half-open, because PostgreSQL ends idle ones (X07)", async () => {
    const link = await createBreakableLink(database.app)
    const first = start(link.connection)
    await oneLeads(first)
    const second = start()
    await writeMany(0, 20)
    await gapless(20)
    link.freeze()
    await writeMany(20, 60)
    await expect.poll(second.isLeader).toBe(true)
    await gapless(60)
    await expect.poll(first.isLeader).toBe(false)
    await first.stop()
    await link.close()
  })

  it('notify the leader of their own commits, coalesced', async () => {
    const first = start()
    await oneLeads(first)
    const client = new pg.Client(database.app)
    const items: string[] = []
    client.on('notification', ({ channel }) => items.push(channel))
    await client.connect()
    await client.query('listen tocsin_poke')
    start()
    // The standby has requested the lock, which another holds.
    const standBy = `
      select from pg_stat_activity where datname = current_database() and query like '%pg_try_advisory_lock%'
      and state = 'idle' and pid not in (select pid from pg_locks where locktype = 'advisory')`
    await expect.poll(async () => (await pool.query(standBy)).rowCount).toBe(1)
    for (const _ of oneTo(100)) wakeSequencer()
    await expect.poll(() => items).toEqual(['tocsin_poke'])
    await client.query('select 1')
    expect(items).toEqual(['tocsin_poke'])
    await client.end()
  })
})
