import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { homes } from '@tocsin/contract/insight/home'
import type { RecordQuery } from '@tocsin/contract/alarm/record'
import { codes } from '@tocsin/contract/codes'
import { recordPage } from '#areas/alarm/record/record-list'
import { claim, claimEscalated } from '#areas/alarm/verb/claim'
import { writeAudit } from '#areas/audit/audit'
import { sealPendingRows } from '#areas/audit/log/seal'
import { pageDevices } from '#areas/device/device'
import { pageUnits } from '#areas/police/unit-rows'
import type { Actor } from '#http/route'
import { makeRecord, type RecordDraft } from '../../../seed/record-fixtures.ts'
import { verbError } from '../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { homeFigures } from './home.ts'
import { getBatteries, getBullying, getFalseRate, getGaps } from './home/figure-cards.ts'
import { getLogged, getSeals, loggedVerbs } from './home/log-cards.ts'
import { getDispatch, getUnits } from './home/police-cards.ts'
import { getDuty, getHomeReadiness, getResponse, getSystemState } from './home-cards.ts'

let fixture: AlarmFixture
beforeAll(async () => {
  fixture = await openAlarmFixture()
})
afterAll(() => fixture.end())
beforeEach(async () => {
  // The log is append-only, so records of earlier tests stay; they are dated long ago.
  await fixture.all
    .updateTable('warnRecord')
    .set({ state: 'CLOSED', firstAt: new Date(0) })
    .execute()
})

const raised = (more: Partial<RecordDraft> = {}) =>
  makeRecord(fixture.db, { deptId: fixture.first.deptId, schoolId: fixture.first.id, ...more })
const elsewhere = (more: Partial<RecordDraft> = {}) =>
  raised({ deptId: fixture.second.deptId, schoolId: fixture.second.id, ...more })
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const seenBy = (actor: Actor, ...permissions: string[]) =>
  homeFigures(fixture.db, { ...actor, permissions: new Set(permissions) })
const alarmsOf = async (actor: Actor) => (await seenBy(actor, 'warn:record:query')).alarms

