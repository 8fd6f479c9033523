import { schoolDevices } from '@tocsin/contract/device/school-device'
import { codes } from '@tocsin/contract/codes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Actor } from '#http/route'
import { verbError } from '../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { schoolDeviceRoutes } from './school-device.ts'

let world: AlarmFixture
let id: number
beforeAll(async () => {
  world = await openAlarmFixture()
  const place = await world.all
    .insertInto('place')
    .values({ schoolId: world.first.id, kind: 'ROOM', name: '301室' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const at = { deviceId: world.buttonId, schoolId: world.first.id, placeId: place.id }
  const made = world.all
    .insertInto('schoolDevice')
    .values({ ...at, status: 'ACCEPTED' })
    .returning('id')
  id = (await made.executeTakeFirstOrThrow()).id
})
afterAll(() => world.end())

const read = async (actor: Actor) =>
  schoolDeviceRoutes({ db: world.db })
    .find(({ endpoint }) => endpoint === schoolDevices.get)
    ?.handle({ query: { id }, actor } as never)

it('an installed device is read as the list shows it, by those who see its school', async () => {
  expect(await read(world.zhang)).toMatchObject({ id, sn: 'BTN-0001', placePath: '301室', connectivity: 'NEVER_SEEN' })
  expect((await verbError(read(world.stranger)))?.code).toBe(codes.notFound.code)
})
