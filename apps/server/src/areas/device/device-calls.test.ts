import { codes } from '@tocsin/contract/codes'
import { TEST_INTERVAL_DAYS } from '@tocsin/contract/device/button-test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstallation } from '../../../seed/fixtures.ts'
import { makeRecord } from '../../../seed/record-fixtures.ts'
import { errorFields, pageIn } from '../../../test/admin-server.ts'
import {
  type DeviceCallsServer,
  makePress,
  type RegisteredDevice,
  startDeviceCallsServer,
} from '../../../test/device-calls-server.ts'

// What a device sends belongs to a place, a time and a secret: whole stories by the calls of users and devices.

let world: DeviceCallsServer
beforeAll(async () => {
  world = await startDeviceCallsServer()
})
afterAll(() => world.close())

const D = '/device/device'
const S = '/device/school-device'
const T = '/device/test'
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const rotate = (id: number, more: object = {}) => world.actAs('admin', `${D}/rotate-secret`, id, more)
const mount = async ({ id }: RegisteredDevice, school: 0 | 1 = 0) => {
  const answer = await world.as('maintainer', 'POST', `${S}/mount`, { deviceId: id, placeId: world.places[school] })
  expect(answer.code).toBe(200)
  return Number(answer.data)
}
/** In service at a school; only about a device whose acceptance is not the subject. */
const inService = async (device: RegisteredDevice, school: 0 | 1 = 0) =>
  (await makeInstallation(world.site.db, device, { id: world.places[school], schoolId: world.schools[school] })).id
const signalOf = (eventId: string) =>
  world.all.selectFrom('signal').selectAll().where('eventId', '=', eventId).executeTakeFirstOrThrow()
const clockOf = (deviceId: number) =>
  world.all
    .selectFrom('deviceState')
    .select(['skewMs', 'skewBoot'])
    .where('deviceId', '=', deviceId)
    .executeTakeFirstOrThrow()

/** Connected, and known to have a right clock. */
const connectWithRightClock = async (device: RegisteredDevice) => {
  const link = await world.connect(device, device.secret)
  await link.publish('alarm', makePress('CANCEL'))
  await expect.poll(() => clockOf(device.id)).toMatchObject({ skewMs: expect.closeTo(0, -4), skewBoot: 1 })
  return link
}

describe('the secrets of a device', () => {
  it('accept the one in use until its day has passed, however often others are issued', async () => {
    const device = await world.device('CASE-0001')
    expect((await rotate(device.id)).code).toBe(200)
    expect((await rotate(device.id)).code).toBe(codes.secretUnused.code)
    expect((await rotate(device.id, { force: true })).code).toBe(200)
    const link = await world.connect(device, device.secret)
    expect(link.client.connected).toBe(true)
    expect(await world.sendAlarm(device, device.secret, makePress())).toBe(202)
    await world.pool.query(
      `update device_credential set expires_at = expires_at - interval '24 hours' where device_id = $1`,
      [device.id],
    )
    expect(await world.sendAlarm(device, device.secret, makePress())).toBe(401)
  })

  it('end a connection with its own secret, although a newer one is valid', async () => {
    const device = await world.device('CASE-0002')
    const link = await world.connect(device, device.secret)
    const closed = new Promise<void>((done) => link.client.once('close', () => done()))
    const { data } = await rotate(device.id)
    await world.pool.query(
      `update device_credential set expires_at = now() where device_id = $1 and expires_at is not null`,
      [device.id],
    )
    await closed
    expect((await world.connect(device, String(data['secret']))).client.connected).toBe(true)
  })
})

