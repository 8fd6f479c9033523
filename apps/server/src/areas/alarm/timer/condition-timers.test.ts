import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { makePlace } from '../../../../seed/fixtures.ts'
import { event } from '../../../../test/intake-fixture.ts'
import { clear, deviceId, fault, giveRule, id, newDevice, withRules, fixture } from '../../../../test/rule-fixture.ts'
import { ingestSignal, ingestServerSignal } from '../ingest.ts'

withRules()

const waits = async () => (await fixture.waitsOf(deviceId)).length

/** Zones and fault names of the records that were raised after all waits ended. */
const raised = async () => {
  await fixture.elapse(deviceId)
  const records = await fixture.recordsOf(deviceId)
  const own = (await fixture.signalsOf(deviceId)).filter(({ eventId }) => eventId.startsWith(`R${id}.`))
  const zones = own.map(({ zone }) => zone)
  return {
    records: records.length,
    zones: zones.toSorted(),
    faults: records.flatMap(({ faults }) => faults).toSorted(),
  }
}

describe('a wait for a lasting condition', () => {
  beforeEach(async () => {
    const codes = { matchCodes: ['FAULT'], recoverCodes: ['FAULT_CLEARED'] }
    await giveRule({ ...codes, condition: 'DURATION', withinSec: 60, autoRecover: true })
  })

  it('raises once when the condition lasted, and nothing when it ended before', async () => {
    await fault(1)
    const [wait] = await fixture.waitsOf(deviceId)
    await fault(2)
    expect(await fixture.waitsOf(deviceId)).toEqual([wait])
    expect((await fixture.signalsOf(deviceId)).map(({ suppressed }) => suppressed)).toEqual(['WAITING', 'WAITING'])
    await fixture.elapse(deviceId)
    await fixture.elapse(deviceId)
    expect(await fixture.only(deviceId)).toMatchObject({ ruleId: id, code: 'FAULT', occurrenceCount: 1 })
    await newDevice()
    await fault(1)
    await clear(2)
    expect(await waits()).toBe(0)
    expect(await raised()).toMatchObject({ records: 0 })
  })

  it('raises its record where it began when the device was moved meanwhile', async () => {
    const rooms = [
      await makePlace(fixture.db, { schoolId: fixture.first.id }),
      await makePlace(fixture.db, { schoolId: fixture.second.id }),
    ]
    const [room, hall] = rooms.map(({ id: placeId, schoolId }) => ({ placeId, schoolId }))
    const install = (at: { placeId: number; schoolId: number }) =>
      fixture.all
        .insertInto('schoolDevice')
        .values({ deviceId, ...at, status: 'ACCEPTED' })
        .execute()
    await install(room ?? expect.fail())
    await fault(1)
    await sql`update school_device set status = 'REMOVED', valid_to = now() where device_id = ${deviceId}`.execute(
      fixture.db,
    )
    await install(hall ?? expect.fail())
    await fixture.elapse(deviceId)
    expect(await fixture.only(deviceId)).toMatchObject(room ?? expect.fail())
  })

  it('restarts with a signal after the record was raised', async () => {
    await fault(1)
    await fixture.elapse(deviceId)
    await fault(2)
    await fixture.elapse(deviceId)
    expect(await fixture.only(deviceId)).toMatchObject({ occurrenceCount: 2 })
    await clear(3)
    expect(await fixture.only(deviceId)).toMatchObject({ state: 'RESOLVED', condition: 'RECOVERED' })
  })

  it('belongs to one fault: the end of another does not end it, a clear without a name ends all', async () => {
    for (const [seq, name] of ['MIC', 'SIREN', 'LAMP'].entries()) await fault(seq + 1, { fault: name })
    await clear(4, { fault: 'MIC' })
    expect(await raised()).toEqual({ records: 1, zones: [null, null], faults: ['LAMP', 'SIREN'] })
    await newDevice()
    for (const [seq, name] of ['MIC', 'SIREN'].entries()) await fault(seq + 1, { fault: name })
    await clear(3)
    expect(await waits()).toBe(0)
  })

  it('keeps the fault name that ends the record', async () => {
    await fault(1, { fault: 'MIC' })
    await fixture.elapse(deviceId)
    expect(await fixture.only(deviceId)).toMatchObject({ condition: 'ACTIVE', faults: ['MIC'] })
    await clear(2, { fault: 'MIC' })
    expect(await fixture.only(deviceId)).toMatchObject({ state: 'RESOLVED', faults: [] })
  })

  it('belongs to one zone where the rule separates zones', async () => {
    await fixture.change(id, { dedupBy: 'ZONE' })
    for (const [seq, zone] of ['1', '2', '3'].entries()) await fault(seq + 1, { zone })
    await clear(4, { zone: '2' })
    expect(await raised()).toMatchObject({ records: 2, zones: ['1', '3'] })
  })

  it('belongs to the whole device otherwise, and stays so when the rule is changed', async () => {
    await fault(1, { zone: '1' })
    await fault(2, { zone: '2' })
    expect(await waits()).toBe(1)
    await fixture.change(id, { dedupBy: 'ZONE' })
    await clear(3, { zone: '1' })
    expect(await raised()).toMatchObject({ records: 1 })
  })

  it('belongs to the whole device above the rate limit: the end of one zone does not end it', async () => {
    await fixture.change(id, { dedupBy: 'ZONE' })
    for (const [seq, zone] of ['1', '2'].entries()) {
      const message = event('FAULT', seq + 1, { zone })
      await ingestSignal(fixture.db, { deviceId, via: 'MQTT', channel: 'event', message, rateExceeded: true })
    }
    expect(await waits()).toBe(1)
    await clear(3, { zone: '1' })
    expect(await waits()).toBe(1)
    expect(await raised()).toMatchObject({ records: 1 })
    expect((await fixture.only(deviceId)).dedupKey).toBe(`device:${deviceId}|DEVICE_HEALTH|${id}`)
  })

  it('does not end by an earlier signal of the device', async () => {
    await fault(2)
    await clear(1)
    expect(await raised()).toMatchObject({ records: 1 })
  })

  it('does not start for a condition that has already ended', async () => {
    await clear(2)
    await fault(1)
    expect(await waits()).toBe(0)
    expect((await fixture.signalsOf(deviceId)).map(({ suppressed }) => suppressed)).toEqual(['RECOVERY', 'RECOVERY'])
    await fault(3)
    expect(await waits()).toBe(1)
  })

  it('raises also when an old rule has a code that starts and ends it', async () => {
    await fixture.change(id, { recoverCodes: ['FAULT', 'FAULT_CLEARED'] })
    await fault(1)
    const [wait] = await fixture.waitsOf(deviceId)
    await fault(2)
    expect(await fixture.waitsOf(deviceId)).toEqual([wait])
    expect(await raised()).toMatchObject({ records: 1 })
    expect(await fixture.only(deviceId)).toMatchObject({ state: 'NEW', condition: 'ACTIVE' })
  })

  it('starts when the end of the previous condition is reported late', async () => {
    await fault(1)
    const [first] = await fixture.waitsOf(deviceId)
    await fault(3)
    await clear(2)
    const [again, ...others] = await fixture.waitsOf(deviceId)
    expect([again?.step, others]).toEqual([first?.step, []])
    expect(again?.dueAt.getTime()).toBeGreaterThan(first?.dueAt.getTime() ?? Number.POSITIVE_INFINITY)
    expect(await raised()).toMatchObject({ records: 1 })
  })

  it('does not take an old signal with a higher count for a later one', async () => {
    const [then, now] = [Date.now() - 1_200_000, Date.now()]
    await fault(8, { boot: 50, ts: then, replay: true })
    await clear(9, { boot: 50, ts: then, replay: true })
    await fault(1, { ts: now })
    expect(await waits()).toBe(1)
    await clear(2, { ts: now })
    expect(await waits()).toBe(0)
  })

  it('belongs to one mode', async () => {
    await fault(1)
    await fault(2, { mode: 'TEST' })
    await clear(3, { mode: 'TEST' })
    expect(await waits()).toBe(1)
    expect(await raised()).toMatchObject({ records: 1 })
    expect(await fixture.only(deviceId)).toMatchObject({ mode: 'LIVE' })
  })

  it('raises nothing when the rule no longer matches its code', async () => {
    await fault(1)
    await fixture.change(id, { matchCodes: ['TAMPER'] })
    expect(await raised()).toMatchObject({ records: 0 })
  })

  it('does not raise for another code when the rule no longer matches its own', async () => {
    await fixture.change(id, { matchCodes: ['FAULT', 'TAMPER'] })
    await fault(1)
    await fixture.change(id, { matchCodes: ['TAMPER'] })
    await fixture.say(deviceId, event('TAMPER', 2))
    expect(await raised()).toMatchObject({ records: 1 })
    expect(await fixture.only(deviceId)).toMatchObject({ code: 'TAMPER' })
  })

  it('created by an older version continues for the whole device', async () => {
    await fault(1, { zone: '7' })
    const { step } = (await fixture.waitsOf(deviceId))[0] ?? {}
    await fixture.db
      .updateTable('timer')
      .set({ step: `R${id}` })
      .where('step', '=', step ?? '')
      .execute()
    const [, , update = ''] = readFileSync('apps/server/migrations/0053_waits.sql', 'utf8').split(
      /;\n|(?=update timer)/,
    )
    await sql.raw(update).execute(fixture.db)
    expect((await fixture.waitsOf(deviceId)).map((wait) => wait.step)).toEqual([step])
    expect(await raised()).toMatchObject({ records: 1, zones: ['7'] })
  })
})

