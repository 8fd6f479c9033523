import type { Alarm, AlarmCode } from '@tocsin/protocol/alarm'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makePlace } from '../../../../seed/fixtures.ts'
import { alarm, event, type IntakeFixture, openIntakeFixture } from '../../../../test/intake-fixture.ts'
import { readRecordDetail } from '../record/detail.ts'
import { stageMessages } from '../verb/device-ack.ts'
import { seedRules } from '../rule-seed.ts'
import { sampleSize } from '../../../../test/sample-size.ts'

// Decision 063: an open record takes a further signal only from its own place.

type Place = { id: number; schoolId: number }

let world: IntakeFixture
let room: Place
let gate: Place
/** At the second school. */
let hall: Place
beforeAll(async () => {
  world = await openIntakeFixture()
  await seedRules(world.db)
  room = await makePlace(world.db, { schoolId: world.first.id, name: '201室' })
  gate = await makePlace(world.db, { schoolId: world.first.id, kind: 'GATE', name: '南门' })
  hall = await makePlace(world.db, { schoolId: world.second.id, name: '礼堂' })
})
afterAll(() => world.end())

const HOUR_MS = 3_600_000

/** Installs the device at the place, or stores it. Earlier installations become an hour older, so that each has lasted one. */
const move = (deviceId: number, to: Place | null): Promise<void> =>
  world.db.transaction().execute(async (trx) => {
    await sql`update device set school_id = ${to?.schoolId ?? null} where id = ${deviceId}`.execute(trx)
    await sql`
      update school_device set valid_from = valid_from - interval '1 hour', status = 'REMOVED',
        valid_to = coalesce(valid_to - interval '1 hour', now())
      where device_id = ${deviceId}`.execute(trx)
    if (to)
      await sql`
        insert into school_device (device_id, school_id, place_id, status)
        values (${deviceId}, ${to.schoolId}, ${to.id}, 'ACCEPTED')`.execute(trx)
  })

/** The device started a day ago, by its own clock as well. */
const BOOT_CLOCK_MS = Date.now() - 24 * HOUR_MS
const upTo = (ts: number) => ({ ts, upMs: ts - BOOT_CLOCK_MS })

/** A device whose clock is known to be right. */
const installed = async (at: Place): Promise<number> => {
  const deviceId = await world.button()
  const clock = { skewMs: 0, skewBoot: 1, bootClockMs: BOOT_CLOCK_MS }
  await world.db
    .insertInto('deviceState')
    .values({ deviceId, ...clock })
    .execute()
  await move(deviceId, at)
  return deviceId
}

let seq = 0
const press = async (deviceId: number, code: AlarmCode = 'PANIC', more: Partial<Alarm> = {}) => {
  seq += 1
  const message = alarm(code, seq, { ...upTo(Date.now()), ...more })
  return { message, ...(await world.say(deviceId, message)) }
}

/** A press that the device kept while it was offline, `hours` and a half before its last move. */
const kept = (hours: number): Partial<Alarm> => ({ ...upTo(Date.now() - (hours + 0.5) * HOUR_MS), replay: true })

describe('a manual reset', () => {
  const reset = (deviceId: number, more: Partial<Alarm> = {}) =>
    world.say(deviceId, event('MANUAL_RESET', (seq += 1), { ...upTo(Date.now()), ...more }))
  const statesOf = async (deviceId: number) =>
    (await world.recordsOf(deviceId)).map(({ condition, resetAt }) => [condition, resetAt !== null])

  it('counts for the records of the button at every place, until it is pressed again', async () => {
    const deviceId = await installed(room)
    const first = await press(deviceId)
    await move(deviceId, gate)
    const second = await press(deviceId)
    expect(await reset(deviceId)).toMatchObject({ recordId: second.recordId })
    expect(await statesOf(deviceId)).toEqual(Array(2).fill(['RECOVERED', true]))
    for (const { recordId } of [first, second])
      expect((await world.logOf(recordId ?? 0)).at(-1)).toMatchObject({ kind: 'SIGNAL', verb: 'reset' })
    const before = (await world.eventsOf(first.recordId ?? 0)).length
    await press(deviceId)
    expect(await statesOf(deviceId)).toEqual(Array(2).fill(['ACTIVE', false]))
    expect((await world.eventsOf(first.recordId ?? 0)).slice(before)).toEqual(['alarm.changed'])
  })

  it('is told to the school of the record when it is reported after a move to another school', async () => {
    const deviceId = await installed(room)
    const { recordId } = await press(deviceId)
    await move(deviceId, hall)
    expect((await reset(deviceId)).recordId).toBeNull()
    expect(await statesOf(deviceId)).toEqual([['RECOVERED', true]])
    const events = world.db.selectFrom('event').select('schoolId').where('ref', '=', recordId)
    expect(await events.where('type', '=', 'alarm.changed').execute()).toEqual([{ schoolId: world.first.id }])
  })

  it('does not count when it was made before a press at the next place but arrives after it', async () => {
    const deviceId = await installed(room)
    await press(deviceId)
    await move(deviceId, gate)
    const made = (seq += 1)
    await press(deviceId)
    await world.say(deviceId, event('MANUAL_RESET', made, kept(0)))
    expect(await statesOf(deviceId)).toEqual(Array(2).fill(['ACTIVE', false]))
  })
})

