import { setTimeout as pause } from 'node:timers/promises'
import { warnClasses } from '@tocsin/contract/alarm/rule'
import type { HopStat } from '@tocsin/contract/insight/govern'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '#db/db'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { completeRollup } from '../../../../test/rollup.ts'
import { getGovernFigures } from '../govern.ts'
import { addBytes, emptyCounts, toHopStat } from './buckets.ts'
import { countRecords, recordsOf } from './record-cells.ts'
import { rebuildRollup, refreshRollup } from './refresh-rollup.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

// Any sequence of changes of records: what is stored equals what is counted from nothing, and at every moment the
// figures equal those that are counted from records.

let world: AlarmFixture
beforeAll(async () => {
  world = await openAlarmFixture(6)
})
afterAll(() => world.end())

const DAY_MS = 86_400_000
const noon = new Date('2026-03-10T04:00:00Z')
const after = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000)
const columns = ['displayedAt', 'claimedAt', 'dispatchedAt', 'onSiteAt'] as const

const at = fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }).map((ms) => new Date(noon.getTime() + ms))
const school = fc.constantFrom('first', 'second', 'none')
const which = fc.nat()
const change = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      which,
      column: fc.constantFrom(...columns),
      seconds: fc.double({ min: -5, max: 5e6, noNaN: true }),
    }),
  },
  fc.record({
    kind: fc.constant('end' as const),
    which,
    disposition: fc.constantFrom('REAL_HANDLED', 'FALSE_DEVICE', 'FALSE_ACCIDENTAL'),
    causeCode: fc.constantFrom(null, '', 'TV', 'BALL'),
  }),
  fc.record({ kind: fc.constant('reopen' as const), which }),
  fc.record({ kind: fc.constant('move' as const), which, school }),
  fc.record({ kind: fc.constant('redate' as const), which, at }),
  fc.record({ kind: fc.constant('mode' as const), which, mode: fc.constantFrom('LIVE', 'TEST') }),
  fc.record({ kind: fc.constant('remove' as const), which }),
)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('raise' as const),
      school,
      at,
      class: fc.constantFrom(...warnClasses),
      level: fc.integer({ min: 1, max: 4 }),
      occurrenceCount: fc.constantFrom(1, 1, 0),
    }),
  },
  { weight: 8, arbitrary: change },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refresh' as const), slice: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('during' as const), change }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const) }) },
)
type Values<A> = A extends fc.Arbitrary<infer V> ? V : never
type Change = Values<typeof change>

const placeOf = (name: string) => {
  if (name === 'none') return { schoolId: null, schoolName: null, deptId: world.first.deptId }
  const { id, deptId } = name === 'first' ? world.first : world.second
  return { schoolId: id, schoolName: name, deptId }
}

const valuesOf = (made: Exclude<Change, { kind: 'remove' }>, receivedAt: Date) => {
  if (made.kind === 'step') return { [made.column]: after(receivedAt, made.seconds) }
  if (made.kind === 'end') {
    const { disposition, causeCode } = made
    return { state: 'RESOLVED', resolvedAt: after(receivedAt, 60), disposition, causeCode }
  }
  if (made.kind === 'reopen') return { state: 'NEW', resolvedAt: null, disposition: null, causeCode: null }
  if (made.kind === 'move') return placeOf(made.school)
  if (made.kind === 'redate') return { firstAt: made.at }
  return { mode: made.mode }
}

/** On one of the records, if there are any. */
const apply = async (db: Db, made: Change): Promise<void> => {
  const all = db as typeof world.all
  const records = await all.selectFrom('warnRecord').select(['id', 'receivedAt']).orderBy('id').execute()
  const record = records[made.which % records.length]
  if (!record) return
  if (made.kind === 'remove') await all.deleteFrom('warnRecord').where('id', '=', record.id).execute()
  else
    await all
      .updateTable('warnRecord')
      .set(valuesOf(made, record.receivedAt) as object)
      .where('id', '=', record.id)
      .execute()
}

let raised = 0
const raise = async (made: Extract<Values<typeof step>, { kind: 'raise' }>, claimedAt?: Date): Promise<void> => {
  raised += 1
  const { class: name, level, occurrenceCount } = made
  await world.all
    .insertInto('warnRecord')
    .values({
      ...placeOf(made.school),
      class: name,
      level,
      occurrenceCount,
      no: `M${raised}`,
      dedupKey: `M${raised}`,
      code: 'PANIC',
      mode: 'LIVE',
      firstAt: made.at,
      lastAt: made.at,
      receivedAt: made.at,
      claimedAt: claimedAt ?? null,
    })
    .execute()
}

const refresh = (slice: number) => world.db.transaction().execute((trx) => refreshRollup(trx, slice))

/** A change that is not yet committed while the days are refreshed. */
const changeDuringRefresh = (made: Change) =>
  world.db.transaction().execute(async (trx) => {
    await apply(trx, made)
    await refresh(2)
  })