describe('the time of a press', () => {
  it('is before the window of a test when a right clock says so', async () => {
    const device = await world.device('CASE-0003')
    await inService(device)
    const link = await connectWithRightClock(device)
    const window = { windowFrom: Date.now() - 1000, windowTo: Date.now() + 60 * MINUTE_MS }
    const { data } = await world.as('safety1', 'POST', `${T}/create`, { schoolId: world.schools[0], ...window })
    expect((await world.actAs('safety1', `${T}/tell`, Number(data))).code).toBe(200)
    const earlier = makePress('PANIC', { ts: Date.now() - 6 * MINUTE_MS })
    await link.publish('alarm', earlier)
    expect(await signalOf(earlier.eventId)).toMatchObject({ mode: 'LIVE', occurredAt: new Date(earlier.ts) })
    expect((await clockOf(device.id)).skewMs).toBeGreaterThan(-1000)
    const plan = (await world.as('safety1', 'GET', `${T}/get?id=${Number(data)}`)).data
    expect(plan).toMatchObject({ passed: 0 })
    // A press of this moment is the one of the test, once the alarm of the button has ended.
    await world.pool.query(`update warn_record set state = 'CLOSED' where device_id = $1`, [device.id])
    const expected = makePress()
    await link.publish('alarm', expected)
    expect(await signalOf(expected.eventId)).toMatchObject({ mode: 'TEST' })
    await world.pool.query('update test_plan set closed_at = now() where id = $1', [Number(data)])
  })

  it('is that of a right clock when the message is late, which does not change what is known of the clock', async () => {
    const device = await world.device('CASE-0004')
    await inService(device)
    const link = await connectWithRightClock(device)
    const repeat = makePress('PANIC', { ts: Date.now() - 20 * MINUTE_MS })
    await link.publish('alarm', repeat)
    expect(await signalOf(repeat.eventId)).toMatchObject({ occurredAt: new Date(repeat.ts), late: true })
    const replay = makePress('PANIC', { ts: Date.now() - 30 * MINUTE_MS, replay: true })
    await link.publish('alarm', replay)
    expect(await signalOf(replay.eventId)).toMatchObject({ occurredAt: new Date(replay.ts), late: true })
    expect((await clockOf(device.id)).skewMs).toBeGreaterThan(-1000)
  })
})

describe('the acceptance of an installation', () => {
  it.each([
    ['a cancel', 'CASE-0006', 'CANCEL', {}],
    ['a press of three days ago', 'CASE-0061', 'PANIC', { replay: true, ts: Date.now() - 3 * DAY_MS }],
    ['a code that its model has not', 'CASE-0062', 'MEDICAL', {}],
  ] as const)('is refused after %s', async (_what, sn, code, more) => {
    const device = await world.device(sn)
    const id = await mount(device)
    expect(await world.sendAlarm(device, device.secret, makePress(code, more))).toBe(202)
    expect((await world.actAs('guard1', `${S}/accept`, id)).code).toBe(codes.notProven.code)
  })

  it('is refused after a press of an unknown boot that is sent again, whatever its time', async () => {
    const device = await world.device('CASE-0063')
    const id = await mount(device)
    const link = await world.connect(device, device.secret)
    await link.publish('alarm', makePress('PANIC', { boot: 9, replay: true, ts: Date.now() + 1000 }))
    expect((await world.actAs('guard1', `${S}/accept`, id)).code).toBe(codes.notProven.code)
  })

  it('follows a press, whose day in the zone of the installation decides when the next test is due', async () => {
    const device = await world.device('CASE-0007')
    const id = await mount(device)
    expect(await world.sendAlarm(device, device.secret, makePress())).toBe(202)
    expect((await world.actAs('guard1', `${S}/accept`, id)).code).toBe(200)
    const { rows } = await world.pool.query(
      `select next_test_due - (last_test_at at time zone 'Asia/Shanghai')::date as days from school_device where id = $1`,
      [id],
    )
    expect(rows).toEqual([{ days: TEST_INTERVAL_DAYS }])
    const overdue = async () =>
      pageIn(await world.as('guard1', 'GET', `${S}/page?testOverdue=true&keyword=CASE-0007`)).total
    const today = `(now() at time zone 'Asia/Shanghai')::date`
    await world.pool.query(`update school_device set next_test_due = ${today} - 1 where id = $1`, [id])
    expect(await overdue()).toBe(1)
    await world.pool.query(`update school_device set next_test_due = ${today} where id = $1`, [id])
    expect(await overdue()).toBe(0)
  })
})