describe('the figures of the dashboard', () => {
  it('count open alarms by level, unowned ones separately, and tests not at all', async () => {
    await raised({ level: 1 })
    await raised({ level: 1, state: 'CLAIMED', ownerId: fixture.zhang.userId })
    await raised({ level: 3, class: 'VOICE', shelvedUntil: ago(-60) })
    await raised({ level: 3, class: 'VOICE', shelvedUntil: ago(1) })
    await raised({ mode: 'TEST' })
    await raised({ level: 1, state: 'CLOSED' })
    expect(await alarmsOf(fixture.zhang)).toMatchObject({
      levels: [
        { level: 1, open: 2, unclaimed: 1 },
        { level: 3, open: 2, unclaimed: 1 },
      ],
      exercises: 1,
      today: { raised: 5, ended: 1, false: 0 },
    })
  })

  it('name the oldest waiting alarm, which is neither claimed nor shelved nor a test', async () => {
    await raised({ receivedAt: ago(50), state: 'CLAIMED', ownerId: fixture.zhang.userId })
    await raised({ receivedAt: ago(40), mode: 'DRILL' })
    await raised({ receivedAt: ago(30), class: 'FIRE', shelvedUntil: ago(-30) })
    const { id } = await raised({ receivedAt: ago(20), placePath: '教学楼 / 101室' })
    await raised({ receivedAt: ago(10) })
    await elsewhere({ receivedAt: ago(60) })
    expect((await alarmsOf(fixture.zhang))?.waiting[0]).toMatchObject({ id, placePath: '教学楼 / 101室' })
    expect((await alarmsOf(fixture.stranger))?.waiting.map((alarm) => alarm.id)).not.toContain(id)
  })

  it('say of a waiting alarm whether it is claimed, or taken over because the system escalated it', async () => {
    const escalated = await raised({ receivedAt: ago(20), state: 'ESCALATED' })
    const fresh = await raised({ receivedAt: ago(10) })
    expect((await alarmsOf(fixture.zhang))?.waiting.map(({ id, state }) => [id, state])).toEqual([
      [escalated.id, 'ESCALATED'],
      [fresh.id, 'NEW'],
    ])
    expect((await verbError(claim(fixture.db, fixture.zhang, escalated)))?.code).toBe(codes.wrongState.code)
    await claimEscalated(fixture.db, fixture.zhang, escalated)
    await claim(fixture.db, fixture.zhang, fresh)
    expect((await alarmsOf(fixture.zhang))?.waiting).toEqual([])
  })

  it('lead to lists with the same number of alarms', async () => {
    await raised({ level: 1, firstAt: ago(60 * 24 * 100) })
    await raised({ level: 1 })
    await raised({ level: 2, class: 'BULLY', code: 'ABUSE', firstAt: ago(60 * 24 * 40) })
    await raised({ level: 2, class: 'BULLY', code: 'ABUSE', state: 'RESOLVED', disposition: 'REAL_HANDLED' })
    await raised({ state: 'RESOLVED', disposition: 'FALSE_DEVICE' })
    // Waits for a second person: neither ended nor false yet.
    await raised({
      state: 'CLAIMED',
      ownerId: fixture.li.userId,
      falseBy: fixture.li.userId,
      disposition: 'FALSE_DEVICE',
    })
    await raised({ state: 'HANDLING', ownerId: fixture.zhang.userId, occurrenceCount: 0 })
    const live = { mode: ['LIVE' as const] }
    const count = async (filter: RecordQuery) =>
      (await recordPage(fixture.db, fixture.zhang, { ...live, ...filter })).total
    const alarms = await alarmsOf(fixture.zhang)
    const levels = [1, 2].map(async (level) => count({ level: [level === 1 ? '1' : '2'], open: true }))
    expect(alarms?.levels.map(({ open }) => open)).toEqual(await Promise.all(levels))
    const ended: RecordQuery = { state: ['RESOLVED', 'CLOSED'] }
    const today: RecordQuery = { continued: false, from: alarms?.today.since }
    expect(alarms?.today).toMatchObject({
      raised: await count(today),
      ended: await count({ ...today, ...ended }),
      false: await count({ ...today, ...ended, falseAlarm: true }),
    })
    expect(alarms?.today).toMatchObject({ raised: 4, ended: 2, false: 1 })
    const bullying = await getBullying(fixture.db, fixture.zhang, new Date())
    const bully: RecordQuery = { class: ['BULLY'] }
    expect([bullying.open, bullying.recent]).toEqual([1, 1])
    expect(await count({ ...bully, open: true })).toBe(1)
    expect(await count({ ...bully, continued: false, from: bullying.since })).toBe(1)
  })

  it('of today begin at midnight and show false alarms', async () => {
    await raised({ firstAt: ago(60 * 24 * 2) })
    await raised({ state: 'RESOLVED', disposition: 'FALSE_DEVICE' })
    await raised({ state: 'RESOLVED', disposition: 'REAL_HANDLED' })
    await raised({ state: 'HANDLING', ownerId: fixture.zhang.userId, occurrenceCount: 0 })
    const alarms = await alarmsOf(fixture.zhang)
    expect(alarms?.today).toMatchObject({ raised: 2, ended: 2, false: 1 })
    expect(Number(alarms?.today.since)).toBeLessThanOrEqual(Date.now())
  })

  it('are limited to visible schools', async () => {
    await elsewhere({ level: 2 })
    expect((await alarmsOf(fixture.zhang))?.levels).toEqual([])
    expect((await alarmsOf(fixture.root))?.levels).toEqual([{ level: 2, open: 1, unclaimed: 1 }])
  })

  it('count devices in service by connectivity, never connected ones too', async () => {
    expect((await seenBy(fixture.zhang, 'device:device:query')).devices).toMatchObject({ total: 0 })
    await fixture.all.updateTable('device').set({ lifecycle: 'IN_SERVICE' }).execute()
    const never = { total: 1, online: 0, late: 0, offline: 0, neverSeen: 1 }
    expect((await seenBy(fixture.zhang, 'device:school-device:query')).devices).toEqual(never)
    expect((await seenBy(fixture.stranger, 'device:device:query')).devices).toMatchObject({ total: 0 })
    await fixture.all
      .insertInto('deviceState')
      .values({ deviceId: fixture.buttonId, connectivity: 'OFFLINE' })
      .execute()
    expect((await seenBy(fixture.zhang, 'device:device:query')).devices).toMatchObject({ offline: 1, neverSeen: 0 })
  })

  it('omit figures without permission', async () => {
    const figures = await seenBy(fixture.zhang)
    expect(figures).toMatchObject({ alarms: null, devices: null })
    expect(z.encode(homes.get.data, figures)).toMatchObject({ alarms: null, devices: null })
  })
})

