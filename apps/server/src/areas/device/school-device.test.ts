import { codes } from '@tocsin/contract/codes'
import type { DeviceQuery } from '@tocsin/contract/device/device'
import { type SchoolDeviceQuery, schoolDevices } from '@tocsin/contract/device/school-device'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Actor } from '#http/route'
import { verbError } from '../../../test/alarm-verbs.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { pageDevices } from './device.ts'
import { listInstallations, pageInstallations, schoolDeviceRoutes } from './school-device.ts'

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

it('returns an installed device as in the list to users who see its school', async () => {
  expect(await read(world.zhang)).toMatchObject({ id, sn: 'BTN-0001', placePath: '301室', connectivity: 'NEVER_SEEN' })
  expect((await verbError(read(world.stranger)))?.code).toBe(codes.notFound.code)
})

it('sorts the list by the chosen column, empty values last in both directions', async () => {
  const { modelId } = await world.all.selectFrom('device').select('modelId').executeTakeFirstOrThrow()
  const room = await world.all
    .selectFrom('schoolDevice')
    .select('placeId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const floor = async (name: string) => {
    const at = { schoolId: world.first.id, parentId: campus.id, kind: 'FLOOR', name } as const
    return (await world.all.insertInto('place').values(at).returning('id').executeTakeFirstOrThrow()).id
  }
  const campus = await world.all
    .insertInto('place')
    .values({ schoolId: world.first.id, kind: 'CAMPUS', name: '主校区' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [sn, nextTestDue, placeId] of [
    ['SORT-0001', '2026-03-01', await floor('400层')],
    ['SORT-0002', '2026-01-01', room.placeId],
    ['SORT-0003', null, await floor('2层')],
  ] as const) {
    const device = world.all
      .insertInto('device')
      .values({ sn, modelId, deptId: world.bureau, schoolId: world.first.id, lifecycle: 'IN_SERVICE' })
      .returning('id')
    const { id: deviceId } = await device.executeTakeFirstOrThrow()
    const installed = { deviceId, schoolId: world.first.id, placeId, status: 'ACCEPTED' as const, nextTestDue }
    await world.all.insertInto('schoolDevice').values(installed).execute()
  }
  await sql`insert into device_readiness (device_id, school_id, score, reasons, weights_version)
    select id, school_id, case sn when 'SORT-0001' then 90 else 40 end, '[]', 1
    from device where sn in ('SORT-0001', 'SORT-0002')`.execute(world.all)
  await sql`insert into device_state (device_id, fw)
    select id, case sn when 'SORT-0001' then '1.2' else '1.1' end
    from device where sn in ('SORT-0001', 'SORT-0002')`.execute(world.all)
  const sorted = async (orderBy?: SchoolDeviceQuery['orderBy']) =>
    (await pageInstallations(world.db, world.zhang, { keyword: 'SORT', ...(orderBy && { orderBy }) })).list.map(
      ({ sn }) => Number(sn.at(-1)),
    )
  expect(await sorted()).toEqual([3, 2, 1])
  expect(await sorted('nextTestDue')).toEqual([2, 1, 3])
  expect(await sorted('-nextTestDue')).toEqual([1, 2, 3])
  expect(await sorted('readiness')).toEqual([2, 1, 3])
  expect(await sorted('-readiness')).toEqual([1, 2, 3])
  expect(await sorted('schoolName')).toEqual([1, 2, 3])
  expect(await sorted('-schoolName')).toEqual([3, 2, 1])
  // 2层, 301室, 400层
  expect(await sorted('placePath')).toEqual([3, 2, 1])
  expect(await sorted('-placePath')).toEqual([1, 2, 3])

  const inStore = async (orderBy: DeviceQuery['orderBy']) =>
    (await pageDevices(world.db, world.zhang, { keyword: 'SORT', orderBy })).list.map(({ sn }) => Number(sn.at(-1)))
  expect(await inStore('fw')).toEqual([2, 1, 3])
  expect(await inStore('-fw')).toEqual([1, 2, 3])
  for (const sort of ['modelName', 'schoolName'] as const) expect(await inStore(sort)).toEqual([1, 2, 3])
})

it('names the device that took the place of another, with a link to it for those who see it', async () => {
  const { modelId } = await world.all.selectFrom('device').select('modelId').executeTakeFirstOrThrow()
  const { id: placeId } = await world.all
    .insertInto('place')
    .values({ schoolId: world.first.id, kind: 'ROOM', name: '换机室' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 8, minute))
  const hang = async (sn: string, [from, to]: [number, number | null], schoolId: number | null = world.first.id) => {
    const { id: deviceId } = await world.all
      .insertInto('device')
      .values({ sn, modelId, deptId: world.bureau, schoolId })
      .returning('id')
      .executeTakeFirstOrThrow()
    const time = { validFrom: at(from), validTo: to === null ? null : at(to) }
    const { id: installation } = await world.all
      .insertInto('schoolDevice')
      .values({ deviceId, schoolId: world.first.id, placeId, status: to === null ? 'INSTALLED' : 'REMOVED', ...time })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { deviceId, installation }
  }
  await hang('EX-OTHER', [0, 4], null)
  const old = await hang('EX-OLD', [0, 5], null)
  const spare = await hang('EX-NEW', [5, null])
  const links = async (actor: Actor, deviceId: number) => {
    const [row] = await listInstallations(world.db, actor, deviceId)
    return row && [row.replacesId, row.replacesSn, row.replacedById, row.replacedBySn]
  }
  expect(await links(world.root, old.deviceId)).toEqual([null, null, spare.installation, 'EX-NEW'])
  expect(await links(world.root, spare.deviceId)).toEqual([old.installation, 'EX-OLD', null, null])
  expect(await links(world.zhang, spare.deviceId)).toEqual([null, 'EX-OLD', null, null])
})
