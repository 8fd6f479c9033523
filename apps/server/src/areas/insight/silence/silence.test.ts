import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePress, makeRecord } from '../../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../../test/alarm-fixture.ts'
import { getSilence } from './silence.ts'

let fixture: AlarmFixture
const record = (more: object = {}) =>
  makeRecord(fixture.db, { deptId: fixture.first.deptId, schoolId: fixture.first.id, schoolName: 'First', ...more })
const signal = (code: string, suppressed: string | null, recordId: number | null) =>
  fixture.all
    .insertInto('signal')
    .values({
      deviceId: fixture.buttonId,
      eventId: `${code} ${suppressed} ${recordId} ${Math.random()}`.slice(0, 40),
      kind: 'ALARM',
      code,
      mode: 'LIVE',
      occurredAt: new Date(),
      via: 'MQTT',
      schoolId: fixture.first.id,
      deptId: fixture.first.deptId,
      recordId,
      suppressed: suppressed as never,
    })
    .execute()
const undelivered = (state: 'SUPPRESSED' | 'CANCELLED', reason: 'NO_ADDRESS' | 'CLAIMED', planKey: string) =>
  fixture.all
    .insertInto('delivery')
    .values({
      subjectType: 'RECORD',
      subjectId: 1,
      planKey,
      schoolId: fixture.first.id,
      deptId: fixture.first.deptId,
      recipientName: '张三',
      channel: 'SMS',
      level: 1,
      state,
      reason,
      title: '报警',
      body: '报警',
      expiresAt: new Date(Date.now() + 60_000),
      endedAt: new Date(),
    })
    .execute()

beforeAll(async () => {
  fixture = await openAlarmFixture()
  const press = await record()
  await makePress(fixture.db, press, fixture.buttonId)
  await makePress(fixture.db, press, fixture.buttonId)
  await record({ class: 'VOICE', code: 'VOICE_ABUSE', level: 3, occurrenceCount: 4 })
  const target = await record({ class: 'VOICE', code: 'VOICE_ABUSE', level: 3 })
  await record({ class: 'VOICE', code: 'VOICE_ABUSE', level: 3, mergedIntoId: target.id })
  const until = new Date(Date.now() + 3_600_000)
  await record({ class: 'DEVICE_HEALTH', code: 'OFFLINE', level: 4, shelvedUntil: until })
  await record({ class: 'DEVICE_HEALTH', code: 'OFFLINE', level: 4, shelvedUntil: new Date(Date.now() - 1000) })
  await signal('VOICE_ABUSE', 'BELOW_REPEAT', null)
  await signal('VOICE_ABUSE', 'BELOW_REPEAT', null)
  await signal('BATTERY_LOW', 'INFORMATION', null)
  await undelivered('SUPPRESSED', 'NO_ADDRESS', 'one')
  await undelivered('CANCELLED', 'CLAIMED', 'two')
})
afterAll(() => fixture.end())

const silenceFor = (actor: AlarmFixture['zhang']) => getSilence(fixture.db, actor, new Date())
const countsOf = ({ counts }: Awaited<ReturnType<typeof silenceFor>>) =>
  Object.fromEntries(counts.map(({ kind, n }) => [kind, n]))

it('lists everything hidden or not sent today, with its reason', async () => {
  const found = await silenceFor(fixture.zhang)
  expect(countsOf(found)).toEqual({ OUTAGE: 0, REPEAT: 3, RULE: 2, SHELVED: 1, MERGED: 1, FLAPPING: 0, DELIVERY: 1 })
  expect(found.total).toBe(8)
  expect(found.rows.map(({ kind, reason, count }) => [kind, reason, count])).toEqual(
    expect.arrayContaining([
      ['RULE', 'BELOW_REPEAT', 2],
      ['REPEAT', 'OCCURRENCE', 3],
      ['DELIVERY', 'NO_ADDRESS', 1],
    ]),
  )
  expect(found.panic).toEqual({ received: 2, hidden: 0 })
})

it('counts a panic signal without an alarm as hidden', async () => {
  await signal('PANIC', 'NO_RULE', null)
  expect((await silenceFor(fixture.zhang)).panic).toEqual({ received: 3, hidden: 1 })
})

it('shows nothing of schools outside the visibility of the user', async () => {
  const found = await silenceFor(fixture.stranger)
  expect(found).toMatchObject({ total: 0, rows: [], panic: { received: 0, hidden: 0 } })
})
