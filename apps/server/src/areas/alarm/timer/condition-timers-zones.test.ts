import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { event } from '../../../../test/intake-fixture.ts'
import { deviceId, giveRule, id, withRules, fixture } from '../../../../test/rule-fixture.ts'
import { ingestSignal, ingestServerSignal } from '../ingest.ts'
import { parseStep } from './condition-timers.ts'

withRules()

/** The waits of the device: zones, and `~` for the whole device. */
const waits = async () => {
  const signals = await fixture.signalsOf(deviceId)
  const began = (await fixture.waitsOf(deviceId)).map(parseStep)
  const zones = began.map(({ whole, eventId }) =>
    whole ? '~' : signals.find((signal) => signal.eventId === eventId)?.zone,
  )
  return zones.toSorted()
}
const dues = async () => new Map((await fixture.waitsOf(deviceId)).map(({ step, dueAt }) => [step, dueAt.getTime()]))

/** Number of waits that existed before, still exist and were postponed. */
const putOff = async (work: () => Promise<unknown>): Promise<number> => {
  const before = await dues()
  await work()
  return [...(await dues())].filter(([step, dueAt]) => dueAt > (before.get(step) ?? Number.POSITIVE_INFINITY)).length
}
/** Keys of the open records. */
const open = async () =>
  (await fixture.recordsOf(deviceId)).filter((record) => record.open).map(({ dedupKey }) => dedupKey.split('|')[0])

const device = () => `device:${deviceId}`
const zone = (name: string) => `zone:${deviceId}/${name}`

describe('a wait for silence', () => {
  const pulse = (name?: string, whole = false) =>
    ingestServerSignal(fixture.db, { deviceId, code: 'PULSE', eventId: randomUUID(), zone: name, whole })
  const rateExceeded = (name: string) => pulse(name, true)
  beforeEach(async () => {
    const silence = { condition: 'NO_DATA', withinSec: 60, autoRecover: true } as const
    await giveRule({ ...silence, matchCodes: ['PULSE'], dedupBy: 'ZONE' })
  })

  it('is replaced by waits of the zones when the rule begins to separate zones', async () => {
    await fixture.change(id, { dedupBy: 'DEVICE' })
    await pulse('1')
    await fixture.change(id, { dedupBy: 'ZONE' })
    expect(await waits()).toEqual(['~'])
    await pulse('1')
    await pulse('2')
    expect(await waits()).toEqual(['1', '2'])
    await fixture.elapse(deviceId)
    expect(await open()).toEqual([zone('1'), zone('2')])
  })

  it('notices silence that began before the rule was changed', async () => {
    await fixture.change(id, { dedupBy: 'DEVICE' })
    await pulse('1')
    await fixture.change(id, { dedupBy: 'ZONE' })
    await fixture.elapse(deviceId)
    expect(await open()).toEqual([device()])
    await pulse('1')
    expect(await open()).toEqual([])
  })

  it('becomes one wait of the whole device when the rule stops separating zones', async () => {
    await pulse('1')
    await pulse('2')
    await fixture.change(id, { dedupBy: 'DEVICE' })
    expect(await putOff(() => pulse('2'))).toBe(1)
    expect((await fixture.waitsOf(deviceId)).length).toBe(1)
    expect(await putOff(() => pulse('1'))).toBe(1)
    await fixture.elapse(deviceId)
    expect(await fixture.only(deviceId)).toMatchObject({
      occurrenceCount: 1,
      dedupKey: expect.stringContaining(device()),
    })
  })

  it('of a zone restarts with any signal of the zone while the device exceeds its rate limit', async () => {
    await pulse('1')
    await pulse('2')
    expect(await putOff(() => rateExceeded('1'))).toBe(1)
    expect(await waits()).toEqual(['1', '2'])
  })

  it('covers the whole device for zones heard only above the rate limit, until they are heard alone', async () => {
    await pulse('1')
    await rateExceeded('2')
    expect(await waits()).toEqual(['1', '~'])
    expect(await putOff(() => rateExceeded('1'))).toBe(2)
    expect(await putOff(() => rateExceeded('3'))).toBe(1)
    await pulse('2')
    expect(await waits()).toEqual(['1', '2'])
  })

  it('of the whole device ends with a signal of any zone', async () => {
    await rateExceeded('1')
    await fixture.elapse(deviceId)
    expect(await open()).toEqual([device()])
    await pulse('2')
    expect(await fixture.only(deviceId)).toMatchObject({ state: 'RESOLVED', disposition: 'AUTO_RECOVERED' })
    expect(await waits()).toEqual(['2'])
  })

  it('of the whole device and of a zone both end with a signal of the zone', async () => {
    await pulse('1')
    await pulse('2')
    await rateExceeded('3')
    await fixture.elapse(deviceId)
    expect((await open()).toSorted()).toEqual([device(), zone('1'), zone('2')].toSorted())
    await pulse('1')
    expect(await open()).toEqual([zone('2')])
  })
})

describe('a wait for a lasting condition', () => {
  const fault = (seq: number, name: string, of: string, rateExceeded: boolean) => {
    const message = event('FAULT', seq, { zone: name, fault: of })
    return ingestSignal(fixture.db, { deviceId, via: 'MQTT', channel: 'event', message, rateExceeded })
  }
  beforeEach(async () => {
    const codes = { matchCodes: ['FAULT'], recoverCodes: ['FAULT_CLEARED'] }
    await giveRule({ ...codes, condition: 'DURATION', withinSec: 60, dedupBy: 'ZONE' })
  })

  it('of a zone suffices while the device exceeds its rate limit', async () => {
    await fault(1, '1', 'MIC', false)
    await fault(2, '1', 'MIC', true)
    expect(await waits()).toEqual(['1'])
    await fault(3, '1', 'LAMP', true)
    await fault(4, '2', 'LAMP', true)
    await fault(5, '2', 'MIC', true)
    expect(await waits()).toEqual(['1', '~', '~'])
  })
})
