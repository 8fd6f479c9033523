import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claim } from '#areas/alarm/verb/claim'
import { confirmFalse, markFalse } from '#areas/alarm/verb/resolve'
import { merge } from '#areas/alarm/verb/merge'
import { close } from '#areas/alarm/verb/review'
import { shelve } from '#areas/alarm/verb/shelve'
import { verbError } from '../../../test/alarm-verbs.ts'
import { alarm, event, type IntakeFixture, openIntakeFixture } from '../../../test/intake-fixture.ts'
import { ingestSignal, ingestUnparsable } from './ingest.ts'
import { invalidateRuleCache } from './intake/evaluate-rules.ts'
import { seedRules } from './rule-seed.ts'

let world: IntakeFixture
beforeAll(async () => {
  world = await openIntakeFixture()
  await seedRules(world.db)
})
afterAll(() => world.end())

const only = async (deviceId: number) => {
  const records = await world.recordsOf(deviceId)
  expect(records).toHaveLength(1)
  return records[0] as NonNullable<(typeof records)[0]>
}

const outboxOf = (deviceId: number) =>
  world.db.selectFrom('deviceOutbox').selectAll().where('deviceId', '=', deviceId).orderBy('id').execute()

/**
 * Ends a record as a false alarm, by two people where its level requires it. The second is a lead, because the device
 * was never reset.
 */
const end = async (id: number) => {
  const claimed = await claim(world.db, world.zhang, { id })
  const given = { id, version: claimed.version, disposition: 'FALSE_ACCIDENTAL', note: 'a ball' } as const
  const row = await markFalse(world.db, world.zhang, given)
  if (row.state === 'RESOLVED') return row
  return confirmFalse(world.db, world.zhao, { id, version: row.version })
}

