import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim } from '#areas/alarm/verb/claim'
import { renewLeases } from '#areas/alarm/record/lease'
import { type Db, openDb, openPool } from '#db/db'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { alarm, carried, event, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { somebodyWaits } from '../../../test/lock-waiters.ts'
import { ingestSignal } from './ingest.ts'
import { invalidateRuleCache } from './intake/evaluate-rules.ts'
import { seedRules } from './rule-seed.ts'

// docs/decisions/016: transactions lock shared rows in one order.

let world: IntakeFixture
beforeAll(async () => {
  world = await openIntakeFixture(10)
  await seedRules(world.db)
  await world.db
    .insertInto('warnRule')
    .values({
      name: 'ends by itself and was pressed',
      matchCodes: ['INTRUSION'],
      recoverCodes: ['MAINS_RESTORED'],
      class: 'SECURITY_DUTY',
      level: 3,
      dedupBy: 'DEVICE',
      autoRecover: true,
      priority: 1,
    })
    .execute()
  invalidateRuleCache()
})
afterAll(() => world.end())

/** Statements of the given work, in their order. */
const statementsOf = async (work: (db: Db) => Promise<unknown>): Promise<string[]> => {
  const pool = openPool({ ...world.database.app, max: 1 }, 20)
  const said: string[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client)
    // All overloads of the driver take the statement first.
    client.query = ((...given: Parameters<typeof query>) => {
      const first: unknown = given[0]
      said.push(typeof first === 'string' ? first : String((first as { text?: unknown }).text))
      return query(...given)
    }) as typeof client.query
  })
  await work(openDb(pool)).finally(() => pool.end())
  return said
}

describe('writes device messages last when a record ends by itself', () => {
  const closedOf = (deviceId: number) =>
    world.db
      .selectFrom('deviceOutbox')
      .select(['payload'])
      .where('deviceId', '=', deviceId)
      .where('key', 'like', '%.closed')
      .execute()

  it('writes device messages with the other rows of devices, once and last', async () => {
    const deviceId = await world.button()
    const press = alarm('INTRUSION', 1)
    await world.say(deviceId, press)
    const said = await statementsOf((db) =>
      ingestSignal(db, { deviceId, via: 'MQTT', ...carried(event('MAINS_RESTORED', 2)) }),
    )
    const ofDevices = said.flatMap((text, at) => (text.includes('into device_outbox') ? [at] : []))
    expect(ofDevices).toEqual([said.length - 2])
    expect(said.at(-1)).toBe('commit')
    expect(await closedOf(deviceId)).toMatchObject([{ payload: { eventId: press.eventId, stage: 'closed' } }])
  })

  it('writes one device message when the press itself ended the record', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, event('MAINS_RESTORED', 2))
    const press = alarm('INTRUSION', 1)
    await world.say(deviceId, press)
    expect(await world.recordsOf(deviceId)).toMatchObject([{ disposition: 'AUTO_RECOVERED' }])
    expect(await closedOf(deviceId)).toMatchObject([{ payload: { eventId: press.eventId, stage: 'closed' } }])
  })
})

const held = async (deptId = world.first.deptId) => {
  const { id } = await makeRecord(world.db, { deptId, schoolId: world.first.id, level: 2 })
  await claim(world.db, world.zhang, { id })
  return id
}

it('renews claims in the order of their ids, whatever their order in the table', async () => {
  const [first, second] = [await held(), await held()]
  // Creates a new row version, which is stored after the other one and is found after it without an index.
  await world.all.updateTable('warnRecord').set({ note: 'moved' }).where('id', '=', first).execute()
  const options = '-c enable_indexscan=off -c enable_indexonlyscan=off -c enable_bitmapscan=off'
  const pool = openPool({ ...world.database.app, max: 1, options }, 20)
  const renewed = await world.db.transaction().execute(async (trx) => {
    await sql`select from warn_record where id = ${first} for update`.execute(trx)
    const waits = renewLeases(openDb(pool), world.zhang, [second, first])
    while (!(await somebodyWaits(world.db)));
    await sql`select from warn_record where id = ${second} for update nowait`.execute(trx)
    return { waits }
  })
  expect((await renewed.waits.finally(() => pool.end())).toSorted()).toEqual([first, second])
})

it('retries a verb that PostgreSQL aborted because of a deadlock', async () => {
  /** @returns whether the other transaction survived, so that the verb was aborted. */
  const meet = async (): Promise<boolean> => {
    const { id } = await makeRecord(world.db, { deptId: world.first.deptId, schoolId: world.first.id, level: 2 })
    const at = { kind: 'record', subjectId: id, step: 'T1', epoch: 1 }
    await world.db
      .insertInto('timer')
      .values({ ...at, dueAt: new Date(Date.now() + 600_000) })
      .execute()
    const act = Promise.withResolvers<Awaited<ReturnType<typeof claim>>>()
    const other = world.db.transaction().execute(async (trx) => {
      await trx.updateTable('timer').set({ attempts: 1 }).where('subjectId', '=', id).execute()
      claim(world.db, world.zhang, { id }).then(act.resolve, act.reject)
      while (!(await somebodyWaits(world.db)));
      // The verb waited first, so PostgreSQL aborts it first, unless this machine is very busy.
      await new Promise((later) => setTimeout(later, 600))
      await sql`select from warn_record where id = ${id} for update`.execute(trx)
    })
    const lived = other.then(
      () => true,
      () => false,
    )
    expect(await act.promise).toMatchObject({ id, state: 'CLAIMED' })
    return lived
  }
  while (!(await meet()));
})
