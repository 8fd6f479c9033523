import type { Alarm } from '@tocsin/protocol/alarm'
import { httpKey, signedHeaders } from '@tocsin/protocol/sign'
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import mqtt from 'mqtt'
import { makeInstallation, makeDept, makeDevice, makePlace, makeSchool } from '../../seed/fixtures.ts'
import { openGatewayFixture, type GatewayFixture } from '../../test/gateway-fixture.ts'
import { deriveKey } from '#db/master-key'

// Domain 2.7: each uplink shows that its device is alive; activity of a gateway does not count for its children.

type Made = Awaited<ReturnType<GatewayFixture['device']>>
let fixture: GatewayFixture
const ends: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await fixture.clear()
})
afterAll(() => fixture.close())

let counter = 0
const alarm = (): Alarm => {
  counter += 1
  const eventId = `ALIVE-${String(counter).padStart(14, '0')}`
  return { v: 1, eventId, boot: 1, seq: counter, ts: Date.now(), upMs: 1, mode: 'LIVE', code: 'PANIC' }
}
/** Connects and clears the activity of the connection, so that later messages are the only activity. */
const linked = async (url: string, { id, sn, credential }: Made, productKey = 'panic1') => {
  const client = await mqtt.connectAsync(url, {
    protocolVersion: 4,
    clientId: sn,
    username: `${productKey}/${sn}`,
    password: Buffer.from(credential.secret).toString('base64url'),
    reconnectPeriod: 0,
  })
  client.on('error', () => undefined)
  ends.push(() => client.endAsync(true))
  await expect.poll(() => seenAt(id)).not.toBeNull()
  await forget(id)
  return (channel: string, said: unknown) =>
    client.publishAsync(`ax/v1/${productKey}/${sn}/up/${channel}`, JSON.stringify(said), { qos: 1 })
}
const seenAt = async (id: number) => {
  const text = 'select last_seen_at as at from device_state where device_id = $1'
  return (await fixture.query<{ at: Date | null }>(text, [id]))[0]?.at ?? null
}
const forget = (id: number) => fixture.query('update device_state set last_seen_at = null where device_id = $1', [id])
/** Stopping the gateway writes the buffered activity, whatever the interval since the last write. */
const seenAfter = async (stop: () => Promise<void>, ...devices: { id: number }[]) => {
  await stop()
  return Promise.all(devices.map(async ({ id }) => (await seenAt(id)) !== null))
}

describe('a device is online when it sends only', () => {
  it.each([
    ['alarm', () => alarm()],
    ['alarm', () => ({ not: 'readable' })],
    ['event', () => ({ ...alarm(), code: undefined, kind: 'BOOT' })],
    ['hb', () => ({ v: 1, boot: 1, seq: 1, ts: Date.now(), upMs: 1 })],
    ['reply', () => ({ commandId: 'C-1', state: 'SUCCEEDED' })],
    ['ota', () => ({ rolloutId: 'R1', type: 'FIRMWARE', version: '2', state: 'DOWNLOADED' })],
    ['state', () => ({ online: true, boot: 2, fw: '1', caps: [] })],
  ] as const)('%s', async (channel, said) => {
    const { mqtt: url, stop } = await fixture.gateway()
    const device = await fixture.device()
    await (await linked(url, device))(channel, said())
    expect(await seenAfter(stop, device)).toEqual([true])
  })
})

describe("a gateway's batch", () => {
  it.each([
    ['alarm', () => alarm()],
    ['hb', () => ({ v: 1, boot: 1, seq: 1, ts: Date.now(), upMs: 1 })],
    ['reply', () => ({ commandId: 'C-1', state: 'SUCCEEDED' })],
  ] as const)('with a message of one child, %s, shows activity of that child only', async (type, body) => {
    const { mqtt: url, stop } = await fixture.gateway()
    const parent = await fixture.device({ modelId: await fixture.gatewayModel() })
    const [speaks, silent] = [
      await fixture.device({ gatewayId: parent.id }),
      await fixture.device({ gatewayId: parent.id }),
    ]
    const say = await linked(url, parent, 'gateway1')
    // The batch contains one item of each child.
    await say(
      'sub',
      [speaks, silent].map(({ sn }) => ({ sn, type: 'hb', body: {} })),
    )
    await say('hb', { v: 1, boot: 1, seq: 2, ts: Date.now(), upMs: 1 })
    await say('sub', [{ sn: speaks.sn, type, body: body() }])
    expect(await seenAfter(stop, parent, speaks, silent)).toEqual([true, true, false])
  })

  const ofAnotherSchool = async () => {
    const school = await makeSchool(fixture.db, { eduDeptId: (await makeDept(fixture.db)).id })
    const key = deriveKey(fixture.masterKey, 'device-http-key')
    const { device } = await makeDevice(fixture.db, { modelId: fixture.model.id, deptId: school.deptId, key })
    await makeInstallation(fixture.db, device, await makePlace(fixture.db, { schoolId: school.id }))
    return device
  }
  const movedAway = async (parentId: number) => {
    const [moved, { id }] = [await fixture.device({ gatewayId: parentId }), await ofAnotherSchool()]
    await fixture.query(
      'update device set school_id = there.school_id from device there where device.id = $1 and there.id = $2',
      [moved.id, id],
    )
    return moved
  }
  const ofAnotherGateway = async () =>
    fixture.device({ gatewayId: (await fixture.device({ modelId: await fixture.gatewayModel() })).id })

  it.each([
    ['a device of another school', ofAnotherSchool],
    ['a child that moved to another school', movedAway],
    ['the child of another gateway of the school', ofAnotherGateway],
    ['a device of the school without a gateway', () => fixture.device()],
  ])('that names %s stores no alarm and no activity of that device', async (_, make) => {
    const { mqtt: url, stop } = await fixture.gateway()
    const parent = await fixture.device({ modelId: await fixture.gatewayModel() })
    const foreign = await make(parent.id)
    const say = await linked(url, parent, 'gateway1')
    const press = alarm()
    await say('sub', [
      { sn: foreign.sn, type: 'alarm', body: press },
      { sn: foreign.sn, type: 'hb', body: { v: 1, boot: 1, seq: 1, ts: Date.now(), upMs: 1 } },
      { sn: foreign.sn, type: 'state', body: { online: false, boot: 1 } },
    ])
    expect(await seenAfter(stop, foreign)).toEqual([false])
    expect(await fixture.query('select from signal where device_id = $1', [foreign.id])).toEqual([])
    // The alarm is not lost: it becomes a record at the place of the gateway, in its school.
    const shown = await fixture.query(
      `select r.code, r.school_id as school from warn_record r where r.device_id in ($1, $2)`,
      [parent.id, foreign.id],
    )
    expect(shown).toEqual([{ code: 'UNPARSABLE', school: fixture.school.id }])
  })
})