describe('a press', () => {
  it('creates one record with place, timers, log, receipt and events', async () => {
    const { id: placeId } = await world.all
      .insertInto('place')
      .values([{ schoolId: world.first.id, kind: 'CAMPUS', name: '本部' }])
      .returning('id')
      .executeTakeFirstOrThrow()
    const inside = async (kind: 'BUILDING' | 'FLOOR' | 'ROOM', name: string, parentId: number) =>
      world.all
        .insertInto('place')
        .values({
          schoolId: world.first.id,
          kind,
          name,
          parentId,
          ...(kind === 'BUILDING' && { lng: 116.4, lat: 39.9 }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    const building = await inside('BUILDING', '教学楼', placeId)
    const floor = await inside('FLOOR', '3层', building.id)
    const room = await inside('ROOM', '301室', floor.id)
    const deviceId = await world.button({ schoolId: null })
    await world.all
      .insertInto('schoolDevice')
      .values({ deviceId, schoolId: world.first.id, placeId: room.id, status: 'ACCEPTED', silent: true })
      .execute()

    const said = alarm('PANIC', 1)
    const answer = await world.say(deviceId, said)
    const record = await only(deviceId)
    expect(answer).toMatchObject({ recordNo: record.no, created: true, duplicate: false })
    expect(record).toMatchObject({
      state: 'NEW',
      class: 'PANIC',
      level: 2,
      mode: 'LIVE',
      occurrenceCount: 1,
      pressCount: 1,
      epoch: 1,
      version: 1,
      schoolId: world.first.id,
      deptId: world.first.deptId,
      schoolName: 'First',
      placeId: room.id,
      silent: true,
      building: '教学楼',
      floor: '3层',
      room: '301室',
      placePath: '教学楼 / 3层 / 301室',
      lng: 116.4,
      lat: 39.9,
    })
    expect(record.no).toMatch(/^YJ20\d{6}\d{6,}$/)
    expect((await world.timersOf(record.id)).map(({ step, epoch }) => [step, epoch])).toEqual([
      ['T1', 1],
      ['T5', 1],
    ])
    expect(await world.eventsOf(record.id)).toEqual(['alarm.raised'])
    expect((await world.logOf(record.id)).map(({ verb, toState }) => [verb, toState])).toEqual([
      ['raise', 'NEW'],
      ['signal', null],
    ])
    expect(await outboxOf(deviceId)).toMatchObject([
      { channel: 'ack', key: said.eventId, payload: { eventId: said.eventId, stage: 'accepted', recordNo: record.no } },
    ])
    expect(await world.brokenLink(record.id)).toBeUndefined()
  })

  it('raises a record for an uninstalled device, visible to the department of the device', async () => {
    const deviceId = await world.button({ schoolId: null })
    await world.say(deviceId, alarm('PANIC', 1))
    expect(await only(deviceId)).toMatchObject({ schoolId: null, placePath: null, deptId: world.bureau })
  })

  it('counts as an occurrence when repeated; three within ten seconds are level 1, verified, and ring again', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('PANIC', 1))
    await world.say(deviceId, alarm('PANIC', 2))
    expect(await only(deviceId)).toMatchObject({ level: 2, occurrenceCount: 2, version: 1 })
    const [before] = await world.timersOf((await only(deviceId)).id)
    await world.say(deviceId, alarm('PANIC', 3))
    const record = await only(deviceId)
    expect(record).toMatchObject({ level: 1, validation: 2, occurrenceCount: 3, pressCount: 3, version: 1 })
    expect(await world.eventsOf(record.id)).toEqual(['alarm.raised', 'alarm.changed', 'alarm.again'])
    const [after] = await world.timersOf(record.id)
    expect(after?.fence).toBeGreaterThan(before?.fence ?? 99)
    expect(await world.brokenLink(record.id)).toBeUndefined()
  })

  it('keeps its level when three are spread over more than ten seconds', async () => {
    const deviceId = await world.button()
    const now = Date.now()
    for (const [i, ago] of [24_000, 12_000, 0].entries())
      await world.say(deviceId, alarm('PANIC', i + 1, { ts: now - ago }))
    expect(await only(deviceId)).toMatchObject({ level: 2, validation: null, occurrenceCount: 3 })
  })

  it('is level 1 at once when one message counts eight, and an absurd count is stored', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('PANIC', 1, { press: { count: 8 } }))
    expect(await only(deviceId)).toMatchObject({ level: 1, validation: 2, pressCount: 8 })
    await world.say(deviceId, alarm('PANIC', 2, { press: { count: 2_147_483_647 } }))
    expect(await only(deviceId)).toMatchObject({ pressCount: 1008 })
  })

  it('makes the record silent and replaces its code and level when it is silent', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('PANIC', 1))
    await world.say(deviceId, alarm('PANIC_SILENT', 2))
    expect(await only(deviceId)).toMatchObject({ level: 1, code: 'PANIC_SILENT', silent: true })
    await world.say(deviceId, alarm('PANIC', 3))
    expect(await only(deviceId)).toMatchObject({ level: 1, code: 'PANIC_SILENT', occurrenceCount: 3 })
  })

  it('rings in mode TEST like LIVE, and neither changes the other', async () => {
    const deviceId = await world.button()
    const live = await world.say(deviceId, alarm('PANIC', 1))
    const test = await world.say(deviceId, alarm('PANIC', 2, { mode: 'TEST' }))
    expect((await world.recordsOf(deviceId)).map(({ id, mode }) => [id, mode])).toEqual([
      [live.recordId, 'LIVE'],
      [test.recordId, 'TEST'],
    ])
    expect(await world.eventsOf(test.recordId ?? 0)).toEqual(['alarm.raised'])
  })

  it('occurs at its time of arrival when the clock is far off, and the device receives the time', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('PANIC', 1, { ts: 5000 }))
    const [signal] = await world.signalsOf(deviceId)
    expect(signal?.occurredAt).toEqual(signal?.receivedAt)
    expect(signal?.skewMs).toBeLessThan(-1e12)
    expect((await outboxOf(deviceId)).map(({ channel }) => channel).sort()).toEqual(['ack', 'time'])
  })
})

