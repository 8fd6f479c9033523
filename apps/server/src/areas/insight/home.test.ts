import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { homes } from '@tocsin/contract/insight/home'
import type { Actor } from '#http/route'
import { makeRecord, type RecordDraft } from '../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { homeFigures } from './home.ts'

let world: AlarmFixture
beforeAll(async () => {
  world = await openAlarmFixture()
})
afterAll(() => world.end())
beforeEach(async () => {
  // The log is append-only, so records stay, long ago.
  await world.all
    .updateTable('warnRecord')
    .set({ state: 'CLOSED', firstAt: new Date(0) })
    .execute()
})

const raised = (more: Partial<RecordDraft> = {}) =>
  makeRecord(world.db, { deptId: world.first.deptId, schoolId: world.first.id, ...more })
const elsewhere = (more: Partial<RecordDraft> = {}) =>
  raised({ deptId: world.second.deptId, schoolId: world.second.id, ...more })
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const seenBy = (actor: Actor, ...permissions: string[]) =>
  homeFigures(world.db, { ...actor, permissions: new Set(permissions) })
const alarmsOf = async (actor: Actor) => (await seenBy(actor, 'warn:record:query')).alarms

describe('the figures of the dashboard', () => {
  it('count open alarms by level, those that nobody has apart, and tests not at all', async () => {
    await raised({ level: 1 })
    await raised({ level: 1, state: 'CLAIMED', ownerId: world.zhang.userId })
    await raised({ level: 3, class: 'VOICE', shelvedUntil: ago(-60) })
    await raised({ level: 3, class: 'VOICE', shelvedUntil: ago(1) })
    await raised({ mode: 'TEST' })
    await raised({ level: 1, state: 'CLOSED' })
    expect(await alarmsOf(world.zhang)).toMatchObject({
      levels: [
        { level: 1, open: 2, unclaimed: 1 },
        { level: 3, open: 2, unclaimed: 1 },
      ],
      exercises: 1,
      today: { raised: 5, ended: 1, false: 0 },
    })
  })

  it('name the alarm that waits longest, which is neither taken nor shelved nor a test', async () => {
    await raised({ receivedAt: ago(50), state: 'CLAIMED', ownerId: world.zhang.userId })
    await raised({ receivedAt: ago(40), mode: 'DRILL' })
    await raised({ receivedAt: ago(30), class: 'FIRE', shelvedUntil: ago(-30) })
    const { id } = await raised({ receivedAt: ago(20), placePath: '教学楼 / 101室' })
    await raised({ receivedAt: ago(10) })
    await elsewhere({ receivedAt: ago(60) })
    expect((await alarmsOf(world.zhang))?.oldest).toMatchObject({ id, placePath: '教学楼 / 101室' })
    expect((await alarmsOf(world.stranger))?.oldest).not.toMatchObject({ id })
  })

  it('of today begin at midnight and tell false ones', async () => {
    await raised({ firstAt: ago(60 * 24 * 2) })
    await raised({ state: 'RESOLVED', disposition: 'FALSE_DEVICE' })
    await raised({ state: 'RESOLVED', disposition: 'REAL_HANDLED' })
    await raised({ state: 'HANDLING', ownerId: world.zhang.userId, occurrenceCount: 0 })
    const alarms = await alarmsOf(world.zhang)
    expect(alarms?.today).toMatchObject({ raised: 2, ended: 2, false: 1 })
    expect(Number(alarms?.today.since)).toBeLessThanOrEqual(Date.now())
  })

  it('are by sight: nothing of other schools', async () => {
    await elsewhere({ level: 2 })
    expect((await alarmsOf(world.zhang))?.levels).toEqual([])
    expect((await alarmsOf(world.root))?.levels).toEqual([{ level: 2, open: 1, unclaimed: 1 }])
  })

  it('count devices in service by connectivity, the never seen too', async () => {
    expect((await seenBy(world.zhang, 'device:device:query')).devices).toMatchObject({ total: 0 })
    await world.all.updateTable('device').set({ lifecycle: 'IN_SERVICE' }).execute()
    const never = { total: 1, online: 0, late: 0, offline: 0, neverSeen: 1 }
    expect((await seenBy(world.zhang, 'device:school-device:query')).devices).toEqual(never)
    expect((await seenBy(world.stranger, 'device:device:query')).devices).toMatchObject({ total: 0 })
    await world.all.insertInto('deviceState').values({ deviceId: world.buttonId, connectivity: 'OFFLINE' }).execute()
    expect((await seenBy(world.zhang, 'device:device:query')).devices).toMatchObject({ offline: 1, neverSeen: 0 })
  })

  it('leave out what the person has no permission for', async () => {
    const figures = await seenBy(world.zhang)
    expect(figures).toMatchObject({ alarms: null, devices: null })
    expect(z.encode(homes.get.data, figures)).toMatchObject({ alarms: null, devices: null })
  })
})