describe('a press of a device that was moved', () => {
  let deviceId: number
  let first: { recordId: number | null; recordNo: string | null }
  beforeEach(async () => {
    deviceId = await installed(room)
    first = await press(deviceId)
  })
  const recordOf = async (id: number | null) => (await world.recordsOf(deviceId)).find((record) => record.id === id)
  const lastEntryOf = async (id: number | null) => (await world.logOf(id ?? 0)).at(-1)

  it('is added to the open record while the place is the same', async () => {
    const again = await press(deviceId)
    expect(again.recordId).toBe(first.recordId)
    expect(await recordOf(first.recordId)).toMatchObject({ pressCount: 2, placeId: room.id, linkedRecordId: null })
  })

  it('raises a record of the new room, linked both ways by number', async () => {
    await move(deviceId, gate)
    const second = await press(deviceId)
    expect(second.created).toBe(true)
    expect(await recordOf(second.recordId)).toMatchObject({
      placeId: gate.id,
      room: '南门',
      pressCount: 1,
      linkedRecordId: first.recordId,
    })
    expect(await recordOf(first.recordId)).toMatchObject({
      placeId: room.id,
      room: '201室',
      pressCount: 1,
      state: 'NEW',
    })
    expect(await lastEntryOf(first.recordId)).toMatchObject({
      verb: 'pressedElsewhere',
      payload: { linkedId: second.recordId, linkedNo: second.recordNo },
    })
    const [raised] = await world.logOf(second.recordId ?? 0)
    expect(raised).toMatchObject({ verb: 'raise', payload: { linkedId: first.recordId, linkedNo: first.recordNo } })
    expect(await world.eventsOf(first.recordId ?? 0)).toEqual(['alarm.raised', 'alarm.changed'])
    const seen = await readRecordDetail(world.db, world.zhang, first.recordId ?? 0)
    expect(seen.linkedFrom).toEqual([{ id: second.recordId, no: second.recordNo }])
  })

  it('raises a record of the new school, which the old school cannot find', async () => {
    await move(deviceId, hall)
    const second = await press(deviceId)
    const seen = await readRecordDetail(world.db, world.stranger, second.recordId ?? 0)
    expect(seen).toMatchObject({
      record: { schoolId: world.second.id, pressCount: 1, linkedRecordId: null },
      linked: null,
    })
    expect(JSON.stringify(seen)).not.toContain(first.recordNo)
    const before = await readRecordDetail(world.db, world.zhang, first.recordId ?? 0)
    expect(before).toMatchObject({ record: { pressCount: 1 }, linkedFrom: [] })
    expect(before.log.at(-1)).toMatchObject({ verb: 'pressedElsewhere', payload: {} })
    expect(JSON.stringify(before)).not.toContain(second.recordNo)
    // Who sees both schools sees the link.
    const police = await readRecordDetail(world.db, world.root, first.recordId ?? 0)
    expect(police.linkedFrom).toEqual([{ id: second.recordId, no: second.recordNo }])
    const schoolsOf = async (ref: number | null) => {
      const events = await world.db.selectFrom('event').selectAll().where('ref', '=', ref).execute()
      const own = events.filter(({ type }) => type.startsWith('alarm.'))
      return [...new Set(own.map(({ schoolId }) => schoolId))]
    }
    expect(await schoolsOf(second.recordId)).toEqual([world.second.id])
    expect(await schoolsOf(first.recordId)).toEqual([world.first.id])
  })

  it('raises a record of an unknown place when the device is in the store', async () => {
    await move(deviceId, null)
    const second = await press(deviceId)
    expect(await recordOf(second.recordId)).toMatchObject({ schoolId: null, placeId: null, placePath: null })
    expect((await press(deviceId)).recordId).toBe(second.recordId)
  })

  it('is added to its own open record when the device hangs there again', async () => {
    await move(deviceId, gate)
    await press(deviceId)
    await move(deviceId, room)
    expect((await press(deviceId)).recordId).toBe(first.recordId)
  })

  it('leaves the record of the old place alone when it is a cancel, and raises its own when it is under duress', async () => {
    await move(deviceId, gate)
    const cancel = await press(deviceId, 'CANCEL')
    expect(cancel.recordId).toBeNull()
    const duress = await press(deviceId, 'DURESS_CANCEL')
    expect(await recordOf(duress.recordId)).toMatchObject({ placeId: gate.id, duress: true })
    expect(await recordOf(first.recordId)).toMatchObject({ presserCancelled: false, duress: false })
  })

  it('belongs to the old place when it was made there and arrives later', async () => {
    await move(deviceId, hall)
    const late = await press(deviceId, 'PANIC', kept(0))
    expect(late.recordId).toBe(first.recordId)
    const signals = await world.signalsOf(deviceId)
    expect(signals.map(({ schoolId }) => schoolId)).toEqual([world.first.id, world.first.id])
  })

  it('belongs to the old place for each of several that arrive over HTTP with the clock of their sending', async () => {
    await move(deviceId, hall)
    for (let count = 0; count < 3; count += 1) {
      seq += 1
      const late = await world.say(deviceId, alarm('PANIC', seq, kept(0)), { skewMs: 0 })
      expect(late.recordId).toBe(first.recordId)
    }
  })

  it('belongs to the old place although the device is in the store when it arrives', async () => {
    await move(deviceId, null)
    expect((await press(deviceId, 'PANIC', kept(0))).recordId).toBe(first.recordId)
  })

  it('belongs to no place when the device hung nowhere then, after another school', async () => {
    await move(deviceId, null)
    await move(deviceId, hall)
    const late = await press(deviceId, 'PANIC', kept(0))
    expect(await recordOf(late.recordId)).toMatchObject({ schoolId: null, placeId: null })
  })

  it('belongs to its school without a place when it was made before the installation', async () => {
    const fresh = await world.button()
    await world.db
      .insertInto('deviceState')
      .values({ deviceId: fresh, skewMs: 0, skewBoot: 1, bootClockMs: BOOT_CLOCK_MS })
      .execute()
    await move(fresh, room)
    const late = await press(fresh, 'PANIC', kept(0))
    const [record] = await world.recordsOf(fresh)
    expect(record).toMatchObject({ id: late.recordId, schoolId: world.first.id, placeId: null })
  })

  it.each([
    ['was never compared', 'skew_ms = null', {}],
    ['was compared in another boot', 'skew_boot = 7', {}],
    ['is wrong', 'skew_ms = 172800000', {}],
    ['was set since', 'boot_clock_ms = boot_clock_ms + 3600000', {}],
  ])('belongs to the present place when the clock of the device %s', async (_case, change) => {
    await move(deviceId, hall)
    await sql`update device_state set ${sql.raw(change)} where device_id = ${deviceId}`.execute(world.db)
    const late = await press(deviceId, 'PANIC', kept(0))
    expect(await recordOf(late.recordId)).toMatchObject({ placeId: hall.id })
  })

  it('is not called cancelled by a cancel that was given at the new place', async () => {
    const other = await installed(room)
    await move(other, hall)
    seq += 1
    const early = seq
    await press(other, 'CANCEL')
    await world.say(other, alarm('PANIC', early, kept(0)))
    const [record] = await world.recordsOf(other)
    expect(record).toMatchObject({ placeId: room.id, presserCancelled: false })
  })

  it('raises a record of its own when the one of its place was merged into the old one', async () => {
    await move(deviceId, gate)
    const second = await press(deviceId)
    await sql`update warn_record set state = 'CLOSED', disposition = 'DUPLICATE', ended_at = now(), closed_at = now(),
      merged_into_id = ${first.recordId} where id = ${second.recordId}`.execute(world.db)
    const third = await press(deviceId)
    expect(third.created).toBe(true)
    expect(await recordOf(third.recordId)).toMatchObject({ placeId: gate.id, linkedRecordId: first.recordId })
    expect(await recordOf(first.recordId)).toMatchObject({ pressCount: 1 })
  })

  it('tells the device no stage of the record of the old place, and none after a cancel at the new one', async () => {
    await move(deviceId, gate)
    const second = await press(deviceId)
    const context = async (id: number | null) => {
      const record = await recordOf(id)
      if (!record) throw new Error('no record')
      return stageMessages({ trx: world.db, record }, 'claimed')
    }
    expect((await context(first.recordId)).receipts).toEqual([])
    expect((await context(second.recordId)).receipts).toMatchObject([{ deviceId, payload: { stage: 'claimed' } }])
    await press(deviceId, 'DURESS_CANCEL')
    expect((await context(second.recordId)).receipts).toEqual([])
  })
})