describe('after RESOLVED', () => {
  it('rings the same record in its next epoch within the window, without the data of the end', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('PANIC', 1))
    const ended = await end((await only(deviceId)).id)
    await world.say(deviceId, alarm('PANIC', 2))
    const record = await only(deviceId)
    expect(record).toMatchObject({
      state: 'NEW',
      epoch: 2,
      version: ended.version + 1,
      ownerId: null,
      lastOwnerId: world.zhang.userId,
      disposition: null,
      note: null,
      resolverId: null,
      falseBy: null,
      occurrenceCount: 2,
    })
    expect((await world.timersOf(record.id)).map(({ step, epoch }) => [step, epoch])).toEqual([
      ['T1', 2],
      ['T5', 2],
    ])
    expect((await world.eventsOf(record.id)).at(-1)).toBe('alarm.again')
    const log = await world.logOf(record.id)
    expect(log.at(-1)).toMatchObject({ verb: 'ringAgain', fromState: 'RESOLVED', toState: 'NEW' })
    expect(log.at(-1)?.payload).toMatchObject({ disposition: 'FALSE_ACCIDENTAL', note: 'a ball' })
    expect(await world.brokenLink(record.id)).toBeUndefined()
  })

  it('raises a new record after the window', async () => {
    const deviceId = await world.button()
    await world.db.updateTable('warnRule').set({ reopenWindowSec: 0 }).where('name', '=', '医疗急救').execute()
    invalidateRuleCache()
    await world.say(deviceId, alarm('MEDICAL', 1))
    await end((await only(deviceId)).id)
    const { created } = await world.say(deviceId, alarm('MEDICAL', 2))
    expect(created).toBe(true)
    expect((await world.recordsOf(deviceId)).map(({ state, linkedRecordId }) => [state, linkedRecordId])).toEqual([
      ['RESOLVED', null],
      ['NEW', null],
    ])
  })

  it('raises a new record linked to the closed one when it was CLOSED within the window', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('PANIC', 1))
    const { id, version } = await end((await only(deviceId)).id)
    await close(world.db, world.wang, { id, version })
    await world.say(deviceId, alarm('PANIC', 2))
    const [closed, created] = await world.recordsOf(deviceId)
    expect(closed).toMatchObject({ state: 'CLOSED', epoch: 1 })
    expect(created).toMatchObject({ state: 'NEW', linkedRecordId: id, occurrenceCount: 1 })
  })

  it('counts on the open merge target within the window', async () => {
    const [first, second] = [await world.button(), await world.button()]
    await world.say(first, alarm('PANIC', 1))
    await world.say(second, alarm('PANIC', 1))
    const [target, child] = [await only(first), await only(second)]
    const claimed = await claim(world.db, world.zhang, { id: child.id })
    await merge(world.db, world.zhang, { id: child.id, version: claimed.version, intoId: target.id })
    const pressed = await world.say(second, alarm('PANIC', 2))
    expect(pressed).toMatchObject({ recordId: target.id, created: false })
    expect(await only(first)).toMatchObject({ state: 'NEW', occurrenceCount: 2 })
    expect(await only(second)).toMatchObject({ state: 'RESOLVED', disposition: 'DUPLICATE' })
    await end(target.id)
    await world.say(second, alarm('PANIC', 3))
    expect((await world.recordsOf(second)).at(-1)).toMatchObject({ state: 'NEW', linkedRecordId: child.id })
  })
})

it('unshelves a record that becomes more urgent, and rings', async () => {
  const deviceId = await world.button()
  await world.say(deviceId, alarm('INTRUSION', 1))
  const { id, version } = await only(deviceId)
  const until = new Date(Date.now() + 3_600_000)
  await shelve(world.db, world.wang, { id, version, until, reason: 'repair' })
  await world.say(deviceId, alarm('INTRUSION', 2))
  expect(await only(deviceId)).toMatchObject({ shelvedUntil: until, level: 2 })
  await world.say(deviceId, alarm('DURESS_CANCEL', 3))
  expect(await only(deviceId)).toMatchObject({ shelvedUntil: null, level: 1, duress: true, state: 'NEW' })
  expect((await world.timersOf(id)).map(({ step }) => step)).toEqual(['T1', 'T5'])
  expect((await world.eventsOf(id)).at(-1)).toBe('alarm.again')
  expect(await world.brokenLink(id)).toBeUndefined()
})

it('revokes a false-alarm proposal when another press arrives', async () => {
  const deviceId = await world.button()
  await world.say(deviceId, alarm('PANIC', 1))
  const { id, version } = await only(deviceId)
  const given = { id, version, disposition: 'FALSE_ACCIDENTAL', note: 'a ball' } as const
  const proposed = await markFalse(world.db, world.zhang, given)
  await world.say(deviceId, alarm('PANIC', 2))
  expect(await only(deviceId)).toMatchObject({ state: 'NEW', falseBy: null, disposition: null, occurrenceCount: 2 })
  const late = await verbError(confirmFalse(world.db, world.zhao, { id, version: proposed.version }))
  expect(late?.code).toBe(codes.stale.code)
  expect((await world.logOf(id)).at(-1)).toMatchObject({ verb: 'refuseFalse', actorName: 'system' })
  expect(await world.brokenLink(id)).toBeUndefined()
})

describe('a cancel on site', () => {
  it('is noted and ends nothing; a later press revokes it', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('PANIC', 1))
    const cancelled = await world.say(deviceId, alarm('CANCEL', 2))
    const record = await only(deviceId)
    expect(cancelled.recordId).toBe(record.id)
    expect(record).toMatchObject({ state: 'NEW', presserCancelled: true, occurrenceCount: 1 })
    await world.say(deviceId, alarm('PANIC', 3))
    expect(await only(deviceId)).toMatchObject({ presserCancelled: false, occurrenceCount: 2 })
  })

  it('is stored as information when there is no record', async () => {
    const deviceId = await world.button()
    expect(await world.say(deviceId, alarm('CANCEL', 1))).toMatchObject({ recordId: null, duplicate: false })
    expect(await world.signalsOf(deviceId)).toMatchObject([{ suppressed: 'INFORMATION', recordId: null }])
  })

  it('under duress makes the open record level 1 and confirmed whatever its class, and raises one otherwise', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('MEDICAL', 1))
    await world.say(deviceId, alarm('DURESS_CANCEL', 2))
    expect(await only(deviceId)).toMatchObject({ class: 'MEDICAL', level: 1, validation: 4, duress: true })
    const other = await world.button()
    await world.say(other, alarm('DURESS_CANCEL', 1))
    expect(await only(other)).toMatchObject({ class: 'PANIC', level: 1, validation: 4, duress: true, state: 'NEW' })
  })
})

