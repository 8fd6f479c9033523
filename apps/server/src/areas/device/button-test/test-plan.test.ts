import { codes } from '@tocsin/contract/codes'
import { localDay } from '@tocsin/contract/security/hours'
import type { Alarm } from '@tocsin/protocol/alarm'
import { endExpectedPressesOfTest } from '#areas/alarm/end-expected-presses'
import { ingestSignal } from '#areas/alarm/ingest'
import { ingestOne } from '#areas/alarm/intake/ingest-pipeline'
import { canBeExpected, fromAlarm } from '#areas/alarm/intake/normalize-signal'
import { recordTimerHandlers } from '#areas/alarm/timer/record-timers'
import { RECORD_TIMER } from '#areas/alarm/timer/schedule-timers'
import { unscoped } from '#db/scope'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeInstallation, makeSchool } from '../../../../seed/fixtures.ts'
import { errorFields, pageIn } from '../../../../test/admin-server.ts'
import { alarm } from '../../../../test/intake-fixture.ts'
import { type DeviceServer, startDeviceServer } from '../../../../test/device-server.ts'
import { somebodyWaits } from '../../../../test/lock-waiters.ts'
import { lockExpectedPresses } from './expected-press.ts'
import { buttonTestTimerHandlers, windowEndTimer } from './test-timer.ts'
import { useTransactionHooks } from '../../../../test/transaction-hooks.ts'

let site: DeviceServer
let devices: number[]
useTransactionHooks([endExpectedPressesOfTest])
beforeAll(async () => {
  site = await startDeviceServer()
  devices = []
  for (const [at, sn] of ['TEST-0001', 'TEST-0002', 'TEST-0003'].entries()) {
    const { id } = await site.register(sn)
    await makeInstallation(site.site.db, { id }, { id: site.placeIds[at % 2] ?? 0, schoolId: site.schoolId })
    devices.push(id)
  }
})
afterAll(() => site.end())

const T = '/device/test'
const HOUR = 3_600_000
const plan = (from: number, to: number, schoolId = site.schoolId) =>
  site.call('POST', `${T}/create`, { schoolId, windowFrom: Date.now() + from, windowTo: Date.now() + to })
const endAlarms = () => site.pool.query(`update warn_record set state = 'CLOSED' where mode = 'LIVE'`)
const read = async (id: number) => (await site.call('GET', `${T}/get?id=${id}`)).data