describe('a request over HTTP that is copied and sent again', () => {
  const sign = ({ credential }: Made, channel: string, message: object) => {
    const path = `/device-api/v1/${channel}`
    const body = Buffer.from(JSON.stringify(message))
    const signed = { method: 'POST', path, nonce: randomBytes(12).toString('base64url'), body }
    const headers = signedHeaders(httpKey(credential.secret), credential, Date.now(), signed)
    return async (http: string) => (await fetch(`${http}${path}`, { method: 'POST', headers, body })).status
  }
  const seenBy = async (device: Made, send: (http: string) => Promise<number>, statuses: number[]) => {
    await forget(device.id)
    const { http, stop } = await fixture.gateway()
    expect(statuses).toContain(await send(http))
    const [seen] = await seenAfter(stop, device)
    return seen
  }
  const beat = (upMs: number) => ({ v: 1, boot: 3, seq: 1, ts: Date.now(), upMs })

  it('does not count as life of the device when it is a heartbeat', async () => {
    const device = await fixture.device()
    const send = sign(device, 'heartbeats', beat(1000))
    expect(await seenBy(device, send, [202])).toBe(true)
    expect(await seenBy(device, send, [202])).toBe(false)
    expect(await seenBy(device, sign(device, 'heartbeats', beat(2000)), [202])).toBe(true)
    expect(await seenBy(device, sign(device, 'heartbeats', { ...beat(1), boot: 4 }), [202])).toBe(true)
    expect(await seenBy(device, send, [202])).toBe(false)
  })

  it('does not count as life of the device when it is an alarm or a reply', async () => {
    const device = await fixture.device()
    const send = sign(device, 'alarms', alarm())
    expect(await seenBy(device, send, [202])).toBe(true)
    expect(await seenBy(device, send, [200])).toBe(false)
    expect(await seenBy(device, sign(device, 'replies', { commandId: 'C1', state: 'ACCEPTED' }), [202])).toBe(false)
  })
})

it('answers an unreadable message on down/error, and logs it with the serial number once a minute', async () => {
  const device = await fixture.device()
  const lines: string[] = []
  const log = { info: () => {}, warn: (text: string) => void lines.push(text), error: () => {} }
  const { mqtt: url } = await fixture.gateway({ log })
  const client = await mqtt.connectAsync(url, {
    protocolVersion: 4,
    clientId: device.sn,
    username: `panic1/${device.sn}`,
    password: Buffer.from(device.credential.secret).toString('base64url'),
  })
  ends.push(() => client.endAsync(true))
  const errors: unknown[] = []
  client.on('message', (_topic, bytes) => errors.push(JSON.parse(bytes.toString())))
  await client.subscribeAsync(`ax/v1/panic1/${device.sn}/down/error`, { qos: 1 })
  const heartbeat = JSON.stringify({ v: 1, boot: 1, seq: 1, ts: 1, upMs: 'long' })
  for (const channel of ['hb', 'hb', 'reply'])
    await client.publishAsync(`ax/v1/panic1/${device.sn}/up/${channel}`, heartbeat, { qos: 1 })
  const value = { channel: 'hb', reason: 'WRONG_SHAPE', field: 'upMs' }
  await expect.poll(() => errors).toEqual([value])
  const named = lines.filter((line) => line.includes(`device ${device.sn} sent an unreadable`))
  expect(named).toEqual([expect.stringContaining('up/hb: WRONG_SHAPE at upMs')])
})
