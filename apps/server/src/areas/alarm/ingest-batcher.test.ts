import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim } from '#areas/alarm/verb/claim'
import { markFalse } from '#areas/alarm/verb/resolve'
import { type Db, openDb, openPool } from '#db/db'
import type { OpenTables } from '#db/tables'
import { alarm, carried, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { lockWaiters, somebodyWaits } from '../../../test/lock-waiters.ts'
import { ingestSignal, ingestUnparsable } from './ingest.ts'
import { invalidateRuleCache } from './intake/evaluate-rules.ts'
import { type IngestResult, type IngestRequest } from './intake/ingest-pipeline.ts'
import { ingestBatched } from './ingest-batcher.ts'
import { fromAlarm } from './intake/normalize-signal.ts'
import { seedRules } from './rule-seed.ts'

let world: IntakeFixture
let pool: ReturnType<typeof openPool>
let node: Kysely<OpenTables>
/** Number of transactions that wrote signals, as the database counts them. */
let commits = 0

beforeAll(async () => {
  world = await openIntakeFixture()
  await seedRules(world.db)
  pool = openPool({ ...world.database.app, max: 4, connectionTimeoutMillis: 0 }, 20)
  pool.on('connect', (client) => {
    const query = client.query.bind(client)
    client.query = ((...given: Parameters<typeof query>) => {
      if (String(given[0]).startsWith('commit')) commits += 1
      return query(...given)
    }) as typeof client.query
  })
  node = openDb(pool)
})
afterAll(async () => {
  await pool.end()
  await world.end()
})

const buttons = (count: number, at: { schoolId?: number | null } = {}) =>
  Promise.all(Array.from({ length: count }, () => world.button(at)))

const press = (deviceId: number, message = alarm('PANIC', 1), db: Db = node): Promise<IngestResult> =>
  ingestSignal(db, { deviceId, via: 'MQTT', ...carried(message) })

/** The calls are made before any of them begins, so that they share one batch. */
const together = async <T>(work: () => Promise<T>): Promise<{ result: T; commits: number }> => {
  // The rules are in the cache, so that no other query runs.
  await press(await world.button())
  commits = 0
  const result = await work()
  return { result, commits }
}

const recordOf = (id: number | null) =>
  world.all
    .selectFrom('warnRecord')
    .selectAll()
    .where('id', '=', id ?? 0)
    .executeTakeFirstOrThrow()

it('keeps the occurrence time of the device when the signal waited for the database', async () => {
  const deviceId = await world.button()
  const ts = Date.now() - 120_000
  const said = { deviceId, via: 'MQTT', ...carried(alarm('PANIC', 1, { ts })) } as const
  const { recordId } = await ingestSignal(node, { ...said, arrivedAt: performance.now() - 120_000 })
  expect((await recordOf(recordId)).firstAt).toEqual(new Date(ts))
})

it('keeps the time of arrival when the signal waited for the database, and starts the timers at the commit', async () => {
  const deviceId = await world.button()
  const before = Date.now()
  const arrivedAt = performance.now() - 120_000
  const bytes = Buffer.from('?')
  const pressed = { deviceId, via: 'MQTT', ...carried(alarm('PANIC', 1)), arrivedAt } as const
  const { recordId } = await ingestSignal(node, pressed)
  await ingestUnparsable(node, { deviceId, via: 'MQTT', channel: 'sub', bytes, reason: 'NOT_CBOR', arrivedAt })
  const [record] = await world.recordsOf(deviceId)
  const signals = await world.signalsOf(deviceId)
  expect(record?.id).toBe(recordId)
  const after = Date.now()
  for (const at of [record?.receivedAt, ...signals.map(({ receivedAt }) => receivedAt)]) {
    expect(at?.getTime()).toBeGreaterThanOrEqual(before - 121_000)
    expect(at?.getTime()).toBeLessThanOrEqual(after - 119_000)
  }
  const [t1] = await world.timersOf(recordId ?? 0)
  expect(t1?.dueAt.getTime()).toBeGreaterThan(before)
})

describe('ingestBatched', () => {
  it('writes simultaneous presses in one commit, each with its own record, number, place, log, timers and receipt', async () => {
    const ids = await buttons(20)
    const { result, commits: made } = await together(() => Promise.all(ids.map((id) => press(id))))
    expect(made).toBe(1)
    expect(new Set(result.map(({ recordNo }) => recordNo)).size).toBe(20)
    for (const [i, { recordId, signalId, created }] of result.entries()) {
      expect(created).toBe(true)
      const record = await recordOf(recordId)
      expect(record).toMatchObject({ deviceId: ids[i], state: 'NEW', logCount: 2, schoolName: 'First' })
      expect(await world.brokenLink(record.id)).toBeUndefined()
      expect((await world.timersOf(record.id)).map(({ step }) => step)).toEqual(['T1', 'T5'])
      expect(await world.eventsOf(record.id)).toEqual(['alarm.raised'])
      expect(await world.signalsOf(ids[i] ?? 0)).toMatchObject([{ id: signalId, recordId }])
    }
    const acks = await world.db.selectFrom('deviceOutbox').select('deviceId').where('deviceId', 'in', ids).execute()
    expect(acks).toHaveLength(20)
  })

  it('adds presses of one key to one record, in the order of arrival', async () => {
    await world.db
      .insertInto('warnRule')
      .values({
        name: 'shared',
        matchCodes: ['INTRUSION'],
        class: 'INTRUSION',
        level: 2,
        dedupBy: 'SCHOOL',
        priority: 1,
      })
      .execute()
    invalidateRuleCache()
    const ids = await buttons(5, { schoolId: world.second.id })
    const { result, commits: made } = await together(() =>
      Promise.all(ids.map((id, i) => press(id, alarm('INTRUSION', i + 1)))),
    )
    expect(made).toBe(1)
    const [first] = result
    expect(result.map(({ recordId, created }) => [recordId, created])).toEqual(
      ids.map((_, i) => [first?.recordId, i === 0]),
    )
    const id = first?.recordId ?? 0
    expect(await recordOf(id)).toMatchObject({ occurrenceCount: 5, pressCount: 5, deviceId: ids[0], logCount: 6 })
    const signals = await world.all
      .selectFrom('signal')
      .select('deviceId')
      .where('recordId', '=', id)
      .orderBy('id')
      .execute()
    expect(signals.map(({ deviceId }) => deviceId)).toEqual(ids)
    expect((await world.logOf(id)).map(({ verb }) => verb)).toEqual(['raise', 'signal', ...Array(4).fill('repeat')])
    expect(await world.brokenLink(id)).toBeUndefined()
  })

  it('processes one device sequentially and answers a repeated event with one signal', async () => {
    const [item, second] = await buttons(2)
    const [said, next] = [alarm('PANIC', 1), alarm('PANIC', 2)]
    const { result, commits: made } = await together(() =>
      Promise.all([press(item ?? 0, said), press(item ?? 0, said), press(second ?? 0), press(item ?? 0, next)]),
    )
    expect(made).toBe(3)
    const [first, again, , third] = result
    expect(again).toEqual({ ...first, duplicate: true, created: false })
    expect(third).toMatchObject({ recordId: first?.recordId, created: false, duplicate: false })
    expect((await world.signalsOf(item ?? 0)).map(({ eventId }) => eventId)).toEqual([said.eventId, next.eventId])
    expect(await recordOf(first?.recordId ?? 0)).toMatchObject({ occurrenceCount: 2 })
  })
})

it('wakes the outbox when no caller delivers the receipt, and keeps its row in both cases', async () => {
  const [result, untold] = await buttons(2)
  await Promise.all([
    ingestSignal(node, { deviceId: result ?? 0, via: 'MQTT', direct: true, ...carried(alarm('PANIC', 1)) }),
    press(untold ?? 0),
  ])
  const woken = await world.db
    .selectFrom('event')
    .select('ref')
    .where('type', '=', 'device.outbox')
    .where('ref', 'in', [result ?? 0, untold ?? 0])
    .execute()
  expect(woken).toEqual([{ ref: untold }])
  const rows = await world.db
    .selectFrom('deviceOutbox')
    .select('deviceId')
    .where('deviceId', 'in', [result ?? 0, untold ?? 0])
    .execute()
  expect(rows).toHaveLength(2)
})

describe('ingestBatched with a failing signal', () => {
  it('stores the other signals when the database rejects one', async () => {
    const ids = await buttons(6)
    const poison: IngestRequest = {
      deviceId: await world.button(),
      // PostgreSQL text cannot contain this character.
      normalize: () => ({ ...fromAlarm(alarm('PANIC', 1), { via: 'MQTT' }), zone: '\0' }),
    }
    const bad = ingestBatched(node, poison).catch((error: unknown) => error)
    const good = await Promise.all(ids.map((id) => press(id)))
    expect(await bad).toMatchObject({ code: expect.stringMatching(/^22/) })
    expect(good.every(({ created }) => created)).toBe(true)
    expect(await world.signalsOf(poison.deviceId)).toEqual([])
    for (const id of ids) expect(await world.recordsOf(id)).toMatchObject([{ occurrenceCount: 1, logCount: 2 }])
  })

  it('rejects only the signal of an unknown device', async () => {
    const [first] = await buttons(1)
    const nobody = press(999_999_999).catch((error: Error) => error.message)
    expect(await press(first ?? 0)).toMatchObject({ created: true })
    expect(await nobody).toBe('device 999999999 does not exist')
  })

  it('delays only the signal whose record is locked', async () => {
    const [held, free] = await buttons(2)
    await press(held ?? 0)
    await node
      .transaction()
      .execute(async (trx) => {
        await sql`select from warn_record where device_id = ${held} for update`.execute(trx)
        const waits = press(held ?? 0, alarm('PANIC', 2))
        expect(await press(free ?? 0)).toMatchObject({ created: true })
        expect(await Promise.race([waits, new Promise((done) => setTimeout(done, 100, 'waits'))])).toBe('waits')
        return { waits }
      })
      .then(({ waits }) => waits)
    expect(await world.recordsOf(held ?? 0)).toMatchObject([{ occurrenceCount: 2 }])
  })

  it('keeps a press when its record ends at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = await buttons(4)
      const [first] = await Promise.all(ids.map((id) => press(id, alarm('MEDICAL', 1))))
      const claimed = await claim(world.db, world.zhang, { id: first?.recordId ?? 0 })
      const given = { id: claimed.id, version: claimed.version, disposition: 'TEST', note: 'x' } as const
      const [, ...pressed] = await Promise.all([
        markFalse(world.db, world.zhang, given).catch((error: unknown) => error),
        ...ids.map((id) => press(id, alarm('MEDICAL', 2))),
      ])
      expect(pressed.map((answer) => (answer as IngestResult).duplicate)).toEqual([false, false, false, false])
      for (const id of ids) {
        const records = await world.recordsOf(id)
        expect((await world.signalsOf(id)).every(({ recordId }) => recordId !== null)).toBe(true)
        expect(records.reduce((sum, { occurrenceCount }) => sum + occurrenceCount, 0)).toBe(2)
        for (const record of records) expect(await world.brokenLink(record.id)).toBeUndefined()
      }
    }
  })

  it('stores nothing when killed before the commit, and stores the repeat once', async () => {
    const ids = await buttons(8)
    const messages = ids.map((_, i) => alarm('PANIC', i + 1))
    await node.transaction().execute(async (trx) => {
      // The batch waits at this statement while all of it is uncommitted. Then its connections are closed.
      await sql`select pg_advisory_xact_lock(7701, ${ids[7]}::int)`.execute(trx)
      const lost = Promise.allSettled(ids.map((id, i) => press(id, messages[i])))
      while (!(await somebodyWaits(world.db)));
      await sql`select pg_terminate_backend(pid) from (${sql.raw(lockWaiters)}) waiting`.execute(world.db)
      expect((await lost).map(({ status }) => status)).toEqual(ids.map(() => 'rejected'))
    })
    for (const id of ids) expect(await world.signalsOf(id)).toEqual([])
    const answers = await Promise.all(ids.map((id, i) => press(id, messages[i])))
    expect(answers.every(({ created, duplicate }) => created && !duplicate)).toBe(true)
    for (const id of ids) expect(await world.recordsOf(id)).toMatchObject([{ occurrenceCount: 1 }])
  })
})