describe('moves, presses, repeats and replays in any order', () => {
  const codes = ['PANIC', 'MEDICAL', 'CANCEL'] as const
  type Step =
    | { kind: 'move'; to: number }
    | { kind: 'press'; code: (typeof codes)[number]; mode: 'LIVE' | 'TEST' }
    | { kind: 'repeat'; of: number }
    | { kind: 'replay'; code: (typeof codes)[number]; moves: number }
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('move' as const), to: fc.nat({ max: 3 }) }),
    fc.record({
      kind: fc.constant('press' as const),
      code: fc.constantFrom(...codes),
      mode: fc.constantFrom('LIVE' as const, 'TEST' as const),
    }),
    fc.record({ kind: fc.constant('repeat' as const), of: fc.nat({ max: 9 }) }),
    fc.record({
      kind: fc.constant('replay' as const),
      code: fc.constantFrom(...codes),
      moves: fc.integer({ min: 1, max: 3 }),
    }),
  )

  /** What the model expects of one message: where it belongs, and its answer. */
  type Expected = { message: Alarm; schoolId: number | null; placeId: number | null; recordId: number | null }

  /** Where a message of an earlier period belongs: without a place then, to the school that it never left. */
  const whereWas = (periods: readonly (Place | null)[], at: number) => {
    const [then, now] = [periods[at], periods.at(-1)]
    const before = periods.slice(0, at).findLast((period) => period !== null)
    const isSameSchool = before?.schoolId === now?.schoolId
    return { schoolId: then?.schoolId ?? (isSameSchool ? (now?.schoolId ?? null) : null), placeId: then?.id ?? null }
  }

  const play = async (steps: readonly Step[]) => {
    const places = [room, gate, hall, null]
    const deviceId = await installed(room)
    const periods: (Place | null)[] = [room]
    const said: Expected[] = []
    for (const now of steps) {
      if (now.kind === 'move') {
        const to = places[now.to] ?? null
        periods.push(to)
        await move(deviceId, to)
      } else if (now.kind === 'repeat') {
        const before = said[now.of]
        if (before)
          expect(await world.say(deviceId, before.message)).toMatchObject({
            recordId: before.recordId,
            duplicate: true,
          })
      } else {
        const isReplay = now.kind === 'replay' && now.moves < periods.length
        const at = whereWas(periods, periods.length - 1 - (isReplay ? now.moves : 0))
        const more = isReplay ? kept(now.moves - 1) : { mode: now.kind === 'press' ? now.mode : ('LIVE' as const) }
        const { message, recordId } = await press(deviceId, now.code, more)
        said.push({ message, ...at, recordId })
      }
    }
    return { deviceId, said }
  }

  it('keeps each signal with the record of its device, class, mode, school and place', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const { deviceId, said } = await play(steps)
        const records = await world.recordsOf(deviceId)
        const byId = new Map(records.map((record) => [record.id, record]))
        for (const { message, schoolId, placeId, recordId } of said) {
          const record = byId.get(recordId ?? 0)
          if (message.code !== 'CANCEL') expect(record?.class).toBe(message.code)
          if (record) expect([record.schoolId, record.placeId, record.mode]).toEqual([schoolId, placeId, message.mode])
        }
        const keys = records.map((item) => `${item.class} ${item.mode} ${item.schoolId} ${item.placeId}`)
        expect(new Set(keys).size).toBe(keys.length)
        for (const record of records) {
          const earlier = records.filter(
            (other) => other.id < record.id && other.class === record.class && other.mode === record.mode,
          )
          expect(record.linkedRecordId).toBe(earlier.at(-1)?.id ?? null)
          expect(record.state).toBe('NEW')
          expect(await world.brokenLink(record.id)).toBeUndefined()
        }
      }),
      { numRuns: sampleSize(60) },
    )
  })

  it('keeps one open record per place when presses and a move happen at once', async () => {
    const deviceId = await installed(room)
    const presses = Array.from({ length: 6 }, () => press(deviceId))
    await Promise.all([...presses.slice(0, 3), move(deviceId, hall), ...presses.slice(3)])
    const last = await press(deviceId)
    const records = await world.recordsOf(deviceId)
    expect(records.find(({ id }) => id === last.recordId)?.placeId).toBe(hall.id)
    expect(new Set(records.map(({ placeId }) => placeId)).size).toBe(records.length)
    expect(records.reduce((sum, { pressCount }) => sum + pressCount, 0)).toBe(7)
  })
})