describe('a device that leaves its school', () => {
  const text = '一年级请到操场集合'
  const speak = (deviceId: number, reason?: string) =>
    world.as('admin', 'POST', '/device/command/create', { deviceId, type: 'PLAY_TTS', text, reason })
  /** What a device receives on a new connection, until the receipt of a press that it sends then. */
  const receivedOnConnect = async (device: RegisteredDevice, secret = device.secret) => {
    const link = await world.connect(device, secret)
    await link.subscribe()
    const press = makePress()
    await link.publish('alarm', press)
    await expect.poll(() => link.received.map(({ message }) => message['eventId'])).toContain(press.eventId)
    return link.received.map(({ channel }) => channel)
  }

  it('is not told a sentence of the old school at the new one', async () => {
    const device = await world.device('CASE-0008', 'voice')
    const first = await mount(device)
    const { data: commandId } = await speak(device.id)
    expect((await world.actAs('maintainer', `${S}/remove`, first)).code).toBe(200)
    await mount(device, 1)
    expect(await receivedOnConnect(device)).toEqual(['ack'])
    const command = (await world.as('admin', 'GET', `/device/command/get?id=${Number(commandId)}`)).data
    expect(command).toMatchObject({ state: 'CANCELLED', endReason: 'REMOVED' })
  })

  it('is not told a sentence when it was lost, and takes no new one', async () => {
    const device = await world.device('CASE-0081', 'voice')
    await mount(device)
    const { data: commandId } = await speak(device.id)
    expect((await world.actAs('maintainer', `${D}/lost`, device.id, { reason: '丢失' })).code).toBe(200)
    await expect(world.connect(device, device.secret)).rejects.toThrow('Not authorized')
    const command = (await world.as('admin', 'GET', `/device/command/get?id=${Number(commandId)}`)).data
    expect(command).toMatchObject({ state: 'CANCELLED', endReason: 'LOST' })
    expect((await speak(device.id)).code).toBe(codes.commandLost.code)
    const found = await world.actAs('admin', `${D}/found`, device.id)
    expect(found.code).toBe(200)
    const { data } = await rotate(device.id)
    expect(await receivedOnConnect(device, String(data['secret']))).toEqual(['ack'])
  })

  it('leaves reasons, texts and names with the old school, which reads them on', async () => {
    const device = await world.device('CASE-0009', 'voice')
    const first = await mount(device)
    await world.sendAlarm(device, device.secret, makePress())
    expect((await world.actAs('guard1', `${S}/accept`, first)).code).toBe(200)
    const { data: commandId } = await speak(device.id, '升旗')
    const until = Date.now() + DAY_MS
    expect((await world.actAs('school1', `${S}/suspend`, first, { reason: '教室装修', until })).code).toBe(200)
    expect((await world.actAs('maintainer', `${S}/remove`, first, { reason: '换校' })).code).toBe(200)
    await mount(device, 1)
    const list = await world.as('school3', 'GET', `/device/command/list?deviceId=${device.id}`)
    expect(list).toMatchObject({ code: 200, data: [] })
    const history = await world.as('school3', 'GET', `${D}/history?id=${device.id}`)
    expect(history.code).toBe(200)
    expect(JSON.stringify(history.data)).not.toMatch(/教室装修|换校/)
    expect((await world.as('school3', 'GET', `/device/command/get?id=${Number(commandId)}`)).code).toBe(
      codes.notFound.code,
    )
    const own = await world.as('school1', 'GET', `/device/command/get?id=${Number(commandId)}`)
    expect(own.data).toMatchObject({ reason: '升旗', payload: { text } })
  })

  it('ends its open records of offline devices as recovered, and says so in them', async () => {
    const device = await world.device('CASE-0011')
    const installationId = await inService(device)
    const { id } = await makeRecord(world.site.db, {
      deviceId: device.id,
      schoolId: world.schools[0],
      deptId: world.here.deptId,
      class: 'DEVICE_HEALTH',
      code: 'OFFLINE',
    })
    await world.actAs('maintainer', `${S}/remove`, installationId)
    expect((await world.actAs('maintainer', `${D}/retire`, device.id, { reason: '报废' })).code).toBe(200)
    const record = world.all.selectFrom('warnRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(await record).toMatchObject({ state: 'RESOLVED', condition: 'RECOVERED', disposition: 'AUTO_RECOVERED' })
    const log = world.all
      .selectFrom('warnLog')
      .select('payload')
      .where('recordId', '=', id)
      .where('verb', '=', 'recover')
    expect(await log.execute()).toEqual([{ payload: expect.objectContaining({ reason: 'DEVICE_REMOVED' }) }])
  })
})

describe('a gateway', () => {
  const attach = (id: number, gatewayId: number) =>
    world.all
      .selectFrom('device')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
      .then(({ version }) => world.as('admin', 'PUT', `${D}/update`, { id, version, gatewayId }))
  const gatewayOf = async (id: number) =>
    (await world.all.selectFrom('device').select('gatewayId').where('id', '=', id).executeTakeFirstOrThrow()).gatewayId

  it('is refused at another school, in a loop, and when it was retired', async () => {
    const gateway = await world.device('CASE-G3', 'gateway')
    await inService(gateway, 1)
    const child = await world.device('CASE-K1')
    await inService(child)
    expect(errorFields(await attach(child.id, gateway.id))).toEqual(['gatewayId'])
    const [upper, lower] = [await world.device('CASE-G4', 'gateway'), await world.device('CASE-G5', 'gateway')]
    await inService(upper)
    await inService(lower)
    expect((await attach(lower.id, upper.id)).code).toBe(200)
    expect(errorFields(await attach(upper.id, lower.id))).toEqual(['gatewayId'])
    const retired = await world.device('CASE-G6', 'gateway')
    await world.actAs('maintainer', `${D}/retire`, retired.id, { reason: '报废' })
    expect(errorFields(await attach(child.id, retired.id))).toEqual(['gatewayId'])
  })

  it('passes the press of a child on to the place of the child', async () => {
    const gateway = await world.device('CASE-G7', 'gateway')
    await inService(gateway)
    const child = await world.device('CASE-K7')
    const place = { id: world.placeIds[1], schoolId: world.schools[0] }
    await makeInstallation(world.site.db, child, place)
    expect((await attach(child.id, gateway.id)).code).toBe(200)
    const link = await world.connect(gateway, gateway.secret)
    await link.publish('sub', [{ sn: child.sn, type: 'alarm', body: makePress() }])
    const records = world.all.selectFrom('warnRecord').select(['code', 'placeId']).where('deviceId', '=', child.id)
    expect(await records.execute()).toEqual([{ code: 'PANIC', placeId: place.id }])
  })

  it('is removed and retired only after its children were named, and they leave it', async () => {
    const gateway = await world.device('CASE-G8', 'gateway')
    const installationId = await inService(gateway)
    const child = await world.device('CASE-K8')
    await inService(child)
    await attach(child.id, gateway.id)
    const named = { code: codes.gatewayHasChildren.code, msg: expect.stringContaining('CASE-K8') }
    expect(await world.actAs('maintainer', `${S}/remove`, installationId)).toMatchObject(named)
    expect((await world.actAs('maintainer', `${S}/remove`, installationId, { withChildren: true })).code).toBe(200)
    expect(await gatewayOf(child.id)).toBeNull()
  })
})

describe('a command that a device received without an answer', () => {
  it('is sent again on its next connection', async () => {
    const device = await world.device('CASE-0021', 'voice')
    await inService(device)
    const first = await world.connect(device, device.secret)
    await first.subscribe()
    const { code } = await world.as('admin', 'POST', '/device/command/create', { deviceId: device.id, type: 'REBOOT' })
    expect(code).toBe(200)
    await expect.poll(() => first.received.map(({ channel }) => channel)).toEqual(['cmd'])
    await first.client.endAsync()
    const second = await world.connect(device, device.secret)
    await second.subscribe()
    await expect.poll(() => second.received).toEqual(first.received)
    await second.publish('reply', { commandId: first.received[0]?.message['commandId'], state: 'ACCEPTED' })
    const pending = world.all.selectFrom('deviceOutbox').select('key').where('deviceId', '=', device.id)
    await expect.poll(() => pending.execute()).toEqual([])
  })
})
