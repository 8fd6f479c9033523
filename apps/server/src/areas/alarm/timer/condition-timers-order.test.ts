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

/** The device counted further before its memory was cleared than it does now. */
const before = async (seconds = 1200) => {
  await fault(8, { boot: 50 })
  await clear(9, { boot: 50 })
  await age(seconds)
}

describe('uses only the count within one boot, however late a signal comes', () => {
  it.each([90, 3600])(
    'does not cancel a condition that is newer than a clear that comes %i s late',
    async (seconds) => {
      await fault(2)
      await age(seconds)
      await clear(1)
      expect(await waits()).toBe(1)
    },
  )

  it.each([90, 3600])('does not start a wait for a signal that comes %i s after its clear', async (seconds) => {
    await clear(2)
    await age(seconds)
    await fault(1)
    expect(await waits()).toBe(0)
  })

  it('ignores a clear from before the first signal of a wait', async () => {
    await fault(2)
    const due = await dueAt()
    await clear(1)
    expect(await dueAt()).toEqual(due)
    await fault(4)
    await clear(3)
    expect((await dueAt())[0]).toBeGreaterThan(due[0] ?? Number.POSITIVE_INFINITY)
  })
})

describe('also uses the time across boots', () => {
  it('restores the order of signals that a restart reordered within ten minutes', async () => {
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

  it('does not take old signals with a higher count for later ones', async () => {
    await before()
    await fault(1)
    expect(await waits()).toBe(1)
    await clear(2)
    expect(await waits()).toBe(0)
  })

  it('does not let old signals hide the condition from a late clear', async () => {
    await before()
    await fault(1)
    await fault(3)
    await clear(2)
    expect(await waits()).toBe(1)
  })

  it.each([1, 2])('does not let old signals hide a clear that overtook its fault, of boot %i', async (boot) => {
    await before()
    await clear(2, { boot })
    await fault(1)
    expect(await waits()).toBe(0)
  })

  it('does not let many old signals hide the condition', async () => {
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

describe('ignores signals from before the memory was cleared for the status of a record', () => {
  it('ignores both a clear and the cancel of a press', async () => {
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
