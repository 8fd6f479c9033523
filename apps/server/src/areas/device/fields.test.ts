import { commandTypes } from '@tocsin/contract/device/model'
import { devices } from '@tocsin/contract/device/device'
import { schoolDevices } from '@tocsin/contract/device/school-device'
import type { Endpoint } from '@tocsin/contract/endpoint'
import { places } from '@tocsin/contract/school/place'
import { CommandType } from '@tocsin/protocol/command'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeInstallation, makeDept, makeDevice, makeModel, makePlace } from '../../../seed/fixtures.ts'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { type AlarmFixture, openAlarmFixture } from '../../../test/alarm-fixture.ts'
import { placeRoutes } from '#areas/school/place'
import { configureFileStore } from '#areas/files/file-store'
import { folderStore } from '#store/folder'
import { deviceRoutes } from './device.ts'
import { schoolDeviceRoutes } from './school-device.ts'
import type { Row } from '#db/tables'

let world: AlarmFixture
let models: Record<'panic' | 'gateway' | 'camera' | 'mains', number>
let room: Row<'place'>
const key = randomBytes(32)

beforeAll(async () => {
  world = await openAlarmFixture()
  configureFileStore({ store: folderStore(tmpdir()), linkKey: randomBytes(32), sheets: tmpdir() })
  const made = async (given: Parameters<typeof makeModel>[1]) => (await makeModel(world.db, given)).id
  models = {
    panic: await made({ power: 'BATTERY', alarmCodes: ['PANIC'] }),
    gateway: await made({ kind: 'GATEWAY' }),
    camera: await made({ kind: 'CAMERA' }),
    mains: await made({}),
  }
  room = await makePlace(world.db, { schoolId: world.first.id, name: '301室' })
})
afterAll(() => world.end())

const device = async (given: Partial<Parameters<typeof makeDevice>[1]> = {}) =>
  (
    await makeDevice(world.db, {
      modelId: models.panic,
      deptId: world.first.deptId,
      schoolId: world.first.id,
      key,
      ...given,
    })
  ).device
const call = async (endpoint: Endpoint, query: object, actor = world.root) => {
  const { db } = world
  const routes = [...deviceRoutes({ db }), ...schoolDeviceRoutes({ db }), ...placeRoutes({ db })]
  const answer = await routes.find((route) => route.endpoint === endpoint)?.handle({ actor, query } as never)
  return z.encode(endpoint.data, answer as never) as never
}
const get = async (id: number): Promise<Record<string, unknown>> => call(devices.get, { id })

it('has the commands of the wire protocol in models', () => {
  expect([...commandTypes]).toEqual(CommandType.options)
})

describe('a gateway of a device', () => {
  it('is named in list and detail', async () => {
    const parent = await device({ modelId: models.gateway })
    const child = await device({ gatewayId: parent.id })
    expect(await get(child.id)).toMatchObject({ gatewayId: parent.id, gatewaySn: parent.sn })
    const page: { list: unknown[] } = await call(devices.page, { keyword: child.sn })
    expect(page.list).toMatchObject([{ gatewaySn: parent.sn }])
  })

  it('rejects another kind, a device of another tree outside of the school, and the device itself', async () => {
    const button = await device()
    const police = await makeDept(world.db, { kind: 'POLICE_BUREAU' })
    const foreign = await device({ modelId: models.gateway, deptId: police.id, schoolId: world.second.id })
    const own = await device({ modelId: models.gateway })
    for (const gatewayId of [button.id, foreign.id, 987_654_321])
      await expect(device({ gatewayId })).rejects.toMatchObject({ code: '23503', constraint: 'device_gateway_fkey' })
    const itself = world.all.updateTable('device').set({ gatewayId: own.id }).where('id', '=', own.id).execute()
    await expect(itself).rejects.toMatchObject({ constraint: 'device_gateway_other' })
  })

  it('may belong to another owner, like an operator, when it is at the school', async () => {
    const operator = await makeDept(world.db, { kind: 'OPERATOR_CO' })
    const { id: gatewayId } = await device({ modelId: models.gateway, deptId: operator.id, schoolId: world.first.id })
    const child = await device({ gatewayId, schoolId: world.first.id })
    expect(await get(child.id)).toMatchObject({ gatewayId })
  })
})

describe('cameras', () => {
  it('are listed by name beside a place and an installation, in the written order, while they belong to the school', async () => {
    const [first, second] = [await device({ modelId: models.camera }), await device({ modelId: models.camera })]
    const cameraIds = [second.id, first.id]
    await world.all.updateTable('place').set({ cameraIds }).where('id', '=', room.id).execute()
    const installed = await makeInstallation(world.db, await device(), room)
    await world.all.updateTable('schoolDevice').set({ cameraIds }).where('id', '=', installed.id).execute()
    const named = [{ sn: second.sn }, { sn: first.sn }]
    expect(await call(places.list, { schoolId: world.first.id })).toMatchObject([{ cameraIds, cameras: named }])
    expect(await call(schoolDevices.get, { id: installed.id })).toMatchObject({ cameras: named, photos: [] })
    await world.all.updateTable('device').set({ schoolId: world.second.id }).where('id', '=', second.id).execute()
    expect(await call(schoolDevices.get, { id: installed.id })).toMatchObject({ cameras: [{ sn: first.sn }] })
  })

  it('reject cameras of another school, and other devices', async () => {
    const foreign = await device({ modelId: models.camera, schoolId: world.second.id })
    for (const { id } of [foreign, await device()]) {
      const written = world.all
        .updateTable('place')
        .set({ cameraIds: [id] })
        .where('id', '=', room.id)
        .execute()
      await expect(written).rejects.toMatchObject({ code: '23503', constraint: 'place_cameras' })
    }
  })
})