it('announces a threat to life reported by a device again, with the same police deadline as one found by a person', async () => {
  const steps = async (id: number) => (await world.timersOf(id)).map(({ step }) => step)
  const deviceId = await world.button()
  const press = alarm('PANIC', 1, { press: { count: 8, holdMs: 0 } })
  const { recordId } = await world.say(deviceId, press)
  const id = recordId ?? 0
  await claim(world.db, world.zhang, { id })
  expect(await only(deviceId)).toMatchObject({ level: 1, validation: 2 })
  expect(await steps(id)).not.toContain('T3')
  await world.say(deviceId, alarm('DURESS_CANCEL', 2))
  expect(await only(deviceId)).toMatchObject({ state: 'CLAIMED', level: 1, validation: 4 })
  expect(await steps(id)).toContain('T3')
  expect((await world.eventsOf(id)).at(-1)).toBe('alarm.again')
  const other = await world.button()
  const raised = (await world.say(other, alarm('DURESS_CANCEL', 1))).recordId ?? 0
  expect(await steps(raised)).toEqual(['T1', 'T5'])
  await claim(world.db, world.zhang, { id: raised })
  expect(await steps(raised)).toContain('T3')
})

it('announces a late signal as new, at full volume, when it is pressed again', async () => {
  const deviceId = await world.button()
  const old = { replay: true, ts: Date.now() - 1_200_000 }
  await world.say(deviceId, alarm('PANIC', 1, old))
  await world.say(deviceId, alarm('PANIC', 2, old))
  const { id, ...late } = await only(deviceId)
  expect(late).toMatchObject({ late: true, level: 2 })
  expect(await world.eventsOf(id)).toEqual(['alarm.raised', 'alarm.changed'])
  await world.say(deviceId, alarm('PANIC', 3))
  await world.say(deviceId, alarm('PANIC', 4, old))
  expect(await only(deviceId)).toMatchObject({ late: false, occurrenceCount: 4 })
  expect((await world.eventsOf(id)).slice(2)).toEqual(['alarm.again', expect.any(String)])
})

describe('a manual reset', () => {
  it('is noted on the open and the resolved panic record and ends neither; a press revokes it', async () => {
    const deviceId = await world.button()
    await world.say(deviceId, alarm('PANIC', 1))
    await world.say(deviceId, event('MANUAL_RESET', 2))
    const reset = await only(deviceId)
    expect(reset).toMatchObject({ state: 'NEW', occurrenceCount: 1 })
    expect(reset.resetAt).not.toBeNull()
    await world.say(deviceId, alarm('PANIC', 3))
    expect((await only(deviceId)).resetAt).toBeNull()
    await end(reset.id)
    await world.say(deviceId, event('MANUAL_RESET', 4))
    const after = await only(deviceId)
    expect(after.state).toBe('RESOLVED')
    expect(after.resetAt).not.toBeNull()
    expect(await world.brokenLink(after.id)).toBeUndefined()
  })
})

describe('bytes that cannot be decoded', () => {
  it('raise one open record per device; the same bytes of one event are one acknowledged signal', async () => {
    const deviceId = await world.button()
    const bytes = Buffer.from('{"eventId":"0123456789abcdef","code":"PANIC"}')
    const answers = []
    for (const _ of [1, 2])
      answers.push(await ingestSignal(world.db, { deviceId, via: 'MQTT', channel: 'alarm', bytes }))
    expect(answers.map(({ duplicate }) => duplicate)).toEqual([false, true])
    await ingestUnparsable(world.db, {
      deviceId,
      via: 'HTTP',
      channel: 'sub',
      bytes: Buffer.from([255, 0]),
      reason: 'X',
    })
    expect(await only(deviceId)).toMatchObject({ code: 'UNPARSABLE', class: 'PANIC', level: 2, occurrenceCount: 2 })
    const [signal] = await world.signalsOf(deviceId)
    expect(signal).toMatchObject({ kind: 'UNPARSABLE', raw: bytes, body: { channel: 'alarm', reason: 'WRONG_SHAPE' } })
    expect((await outboxOf(deviceId)).map(({ key }) => key)).toEqual(['0123456789abcdef'])
  })
})