const execute = async (made: Values<typeof step>): Promise<void> => {
  if (made.kind === 'raise') await raise(made)
  else if (made.kind === 'refresh') await refresh(made.slice)
  else if (made.kind === 'during') await changeDuringRefresh(made.change)
  else if (made.kind === 'rebuild') await rebuildRollup(world.db)
  else await apply(world.db, made)
}

const periods = () => [
  { from: new Date('2026-03-01T00:00:00+08:00'), to: new Date('2026-03-31T00:00:00+08:00') },
  { from: new Date('2026-03-09T00:00:00+08:00'), to: new Date('2026-03-11T00:00:00+08:00') },
  { from: new Date('2026-03-08T09:30:00+08:00'), to: new Date('2026-03-11T17:10:00+08:00') },
  {
    from: new Date('2026-03-01T00:00:00+08:00'),
    to: new Date('2026-03-31T00:00:00+08:00'),
    deptId: world.first.deptId,
  },
]

const loadAll = async (db: Db) => {
  const figures = []
  for (const actor of [world.root, world.zhang, world.stranger])
    for (const period of periods()) figures.push(await getGovernFigures(db, actor, period, noon))
  return figures
}

/** With nothing stored, in a transaction that is undone. */
const loadFromRecords = async () => {
  const trx = await world.db.startTransaction().execute()
  await rebuildRollup(trx)
  const figures = await loadAll(trx)
  await trx.rollback().execute()
  return figures
}

const sortBytes = (bytes: Buffer) => [...bytes].toSorted((a, b) => a - b)
const loadStored = async () => {
  const cells = await world.all
    .selectFrom('alarmDay')
    .selectAll()
    .orderBy('day')
    .orderBy('deptId')
    .orderBy('schoolId')
    .execute()
  return {
    cells: cells.map((cell) =>
      Object.fromEntries(
        Object.entries(cell).map(([name, value]) => {
          if (Buffer.isBuffer(value)) return [name, sortBytes(value)]
          return [name, Array.isArray(value) ? value.toSorted() : value]
        }),
      ),
    ),
    totals: await world.db.selectFrom('alarmDayTotal').selectAll().orderBy('day').execute(),
  }
}

it('stores what a rebuild stores, and answers what the records say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 24 }), async (steps) => {
      await world.all.deleteFrom('warnRecord').execute()
      for (const made of steps) await execute(made)
      const fromRecords = await loadFromRecords()
      expect(await loadAll(world.db)).toEqual(fromRecords)
      await completeRollup(world.db)
      expect(await loadAll(world.db)).toEqual(fromRecords)
      const maintained = await loadStored()
      await rebuildRollup(world.db)
      await completeRollup(world.db)
      expect(await loadStored()).toEqual(maintained)
    }),
    { numRuns: sampleSize(25) },
  )
}, 120_000)

it('answers the same while two nodes refresh and records change', async () => {
  await world.all.deleteFrom('warnRecord').execute()
  const presses = fc.sample(step, { numRuns: 120, seed: 28 }).filter((made) => made.kind !== 'during')
  let isOver = false
  const refreshing = [1, 2].map(async () => {
    while (!isOver) {
      await refresh(2)
      await pause(1)
    }
  })
  await Promise.all(
    [0, 1].map(async (half) => {
      for (const [index, made] of presses.entries()) if (index % 2 === half) await execute(made)
    }),
  )
  isOver = true
  await Promise.all(refreshing)
  expect(await loadAll(world.db)).toEqual(await loadFromRecords())
  await completeRollup(world.db)
  const maintained = await loadStored()
  await rebuildRollup(world.db)
  await completeRollup(world.db)
  expect(await loadStored()).toEqual(maintained)
})

it('counts a percentile within 3.5 % of the exact one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.double({ min: 0.1, max: 2.5e6, noNaN: true }), { minLength: 1, maxLength: 60 }),
      async (seconds) => {
        await world.all.deleteFrom('warnRecord').execute()
        const press = {
          kind: 'raise',
          school: 'first',
          at: noon,
          class: 'PANIC',
          level: 1,
          occurrenceCount: 1,
        } as const
        for (const passed of seconds) await raise(press, after(noon, passed))
        const counts = emptyCounts()
        for (const cell of await countRecords(recordsOf(world.all)).execute()) addBytes(counts, cell.claimed)
        const stat = toHopStat(counts)
        const exact = await world.all
          .selectFrom('warnRecord')
          .select(
            [0.5, 0.9, 0.99].map((part) =>
              sql<number>`percentile_cont(${sql.lit(part)}) within group (order by extract(epoch from claimed_at - received_at))`.as(
                `p${part * 100}`,
              ),
            ),
          )
          .executeTakeFirstOrThrow()
        for (const [name, value] of Object.entries(exact)) {
          const counted = stat[name as keyof HopStat] ?? 0
          expect(Math.abs(counted - value)).toBeLessThanOrEqual(value * 0.035 + 0.1)
        }
      },
    ),
    { numRuns: sampleSize(10) },
  )
})