describe('a wait for silence', () => {
  const pulse = (zone?: string) =>
    ingestServerSignal(fixture.db, { deviceId, code: 'PULSE', eventId: randomUUID(), ...(zone && { zone }) })
  beforeEach(async () => {
    await giveRule({ matchCodes: ['PULSE'], condition: 'NO_DATA', withinSec: 60, autoRecover: true })
  })

  it('restarts with every signal, raises without one, and recovers with the next', async () => {
    await pulse()
    const [first] = await fixture.waitsOf(deviceId)
    await pulse()
    const [second, ...others] = await fixture.waitsOf(deviceId)
    expect([second?.step, others]).toEqual([first?.step, []])
    expect(second?.dueAt.getTime()).toBeGreaterThan(first?.dueAt.getTime() ?? Number.POSITIVE_INFINITY)
    await fixture.elapse(deviceId)
    expect(await fixture.only(deviceId)).toMatchObject({ ruleId: id, code: 'NO_DATA', state: 'NEW' })
    await pulse()
    expect(await fixture.only(deviceId)).toMatchObject({ state: 'RESOLVED', disposition: 'AUTO_RECOVERED' })
    await fixture.elapse(deviceId)
    expect(await fixture.only(deviceId)).toMatchObject({ state: 'NEW', condition: 'ACTIVE' })
  })

  it('also raises when the rule no longer matches the first signal', async () => {
    await fixture.change(id, { matchCodes: ['BOOT', 'PULSE'] })
    await fixture.say(deviceId, event('BOOT', 1))
    await fixture.change(id, { matchCodes: ['PULSE'] })
    await pulse()
    expect(await raised()).toMatchObject({ records: 1 })
  })

  it('is found among all ended waits of the device without reading them', async () => {
    await pulse()
    await sql`
      insert into timer (kind, subject_id, step, epoch, due_at, done_at, outcome)
      select kind, subject_id, step || n, epoch, due_at, now(), 'FIRED'
      from timer cross join generate_series(1, 5000) as n where kind = 'rule' and subject_id = ${deviceId}`.execute(
      fixture.db,
    )
    const read = await fixture.db.transaction().execute(async (trx) => {
      const timers = sql<{ read: number }>`
        select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'timer'`
      const before = (await timers.execute(trx)).rows[0]?.read ?? 0
      await ingestServerSignal(trx, { deviceId, code: 'PULSE', eventId: randomUUID() })
      return ((await timers.execute(trx)).rows[0]?.read ?? 0) - before
    })
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(20)
  })

  it('belongs to each zone where the rule separates zones', async () => {
    await fixture.change(id, { dedupBy: 'ZONE' })
    await pulse('1')
    const [first] = await fixture.waitsOf(deviceId)
    await pulse('2')
    await pulse('2')
    expect((await fixture.waitsOf(deviceId)).map(({ fence }) => fence)).toEqual([first?.fence, (first?.fence ?? 0) + 1])
    expect(await raised()).toMatchObject({ records: 2, zones: ['1', '2'] })
  })
})