describe('a button test of a school', () => {
  it('rejects a window that ends before it begins, lasts too long, or overlaps another', async () => {
    expect(errorFields(await plan(HOUR, 0))).toEqual(['windowTo'])
    expect(errorFields(await plan(0, 13 * HOUR))).toEqual(['windowTo'])
    const { data } = await plan(24 * HOUR, 26 * HOUR)
    expect((await plan(25 * HOUR, 27 * HOUR)).code).toBe(codes.planOverlaps.code)
    expect((await site.call('DELETE', `${T}/delete?id=${Number(data)}`)).code).toBe(200)
  })

  it('is rejected when its window touches a day of exams', async () => {
    const { deptId } = await site.all
      .selectFrom('school')
      .select('deptId')
      .where('id', '=', site.schoolId)
      .executeTakeFirstOrThrow()
    const day = localDay(new Date(Date.now() + 50 * HOUR))
    const exam = { deptId, day, kind: 'EXAM' as const, name: '期末考试', official: false }
    await site.all.insertInto('schoolCalendarDay').values(exam).execute()
    expect((await plan(48 * HOUR, 50 * HOUR)).code).toBe(codes.planExam.code)
    await site.all.deleteFrom('schoolCalendarDay').where('day', '=', day).execute()
  })

  it('needs a school with accepted devices', async () => {
    const school = await makeSchool(site.site.db, { eduDeptId: site.here.deptId })
    expect((await plan(0, HOUR, school.id)).code).toBe(codes.planEmpty.code)
  })

  it('derives its results from the presses of the window, and makes passed devices due a quarter later', async () => {
    const { data } = await plan(-1000, HOUR)
    const id = Number(data)
    const [first = 0, , third = 0] = devices
    await site.press(first)
    const live = await read(id)
    expect(live).toMatchObject({ state: 'RUNNING', passed: 1, total: 3 })
    const results = live['results'] as unknown as { id: number; deviceId: number; result: string }[]
    const missing = results.find(({ deviceId }) => deviceId === third)
    await site.call('POST', `${T}/record`, { id: missing?.id, received: false })
    expect((await site.act(`${T}/close`, id)).code).toBe(codes.planStation.code)
    expect((await site.act(`${T}/tell`, id)).code).toBe(200)
    expect((await site.act(`${T}/close`, id)).code).toBe(200)
    expect((await site.call('DELETE', `${T}/delete?id=${id}`)).code).toBe(codes.planStarted.code)
    const closed = await read(id)
    const settled = closed['results'] as unknown as typeof results
    expect(new Map(settled.map(({ deviceId, result }) => [deviceId, result]))).toEqual(
      new Map([
        [first, 'PASSED'],
        [devices[1], 'NOT_PRESSED'],
        [third, 'NOT_RECEIVED'],
      ]),
    )
    const due = await site.all.selectFrom('schoolDevice').select(['deviceId', 'nextTestDue']).execute()
    expect(due.filter(({ nextTestDue }) => nextTestDue !== null).map(({ deviceId }) => deviceId)).toEqual([first])
    expect((await site.act(`${T}/close`, id)).code).toBe(codes.planClosed.code)
  })

  it('counts the first plain press of a device as a test once the station was notified, and any other press as live', async () => {
    const { data } = await plan(0, HOUR)
    const id = Number(data)
    const [first = 0, second = 0, third = 0] = devices
    let seq = 100
    const press = async (deviceId: number, more: Partial<Alarm> = {}) => {
      seq += 1
      const message = alarm('PANIC', seq, more)
      await ingestSignal(site.site.db, { deviceId, via: 'MQTT', channel: 'alarm', message })
      const row = site.all.selectFrom('signal').select('mode').where('eventId', '=', message.eventId)
      return (await row.executeTakeFirstOrThrow()).mode
    }
    expect(await press(third)).toBe('LIVE')
    await site.act(`${T}/tell`, id)
    expect(await press(first)).toBe('TEST')
    expect(await press(first)).toBe('LIVE')
    expect(await press(second, { press: { count: 3, holdMs: 100 } })).toBe('LIVE')
    expect(await read(id)).toMatchObject({ passed: 3 })
    const records = () =>
      site.all.selectFrom('warnRecord').select(['id', 'deviceId', 'mode', 'state', 'disposition', 'epoch']).execute()
    const test = (await records()).find(({ mode }) => mode === 'TEST')
    const unclaimed = { kind: RECORD_TIMER, subjectId: test?.id ?? 0, epoch: test?.epoch ?? 0, step: 'T1' }
    await site.site.db.transaction().execute((trx) => recordTimerHandlers[RECORD_TIMER].execute(trx, [unclaimed]))
    expect((await records()).find(({ mode }) => mode === 'TEST')?.state).toBe('NEW')
    await site.act(`${T}/close`, id)
    expect((await records()).filter(({ mode }) => mode === 'TEST')).toEqual([
      expect.objectContaining({ deviceId: first, state: 'CLOSED', disposition: 'TEST' }),
    ])
    expect(new Set((await records()).filter(({ mode }) => mode === 'LIVE').map(({ state }) => state))).toEqual(
      new Set(['NEW']),
    )
  })

  it('does not count a press that a device with a right clock made before the window, nor a cancel', async () => {
    await site.pool.query('update test_plan set closed_at = now() where closed_at is null')
    const { id: deviceId } = await site.register('TEST-0004')
    await makeInstallation(site.site.db, { id: deviceId }, { id: site.placeIds[0], schoolId: site.schoolId })
    await site.pool.query(`update school_device set valid_from = now() - interval '1 day' where device_id = $1`, [
      deviceId,
    ])
    await site.pool.query('update device_state set skew_ms = 0, skew_boot = 1 where device_id = $1', [deviceId])
    const { data } = await plan(-HOUR / 60, HOUR)
    const id = Number(data)
    await site.act(`${T}/tell`, id)
    const ingest = async (message: Alarm) => {
      await ingestSignal(site.site.db, { deviceId, via: 'MQTT', channel: 'alarm', message })
      const row = site.all.selectFrom('signal').select('mode').where('eventId', '=', message.eventId)
      return (await row.executeTakeFirstOrThrow()).mode
    }
    const resultOf = async () => {
      const results = (await read(id))['results'] as unknown as { deviceId: number; result: string }[]
      return results.find((result) => result.deviceId === deviceId)?.result
    }
    expect(await ingest(alarm('PANIC', 1, { ts: Date.now() - 6 * 60_000 }))).toBe('LIVE')
    await endAlarms()
    expect(await ingest(alarm('CANCEL', 2))).toBe('LIVE')
    expect(await resultOf()).toBe('PENDING')
    expect(await ingest(alarm('PANIC', 3))).toBe('TEST')
    expect(await resultOf()).toBe('PASSED')
  })

  describe('the record of an expected press', () => {
    beforeEach(endAlarms)
    const started = async () => {
      await site.pool.query('update test_plan set closed_at = now() where closed_at is null')
      const { data } = await plan(0, HOUR)
      await site.act(`${T}/tell`, Number(data))
      return Number(data)
    }
    let seq = 500
    const ingest = async (deviceId: number, more: Partial<Alarm> = {}) => {
      const message = alarm('PANIC', (seq += 1), more)
      const sent = { deviceId, via: 'MQTT', channel: 'alarm', message } as const
      return (await ingestSignal(site.site.db, sent)).recordId ?? 0
    }
    const recordOf = (id: number) =>
      site.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const fire = (key: Parameters<(typeof recordTimerHandlers)['record']['execute']>[1][number]) =>
      site.site.db.transaction().execute(async (trx) => {
        const handlers = { ...buttonTestTimerHandlers, ...recordTimerHandlers }
        await handlers[key.kind as keyof typeof handlers].execute(trx, [key])
      })
    const eventsOf = async (id: number) =>
      (await site.site.db.selectFrom('event').select('type').where('ref', '=', id).orderBy('id').execute()).map(
        ({ type }) => type,
      )

    it('ends after the window once it was shown and nobody holds it, although the test is still open', async () => {
      const id = await started()
      const [first = 0] = devices
      const { id: installationId } = await site.installationOf(first)
      const all = unscoped(site.site.db, 'the read of the intake')
      expect(await lockExpectedPresses(all, [installationId])).toEqual(new Map([[installationId, id]]))
      const recordId = await ingest(first)
      expect(await recordOf(recordId)).toMatchObject({ mode: 'TEST', testPlanId: id, state: 'NEW' })
      const due = site.site.db.selectFrom('timer').select('dueAt').where('kind', '=', 'buttonTest')
      const { windowTo } = await site.all
        .selectFrom('testPlan')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { dueAt } = await due.where('subjectId', '=', id).executeTakeFirstOrThrow()
      expect(dueAt.getTime() - windowTo.getTime()).toBe(300_000)
      const change = (set: { state: 'NEW' | 'CLAIMED'; ownerId: number | null; displayedAt?: Date }) =>
        site.all.updateTable('warnRecord').set(set).where('id', '=', recordId).execute()
      await fire(windowEndTimer(id))
      expect(await recordOf(recordId)).toMatchObject({ state: 'NEW' })
      const { id: ownerId } = await site.all.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
      await change({ displayedAt: new Date(), state: 'CLAIMED', ownerId })
      await fire(windowEndTimer(id))
      expect(await recordOf(recordId)).toMatchObject({ state: 'CLAIMED' })
      const again = await due.where('subjectId', '=', id).executeTakeFirstOrThrow()
      expect(again.dueAt.getTime()).toBeLessThan(dueAt.getTime())
      await change({ state: 'NEW', ownerId: null })
      await fire(windowEndTimer(id))
      expect(await recordOf(recordId)).toMatchObject({ state: 'CLOSED', disposition: 'TEST' })
      expect(await read(id)).toMatchObject({ state: 'RUNNING', passed: 1 })
    })

    it('takes no press that the device calls a test by itself: that one rings again and stays with people', async () => {
      const id = await started()
      const [, second = 0] = devices
      const expected = await ingest(second)
      const announced = await ingest(second, { mode: 'TEST' })
      expect(announced).not.toBe(expected)
      expect(await recordOf(announced)).toMatchObject({ mode: 'TEST', testPlanId: null })
      await fire({ kind: RECORD_TIMER, subjectId: announced, step: 'T1', epoch: 1 })
      expect(await eventsOf(announced)).toEqual(['alarm.raised', 'alarm.again'])
      await site.act(`${T}/close`, id)
      expect([(await recordOf(expected)).state, (await recordOf(announced)).state]).toEqual(['CLOSED', 'NEW'])
    })

    it('is none while an alarm of the button is open, which the press joins', async () => {
      await site.pool.query('update test_plan set closed_at = now() where closed_at is null')
      const [, , third = 0] = devices
      const open = await ingest(third)
      await started()
      expect(await ingest(third)).toBe(open)
      expect(await recordOf(open)).toMatchObject({ mode: 'LIVE', testPlanId: null, occurrenceCount: 2 })
    })

    it('ends also when its press is stored while the test is being closed, and a press rings that comes later', async () => {
      const id = await started()
      const [first = 0, second = 0] = devices
      const press = () => fromAlarm(alarm('PANIC', (seq += 1)), { via: 'MQTT' })
      const [recordId, closed] = await site.site.db.transaction().execute(async (trx) => {
        const stored = await ingestOne(trx, { deviceId: first, normalize: press }, [])
        const closing = site.act(`${T}/close`, id)
        await expect.poll(() => somebodyWaits(site.site.db)).toBe(true)
        return [stored.recordId ?? 0, closing.then(({ code }) => code)] as const
      })
      expect(await closed).toBe(200)
      expect(await recordOf(recordId)).toMatchObject({ testPlanId: id, state: 'CLOSED' })
      const next = await started()
      const ringing = await site.site.db.transaction().execute(async (trx) => {
        await sql`select from test_plan where id = ${next} for no key update`.execute(trx)
        return ingest(second)
      })
      expect(await recordOf(ringing)).toMatchObject({ mode: 'LIVE', testPlanId: null })
    })
  })

  it.each([
    ['VOICE_HELP', ['VOICE_HELP', 'INTERCOM'], false],
    ['INTERCOM', ['VOICE_HELP', 'INTERCOM'], true],
    ['INTRUSION', ['INTRUSION'], false],
    ['MEDICAL', ['PANIC', 'MEDICAL'], false],
  ] as const)('decides whether %s of a device with the codes %j is expected: %s', (code, codesOfModel, isExpected) => {
    expect(canBeExpected(fromAlarm(alarm(code, 1), { via: 'MQTT' }), codesOfModel)).toBe(isExpected)
  })

  it('is listed only to users who see the school', async () => {
    expect(pageIn(await site.call('GET', `${T}/page?open=false`)).list.length).toBeGreaterThan(1)
    const { token } = await site.clerk('device:test:query')
    await site.all.updateTable('role').set({ dataScope: 'SELF' }).where('code', 'like', 'clerk%').execute()
    expect(pageIn(await site.call('GET', `${T}/page`, undefined, token)).list).toEqual([])
  })
})