describe('the cards of the dashboard', () => {
  it('measures the response to live alarms of today in the visibility of the user', async () => {
    const receivedAt = ago(5)
    const after = (seconds: number) => new Date(receivedAt.getTime() + seconds * 1000)
    await raised({ receivedAt, firstAt: new Date(), claimedAt: after(8), displayedAt: after(1) })
    await raised({ receivedAt, firstAt: new Date(), mode: 'DRILL', claimedAt: after(90) })
    await elsewhere({ receivedAt, firstAt: new Date(), claimedAt: after(80) })
    // Steps are counted in buckets, see insight/rollup/buckets.ts.
    expect(await getResponse(fixture.db, fixture.zhang)).toMatchObject({
      displayed: { n: 1, p50: 1 },
      claimed: { n: 1, p90: 7.9 },
      onSite: { n: 0, p90: null },
    })
    expect((await getResponse(fixture.db, fixture.root)).claimed.n).toBe(2)
  })

  it('takes the mean readiness of visible schools only', async () => {
    const score = (schoolId: number, points: number) =>
      fixture.all
        .insertInto('schoolReadiness')
        .values({ schoolId, score: points, devices: 1, low: 0, reasons: JSON.stringify([]) as never })
        .onConflict((conflict) => conflict.column('schoolId').doUpdateSet({ score: points }))
        .execute()
    await score(fixture.first.id, 90)
    await score(fixture.second.id, 50)
    expect(await getHomeReadiness(fixture.db, fixture.zhang)).toMatchObject({ score: 90, schools: 1, low: 0 })
    expect(await getHomeReadiness(fixture.db, fixture.root)).toMatchObject({ score: 70, schools: 2, low: 1 })
  })

  it('counts shifts of this moment and the state of the installation without rows out of sight', async () => {
    expect(await getDuty(fixture.db, fixture.zhang)).toEqual({ planned: 0, onDuty: 0, late: 0, absent: 0 })
    const { pendingUsers, lateTimers } = await getSystemState(fixture.db, fixture.root)
    expect([pendingUsers, lateTimers]).toEqual([0, 0])
  })
})

