import fc from 'fast-check'
import { sql } from 'kysely'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { claim } from '#areas/alarm/verb/claim'
import { confirmFalse, markFalse } from '#areas/alarm/verb/resolve'
import { addNote } from '#areas/alarm/verb/handle'
import { merge } from '#areas/alarm/verb/merge'
import { close, reopen } from '#areas/alarm/verb/review'
import { alarm, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { invalidateRuleCache } from './intake/evaluate-rules.ts'
import { seedRules } from './rule-seed.ts'
import { sampleSize } from '../../../test/sample-size.ts'

let world: IntakeFixture
beforeAll(async () => {
  world = await openIntakeFixture()
  await seedRules(world.db)
  // The window is long, so that a press falls into it even on a slow machine.
  await world.db.updateTable('warnRule').set({ reopenWindowSec: 3600 }).where('name', '=', '医疗急救').execute()
  invalidateRuleCache()
})
afterAll(() => world.end())

const read = (id: number) =>
  world.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Finds the record that a press of the device reaches. */
const press = async (deviceId: number, seq: number): Promise<number> => {
  const { recordId } = await world.say(deviceId, alarm('MEDICAL', seq))
  return recordId ?? 0
}

/** Zhang proposes the end, and another person confirms it. */
const end = async (id: number) => {
  const { state } = await read(id)
  if (state === 'NEW') await claim(world.db, world.zhang, { id })
  const { version } = await read(id)
  const proposed = await markFalse(world.db, world.zhang, {
    id,
    version,
    disposition: 'FALSE_ACCIDENTAL',
    note: 'fell',
  })
  await confirmFalse(world.db, world.zhao, { id, version: proposed.version })
}
const closeIt = async (id: number) => close(world.db, world.wang, { id, version: (await read(id)).version })
const reopenIt = async (id: number) =>
  reopen(world.db, world.wang, { id, version: (await read(id)).version, reason: 'not over' })

/** Creates two closed records of one device. */
const twoClosed = async () => {
  const deviceId = await world.button()
  const made: number[] = []
  for (const seq of [1, 2]) {
    const id = await press(deviceId, seq)
    await end(id)
    await closeIt(id)
    made.push(id)
  }
  const [elder = 0, younger = 0] = made
  expect((await read(younger)).linkedRecordId).toBe(elder)
  return { deviceId, elder, younger }
}

it('rings the record that ended last, even when a younger record of the key is closed', async () => {
  const { deviceId, elder } = await twoClosed()
  await reopenIt(elder)
  await end(elder)
  expect(await press(deviceId, 3)).toBe(elder)
  expect(await read(elder)).toMatchObject({ state: 'NEW', epoch: 3, occurrenceCount: 2 })
  expect(await world.recordsOf(deviceId)).toHaveLength(2)
})

it('counts the press on the merge target when the target was reopened and ended last', async () => {
  const { deviceId, elder } = await twoClosed()
  const target = await press(await world.button(), 1)
  const { version } = await reopenIt(elder)
  await merge(world.db, world.zhang, { id: elder, version, intoId: target })
  expect(await press(deviceId, 3)).toBe(target)
  expect((await read(target)).occurrenceCount).toBe(2)
})

it('does not extend the window of a resolved record by a remark', async () => {
  const deviceId = await world.button()
  const id = await press(deviceId, 1)
  await end(id)
  const { endedAt, version } = await read(id)
  await addNote(world.db, world.zhang, { id, version, note: 'called the parents' })
  expect((await read(id)).endedAt).toEqual(endedAt)
  expect(await press(deviceId, 2)).toBe(id)
})

type Kept = { id: number; state: 'OPEN' | 'RESOLVED' | 'CLOSED' }

/** Domain 2.8: the open record, else the one that ended last, which rings again unless it is closed. */
const expected = (ended: readonly Kept[]): Kept | undefined =>
  ended.find(({ state }) => state === 'OPEN') ?? (ended.at(-1)?.state === 'RESOLVED' ? ended.at(-1) : undefined)

const play = async (acts: readonly (readonly ['press' | 'end' | 'close' | 'reopen', number])[]) => {
  const deviceId = await world.button()
  // In the order in which they ended.
  let records: Kept[] = []
  const put = (id: number, state: Kept['state']) => {
    if (state === 'CLOSED') records = records.map((record) => (record.id === id ? { id, state } : record))
    else records = [...records.filter((record) => record.id !== id), { id, state }]
  }
  for (const [seq, [act, which]] of acts.entries()) {
    const of = (state: Kept['state']) => records.filter((record) => record.state === state)
    const [open] = of('OPEN')
    const resolved = of('RESOLVED')[which % Math.max(1, of('RESOLVED').length)]
    const closed = of('CLOSED')[which % Math.max(1, of('CLOSED').length)]
    if (act === 'press') {
      const [last, due] = [records.at(-1), expected(records)]
      const id = await press(deviceId, seq + 1)
      if (due) expect(id).toBe(due.id)
      else expect((await read(id)).linkedRecordId).toBe(last?.id ?? null)
      put(id, 'OPEN')
    } else if (act === 'end' && open) {
      await end(open.id)
      put(open.id, 'RESOLVED')
    } else if (act === 'close' && resolved) {
      await closeIt(resolved.id)
      put(resolved.id, 'CLOSED')
    } else if (act === 'reopen' && closed && !open) {
      await reopenIt(closed.id)
      put(closed.id, 'OPEN')
    }
  }
}

it('finds the record that ended last after any sequence of ends, closings and reopenings', async () => {
  const acts = fc.constantFrom('press' as const, 'end' as const, 'close' as const, 'reopen' as const)
  const round = [['press', 0] as const, ['end', 0] as const, ['close', 0] as const]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(acts, fc.nat({ max: 3 })), { minLength: 4, maxLength: 14 }), (more) =>
      play([...round, ...round, ...more, ['press', 0]]),
    ),
    { numRuns: sampleSize(30) },
  )
})

it('derives the end of each record from its log when an installation is upgraded', async () => {
  const ended = () =>
    world.all.selectFrom('warnRecord').select(['id', 'endedAt']).where('open', '=', false).orderBy('id').execute()
  const before = await ended()
  expect(before.some(({ endedAt }) => endedAt !== null)).toBe(true)
  await world.all.updateTable('warnRecord').set({ endedAt: null }).execute()
  const [, update = ''] =
    /(update warn_record [^;]*);/.exec(readFileSync('apps/server/migrations/0060_ended_last.sql', 'utf8')) ?? []
  await sql.raw(update).execute(world.db)
  expect(await ended()).toEqual(before)
})
