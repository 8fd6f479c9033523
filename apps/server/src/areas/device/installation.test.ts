import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'

// Domain 2.2: one open installation per device; history is kept, so that old alarms keep their old place.

let world: AlarmFixture
let rooms: number[]
beforeAll(async () => {
  world = await openAlarmFixture()
  const made = await world.all
    .insertInto('place')
    .values(['301室', '302室'].map((name) => ({ schoolId: world.first.id, kind: 'ROOM' as const, name })))
    .returning('id')
    .execute()
  rooms = made.map(({ id }) => id)
})
afterAll(() => world.end())

const later = () => new Date(Date.now() + 3_600_000)
const remove = () =>
  world.all
    .updateTable('schoolDevice')
    .set({ status: 'REMOVED', validTo: later() })
    .where('validTo', 'is', null)
    .execute()
const install = (room = 0, validTo: Date | null = null) =>
  world.all
    .insertInto('schoolDevice')
    .values({
      deviceId: world.buttonId,
      schoolId: world.first.id,
      placeId: rooms[room] ?? 0,
      status: validTo ? 'REMOVED' : 'ACCEPTED',
      validTo,
    })
    .execute()

it('keeps a device at one place at a time, with any number of earlier places', async () => {
  await install(0)
  await expect(install(1)).rejects.toMatchObject({ code: '23505', constraint: 'school_device_open_key' })
  await remove()
  await install(1)
  await install(0, later())
  const rows = await world.all.selectFrom('schoolDevice').select(['placeId', 'validTo']).orderBy('id').execute()
  expect(rows.map(({ placeId, validTo }) => [placeId, validTo === null])).toEqual([
    [rooms[0], false],
    [rooms[1], true],
    [rooms[0], false],
  ])
})

it('rejects one of two concurrent installations', async () => {
  await remove()
  const both = await Promise.allSettled([install(0), install(1)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