const situation = (more: Record<string, unknown> = {}) =>
  fixture.all
    .insertInto('policeSituation')
    .values({
      no: randomUUID().slice(0, 16),
      source: 'MANUAL',
      grade: 2,
      summary: '打架',
      stationDeptId: fixture.station,
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

describe('the cards of the police', () => {
  it('count incidents without a unit, by owner and by limit, and list the oldest first', async () => {
    const { id } = await situation({ receivedAt: ago(20) })
    await situation({ receivedAt: ago(10), claimedAt: ago(9), ownerId: fixture.zhang.userId })
    await situation({ receivedAt: ago(5), state: 'DISPATCHED', dispatchedAt: ago(4) })
    const card = await getDispatch(fixture.db, fixture.zhang)
    expect(card).toMatchObject({ unclaimed: 1, toDispatch: 1, overdue: 2 })
    expect(card.waiting[0]?.id).toBe(id)
    expect(card.since.getTime()).toBeLessThanOrEqual(card.waiting[0]?.receivedAt.getTime() ?? 0)
    expect(await getDispatch(fixture.db, fixture.stranger)).toMatchObject({ unclaimed: 0, toDispatch: 0, waiting: [] })
  })

  it('count units by state as their list shows them, and name those on an incident', async () => {
    const unit = async (name: string, onDuty: boolean) => {
      const row = { deptId: fixture.station, name, type: 'CAR' as const, onDuty }
      return (await fixture.all.insertInto('policeUnit').values(row).returning('id').executeTakeFirstOrThrow()).id
    }
    await unit('一号车', true)
    await unit('二号车', false)
    const unitId = await unit('三号车', true)
    const { id: situationId } = await situation({ state: 'IN_PROGRESS' })
    const sent = { situationId, unitId, responderName: '三号车', deptId: fixture.station, schoolId: fixture.first.id }
    await fixture.all
      .insertInto('assignment')
      .values({ ...sent, byUserId: fixture.zhang.userId, state: 'EN_ROUTE' } as never)
      .execute()
    const card = await getUnits(fixture.db, fixture.zhang)
    const counts = Object.fromEntries(card.states.map(({ state, n }) => [state, n]))
    expect(counts).toEqual({ FREE: 1, ASSIGNED: 0, EN_ROUTE: 1, ON_SCENE: 0, OFF: 1 })
    expect(card.busy).toMatchObject([{ name: '三号车', state: 'EN_ROUTE', situationId }])
    const listed = await pageUnits(fixture.db, fixture.zhang, { pageNo: 1, pageSize: 10, state: ['EN_ROUTE'] })
    expect(listed.list.map(({ id }) => id)).toEqual([unitId])
    expect((await getUnits(fixture.db, fixture.stranger)).states.every(({ n }) => n === 0)).toBe(true)
  })
})

describe('the cards of oversight and maintenance', () => {
  it('relates the false alarms of 30 days to device-days, and names their causes', async () => {
    await raised({ state: 'CLOSED', disposition: 'FALSE_DEVICE', resolvedAt: new Date() })
    await raised({ state: 'CLOSED', disposition: 'REAL_HANDLED', resolvedAt: new Date() })
    await elsewhere({ state: 'CLOSED', disposition: 'FALSE_DEVICE', resolvedAt: new Date() })
    expect(await getFalseRate(fixture.db, fixture.zhang, new Date())).toMatchObject({
      n: 1,
      resolved: 2,
      rate: null,
      causes: [{ cause: 'FALSE_DEVICE', n: 1 }],
    })
    const { id: placeId } = await fixture.all
      .insertInto('place')
      .values({ schoolId: fixture.first.id, name: '大门', kind: 'GATE' } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const installed = { deviceId: fixture.buttonId, schoolId: fixture.first.id, placeId, validFrom: ago(60 * 24 * 10) }
    await fixture.all
      .insertInto('schoolDevice')
      .values({ ...installed, status: 'ACCEPTED' } as never)
      .execute()
    expect((await getFalseRate(fixture.db, fixture.zhang, new Date())).rate).toBe(100)
    expect((await getFalseRate(fixture.db, fixture.stranger, new Date())).rate).toBeNull()
  })

  it('counts batteries as the list of devices finds them', async () => {
    const reasons = JSON.stringify([{ code: 'BATTERY_AHEAD', points: 5, value: 10 }]) as never
    const row = { deviceId: fixture.buttonId, schoolId: fixture.first.id, score: 95, reasons, weightsVersion: 3 }
    await fixture.all.insertInto('deviceReadiness').values(row).execute()
    const card = await getBatteries(fixture.db, fixture.zhang)
    expect(card).toMatchObject({ low: 0, ending: 1, next: [{ deviceId: fixture.buttonId, schoolName: 'First' }] })
    const list = async (battery: 'LOW' | 'ENDING') =>
      (await pageDevices(fixture.db, fixture.zhang, { pageNo: 1, pageSize: 10, battery: [battery] })).total
    expect([await list('LOW'), await list('ENDING')]).toEqual([0, 1])
    expect(await getBatteries(fixture.db, fixture.stranger)).toEqual({ low: 0, ending: 0, next: [] })
  })

  it('counts the gaps of visible schools, and bullying alarms', async () => {
    const hours = { weekdays: 127, fromMin: 0, toMin: 1440, checkCode: randomUUID() }
    await fixture.all
      .insertInto('securityPost')
      .values({ schoolId: fixture.first.id, name: '东门', type: 'GATE', ...hours } as never)
      .execute()
    expect(await getGaps(fixture.db, fixture.zhang, new Date())).toMatchObject({ now: 1, absent: 0 })
    expect(await getGaps(fixture.db, fixture.stranger, new Date())).toMatchObject({ now: 0, ahead: 0, next: [] })
    const { id } = await raised({ class: 'BULLY', code: 'ABUSE' })
    await raised()
    await elsewhere({ class: 'BULLY', code: 'ABUSE' })
    const card = await getBullying(fixture.db, fixture.zhang, new Date())
    expect([card.open, card.waiting.map((alarm) => alarm.id), card.recent]).toEqual([1, [id], 1])
  })
})

describe('the cards of the auditor', () => {
  const audit = (action: string, result = 200) =>
    writeAudit(fixture.db, {
      actor: fixture.zhang,
      origin: { ip: '127.0.0.1', userAgent: 'test', traceId: 't' },
      action,
      subject: 'users',
      result,
    } as never)

  it('count successful exports and reads of personal data of today in sight', async () => {
    await audit('system:user:export')
    await audit('system:user:export', 403)
    await audit('system:user:reveal')
    await audit('system:user:query')
    await audit('system:user:update')
    const exported = await getLogged(fixture.db, fixture.zhang, loggedVerbs.exports, new Date())
    expect(exported).toMatchObject({ people: 1, kinds: [{ subType: 'export', n: 1 }] })
    expect(exported.latest).toMatchObject([{ action: 'system:user:export', userName: 'zhang' }])
    const reads = await getLogged(fixture.db, fixture.zhang, loggedVerbs.personalReads, new Date())
    expect(reads.kinds.map(({ subType }) => subType).toSorted()).toEqual(['query', 'reveal'])
    expect((await getLogged(fixture.db, fixture.stranger, loggedVerbs.exports, new Date())).kinds).toEqual([])
  })

  it('name the first seal that does not match its entries', async () => {
    const seals = []
    for (const action of ['a', 'b', 'c']) {
      await audit(`system:user:${action}`)
      seals.push(await sealPendingRows(fixture.db))
    }
    await audit('system:user:waiting')
    expect(await getSeals(fixture.db)).toMatchObject({ waiting: 1, broken: null, lastAt: seals[2]?.at })
    const owner = new pg.Pool(fixture.database.owner)
    await owner.query('update audit_log set username = $1 where id = $2', ['nobody', seals[1]?.rowIds[0]])
    await owner.end()
    expect((await getSeals(fixture.db)).broken).toBe(seals[1]?.seq)
  })
})
