import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { alarm } from '../../../../test/intake-fixture.ts'
import { clear, deviceId, fault, giveRule, id, withRules, fixture } from '../../../../test/rule-fixture.ts'

withRules()
beforeEach(async () => {
  const codes = { matchCodes: ['FAULT'], recoverCodes: ['FAULT_CLEARED'] }
  await giveRule({ ...codes, condition: 'DURATION', withinSec: 300, autoRecover: true })
})

const age = (seconds: number) => fixture.age(deviceId, seconds)
const waits = async () => (await fixture.waitsOf(deviceId)).length
const dueAt = async () => (await fixture.waitsOf(deviceId)).map((wait) => wait.dueAt.getTime())

/** Before its memory was cleared the device counted further than it does now. */
const before = async (seconds = 1200) => {
  await fault(8, { boot: 50 })
  await clear(9, { boot: 50 })
  await age(seconds)
}

describe('within one boot the count alone tells what was said last, however late it comes', () => {
  it.each([90, 3600])('a clear that comes %i s late does not end what was said after it', async (seconds) => {
    await fault(2)
    await age(seconds)
    await clear(1)
    expect(await waits()).toBe(1)
  })

  it.each([90, 3600])('what comes %i s after its clear does not begin to last', async (seconds) => {
    await clear(2)
    await age(seconds)
    await fault(1)
    expect(await waits()).toBe(0)
  })

  it('a clear from before the first signal of a wait changes nothing of it', async () => {
    await fault(2)
    const due = await dueAt()
    await clear(1)
    expect(await dueAt()).toEqual(due)
    await fault(4)
    await clear(3)
    expect((await dueAt())[0]).toBeGreaterThan(due[0] ?? Number.POSITIVE_INFINITY)
  })
})

describe('across boots time tells as well', () => {
  it('what a restart reordered is in order again within ten minutes', async () => {
    await clear(1, { boot: 2 })
    await age(540)
    await fault(9)
    expect(await waits()).toBe(0)
    await fault(2, { boot: 2 })
    const due = await dueAt()
    await age(540)
    await clear(10)
    expect(await dueAt()).toEqual(due)
  })

  it('what a device said long ago that counts anew is not later', async () => {
    await before()
    await fault(1)
    expect(await waits()).toBe(1)
    await clear(2)
    expect(await waits()).toBe(0)
  })

  it('nor does it hide what was: a clear that comes late does not end what was said after it', async () => {
    await before()
    await fault(1)
    await fault(3)
    await clear(2)
    expect(await waits()).toBe(1)
  })

  it.each([1, 2])('nor a clear that overtook its fault, of boot %i', async (boot) => {
    await before()
    await clear(2, { boot })
    await fault(1)
    expect(await waits()).toBe(0)
  })

  it('nor does it by its mass', async () => {
    await before()
    await sql`
      insert into signal (device_id, event_id, kind, code, mode, boot, seq, occurred_at, received_at, via, dept_id, suppressed)
      select device_id, 'mass' || n, kind, code, mode, boot, seq + n, occurred_at, received_at, via, dept_id, suppressed
      from signal cross join generate_series(1, 1100) as n where device_id = ${deviceId} and code = 'FAULT_CLEARED'
    `.execute(fixture.all)
    await clear(2)
    await fault(1)
    expect(await waits()).toBe(0)
    await fault(3)
    await fault(5)
    await clear(4)
    expect(await waits()).toBe(1)
  })
})

describe('what a record says of itself heeds nothing from before the memory was cleared', () => {
  it('neither a clear nor, of a press, a cancel', async () => {
    await before()
    await fixture.change(id, { condition: 'INSTANT', withinSec: null })
    await fault(1)
    expect(await fixture.only(deviceId)).toMatchObject({ state: 'NEW', condition: 'ACTIVE', faults: [''] })
    const button = await fixture.button()
    await fixture.say(button, alarm('CANCEL', 8, { boot: 50 }))
    await fixture.age(button, 1200)
    await fixture.say(button, alarm('PANIC', 1))
    expect(await fixture.only(button)).toMatchObject({ state: 'NEW', presserCancelled: false })
  })
})
