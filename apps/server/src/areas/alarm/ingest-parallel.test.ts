import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, openDb, openPool } from '#db/db'
import { unscoped } from '#db/scope'
import { alarm, carried, event, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { somebodyWaits } from '../../../test/lock-waiters.ts'
import { ingestSignal } from './ingest.ts'
import { lockDevice } from './intake/signal-source.ts'
import { sampleSize } from '../../../test/sample-size.ts'
import { invalidateRuleCache } from './intake/evaluate-rules.ts'
import { seedRules } from './rule-seed.ts'

// Several database handles stand for several nodes: only the database serialises them.

let world: IntakeFixture
const pools: ReturnType<typeof openPool>[] = []
let nodes: Db[]

beforeAll(async () => {
  world = await openIntakeFixture()
  await seedRules(world.db)
  for (let i = 0; i < 5; i += 1) pools.push(openPool({ ...world.database.app, max: 4, connectionTimeoutMillis: 0 }, 60))
  nodes = pools.map(openDb)
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await world.end()
})

const node = (i: number): Db => nodes[i % nodes.length] ?? world.db

describe('ingest', () => {
  /**
   * The two transactions block each other: one holds the record and waits for the device lock, the press has locked
   * them in the opposite order.
   */
  const meet = async (deviceId: number, seq: number) => {
    const press = Promise.withResolvers<Awaited<ReturnType<typeof world.say>>>()
    const other = node(0)
      .transaction()
      .execute(async (trx) => {
        const all = unscoped(trx, 'test')
        await all.selectFrom('warnRecord').select('id').where('deviceId', '=', deviceId).forUpdate().execute()
        world.say(deviceId, alarm('PANIC', seq)).then(press.resolve, press.reject)
        while (!(await somebodyWaits(world.db)));
        // The press waited first, so PostgreSQL aborts it first, unless this machine is very busy.
        await new Promise((later) => setTimeout(later, 600))
        await lockDevice(trx, deviceId)
      })
    const lived = other.then(
      () => true,
      (error) => {
        expect(error, 'PostgreSQL chose the other one').toMatchObject({ code: '40P01' })
        return false
      },
    )
    return { answer: await press.promise, otherLived: await lived }
  }

  it('retries a press that PostgreSQL aborted because of a deadlock', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('PANIC', 1))
    for (let seq = 2; ; seq += 1) {
      const { otherLived, answer } = await meet(deviceId, seq)
      expect(answer).toMatchObject({ created: false, duplicate: false })
      expect(await world.recordsOf(deviceId)).toMatchObject([{ occurrenceCount: seq }])
      if (otherLived) break
    }
  })
})

describe('round trips', () => {
  /**
   * Counts the statements of one ingest without begin and commit. The cached rules are excluded, because a slow machine
   * reads them again.
   */
  const statements = async (work: (db: Db) => Promise<unknown>): Promise<number> => {
    const pool = openPool({ ...world.database.app, max: 1 }, 20)
    let count = 0
    pool.on('connect', (client) => {
      const query = client.query.bind(client)
      // All overloads of the driver take the statement first; only their number matters here.
      client.query = ((...given: Parameters<typeof query>) => {
        if (!JSON.stringify(given[0]).includes('from \\"warn_rule\\"')) count += 1
        return query(...given)
      }) as typeof client.query
    })
    const db = openDb(pool)
    await ingestSignal(db, { deviceId: await world.button(), via: 'MQTT', ...carried(alarm('PANIC', 1)) })
    count = 0
    await work(db)
    await pool.end()
    return count - 2
  }

  it('needs four for a new record and for an occurrence, three for a duplicate', async () => {
    const deviceId = await world.button()
    const press = alarm('PANIC', 1)
    const say = (message: typeof press) => (db: Db) => ingestSignal(db, { deviceId, via: 'MQTT', ...carried(message) })
    expect(await statements(say(press))).toBe(4)
    expect(await statements(say(alarm('PANIC', 2)))).toBe(4)
    expect(await statements(say(press))).toBe(3)
  })
})

// Transactions of one device are sequential on any machine.
const PRESSES = sampleSize(1000)
describe('parallel ingest', { timeout: 120_000 }, () => {
  it('stores one message on five nodes as one signal of one record with one answer', async () => {
    const deviceId = await world.button()
    const message = carried(alarm('PANIC', 1))
    const answers = await Promise.all(nodes.map((db) => ingestSignal(db, { deviceId, via: 'MQTT', ...message })))
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(answers.map(({ recordNo, signalId }) => `${recordNo} ${signalId}`)).size).toBe(1)
    expect(await world.signalsOf(deviceId)).toHaveLength(1)
    expect(await world.recordsOf(deviceId)).toMatchObject([{ occurrenceCount: 1, logCount: 2 }])
  })

  it('stores identical messages on several nodes as one press (X24)', async () => {
    const deviceId = await world.button()
    const message = carried(alarm('PANIC', 1))
    const answers = await Promise.all(
      Array.from({ length: PRESSES }, (_, i) =>
        ingestSignal(node(i), { deviceId, via: i % 2 ? 'HTTP' : 'MQTT', ...message }),
      ),
    )
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
    expect(new Set(answers.map(({ recordNo }) => recordNo)).size).toBe(1)
    expect(await world.recordsOf(deviceId)).toMatchObject([{ occurrenceCount: 1 }])
  })

  it('adds presses of one device on several nodes to one open record', async () => {
    const deviceId = await world.button()
    await Promise.all(
      Array.from({ length: PRESSES }, (_, i) =>
        ingestSignal(node(i), { deviceId, via: 'MQTT', ...carried(alarm('PANIC', i + 1)) }),
      ),
    )
    const records = await world.recordsOf(deviceId)
    expect(records).toMatchObject([{ occurrenceCount: PRESSES, pressCount: PRESSES, level: 1, validation: 2 }])
    expect(await world.signalsOf(deviceId)).toHaveLength(PRESSES)
    expect(await world.brokenLink(records[0]?.id ?? 0)).toBeUndefined()
  })

  it('adds presses of many devices that share a record to one open record', async () => {
    await world.db
      .insertInto('warnRule')
      .values({
        name: 'per school',
        matchCodes: ['INTRUSION'],
        class: 'INTRUSION',
        level: 2,
        dedupBy: 'SCHOOL',
        priority: 1,
      })
      .execute()
    invalidateRuleCache()
    const buttons = await Promise.all(Array.from({ length: 40 }, () => world.button({ schoolId: world.second.id })))
    const answers = await Promise.all(
      buttons.map((deviceId, i) => ingestSignal(node(i), { deviceId, via: 'MQTT', ...carried(alarm('INTRUSION', 1)) })),
    )
    expect(new Set(answers.map(({ recordId }) => recordId)).size).toBe(1)
    const id = answers[0]?.recordId ?? 0
    const record = await world.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(record).toMatchObject({ occurrenceCount: 40, open: true })
    expect(await world.brokenLink(id)).toBeUndefined()
  })

  it('gives the same result for a press and its cancel that arrive at the same moment', async () => {
    for (let i = 0; i < 10; i += 1) {
      const deviceId = await world.button()
      const said = [alarm('PANIC', 1), alarm('CANCEL', 2), event('MANUAL_RESET', 3)]
      await Promise.all(said.map((message, n) => ingestSignal(node(n), { deviceId, via: 'MQTT', ...carried(message) })))
      const [record] = await world.recordsOf(deviceId)
      expect(record).toMatchObject({ presserCancelled: true, state: 'NEW' })
      expect(record?.resetAt).not.toBeNull()
    }
  })
})