it('returns photographs of an installation as links to stored files', async () => {
  const installed = await makeInstallation(world.db, await device(), room)
  const { id: fileId } = await world.all
    .insertInto('file')
    .values({
      name: '安装.webp',
      type: 'image/webp',
      size: 1,
      sha256: randomBytes(32),
      purpose: 'LIBRARY',
      ownerId: world.root.userId,
      ownerName: 'root',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await world.db.insertInto('fileUse').values({ subject: 'schoolDevice', subjectId: installed.id, fileId }).execute()
  const shown: { photos: { url: string }[] } = await call(schoolDevices.get, { id: installed.id })
  expect(shown.photos).toMatchObject([{ id: fileId, name: '安装.webp' }])
  expect(shown.photos[0]?.url).toContain(`/infra/file/${fileId}?`)
})

describe('remaining days of a battery', () => {
  const DAY = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * DAY)
  const drained = async (state: object, modelId = models.panic) => {
    const { id } = await device({ modelId })
    await world.all.updateTable('deviceState').set(state).where('deviceId', '=', id).execute()
    return (await get(id))['batteryDaysLeft']
  }
  const tenInFive = { batteryFromPct: 80, batteryFromAt: ago(5), batteryPct: 70, lastHeartbeatAt: ago(0) }

  it('follow from the discharge since the measuring started again', async () => {
    expect(await drained(tenInFive)).toBeGreaterThanOrEqual(34)
    expect(await drained(tenInFive)).toBeLessThanOrEqual(35)
  })

  it('decrease while no reading arrives, and never below zero', async () => {
    const silent = { ...tenInFive, batteryFromAt: ago(15), lastHeartbeatAt: ago(10) }
    expect(await drained(silent)).toBe(24)
    expect(await drained({ ...silent, batteryFromAt: ago(205), lastHeartbeatAt: ago(200) })).toBe(0)
  })

  it('are unknown before a day has passed or two percent are gone, without readings, and on mains power', async () => {
    expect(await drained({ ...tenInFive, batteryFromAt: ago(0.5) })).toBeNull()
    expect(await drained({ ...tenInFive, batteryPct: 79 })).toBeNull()
    expect(await drained({ batteryPct: 70 })).toBeNull()
    // A reading with an earlier format.
    expect(await drained({ ...tenInFive, batteryPct: -2_147_483_648 })).toBeNull()
    expect(await drained(tenInFive, models.mains)).toBeNull()
  })
})

it('derives health from the health records that are open now', async () => {
  const { id } = await device()
  const at = { deptId: world.first.deptId, schoolId: world.first.id, deviceId: id, class: 'DEVICE_HEALTH' as const }
  await makeRecord(world.db, { ...at, code: 'BATTERY_LOW' })
  await makeRecord(world.db, { ...at, code: 'TAMPER', condition: 'RECOVERED' })
  await makeRecord(world.db, { ...at, code: 'FAULT', state: 'CLOSED' })
  await makeRecord(world.db, { ...at, code: 'PANIC', class: 'PANIC' })
  expect(await get(id)).toMatchObject({ healthFlags: ['BATTERY_LOW'] })
})

describe('an installed panic device', () => {
  const at = async (schoolId: number, modelId = models.panic) => {
    const place = await makePlace(world.db, { schoolId })
    const made = await device({ modelId, schoolId })
    await makeInstallation(world.db, made, place)
    return (await get(made.id))['lacks']
  }
  const recruit = async (deptId: number) => {
    const { id: roleId } = await world.db
      .insertInto('role')
      .values({ code: 'taker', name: 'taker', dataScope: 'DEPT' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: menuId } = await world.db
      .insertInto('menu')
      .values({ type: 'BUTTON', name: 'claim', nameEn: 'claim', permission: 'warn:record:claim' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await world.db.insertInto('roleMenu').values({ roleId, menuId }).execute()
    const { userId } = world.li
    await world.all.updateTable('users').set({ deptId }).where('id', '=', userId).execute()
    await world.db.insertInto('userRole').values({ userId, roleId }).execute()
    return { userId, roleId, menuId }
  }

  it('shows that its alarm reaches no station or no user of the school', async () => {
    expect(await at(world.first.id)).toEqual(['RECIPIENT'])
    expect(await at(world.second.id)).toEqual(['POLICE_STATION', 'RECIPIENT'])
    expect(await at(world.second.id, models.mains)).toEqual([])
    expect((await get((await device({ schoolId: world.second.id })).id))['lacks']).toEqual([])
    const { userId, roleId, menuId } = await recruit(world.first.deptId)
    expect(await at(world.first.id)).toEqual([])
    expect(await at(world.second.id)).toEqual(['POLICE_STATION', 'RECIPIENT'])
    const scope = (dataScope: 'SELF' | 'DEPT') =>
      world.db.updateTable('role').set({ dataScope }).where('id', '=', roleId).execute()
    await scope('SELF')
    expect(await at(world.first.id)).toEqual(['RECIPIENT'])
    await scope('DEPT')
    const { id: parentId } = await world.db
      .insertInto('menu')
      .values({ type: 'DIR', name: 'off', nameEn: 'off', enabled: false })
      .returning('id')
      .executeTakeFirstOrThrow()
    const under = (parent: number | null) =>
      world.db.updateTable('menu').set({ parentId: parent }).where('id', '=', menuId).execute()
    await under(parentId)
    expect(await at(world.first.id)).toEqual(['RECIPIENT'])
    await under(null)
    expect(await at(world.first.id)).toEqual([])
    await world.all.updateTable('users').set({ enabled: false }).where('id', '=', userId).execute()
    expect(await at(world.first.id)).toEqual(['RECIPIENT'])
  })
})
