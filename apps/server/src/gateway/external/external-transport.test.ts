import { Aedes, type AedesOptions } from 'aedes'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { metrics } from '#metrics'
import { embedded, openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'
import { runMosquitto } from '../../../test/mosquitto.ts'
import { freePort } from '../../../../../tools/fault/port.ts'
import { deriveBrokerSecret } from '../gateway.ts'
import { SERVER_ACCOUNT } from '../http/broker-auth.ts'
import { writeMosquittoConfig } from './mosquitto-config.ts'

type Made = Awaited<ReturnType<GatewayFixture['device']>>
let fixture: GatewayFixture
const ends: (() => Promise<unknown> | unknown)[] = []
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(async () => {
  await fixture.clear()
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(() => fixture.close())

const startMosquitto = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-mosquitto-'))
  ends.push(() => rm(folder, { recursive: true }))
  const at = async () => ({ host: '127.0.0.1', port: await freePort() })
  const [listener, servers] = [await at(), await at()]
  const password = deriveBrokerSecret(fixture.masterKey, 'broker-password')
  const { deviceCount: count } = await writeMosquittoConfig({ db: fixture.db, folder, password, listener, servers })
  const { said, kill } = await runMosquitto(folder)
  ends.push(() => kill())
  const config = { ...embedded, mqttUrl: `mqtt://${SERVER_ACCOUNT}:${password}@127.0.0.1:${servers.port}` }
  return { config, folder, count, url: `mqtt://127.0.0.1:${listener.port}`, said }
}

it('stores alarms from mosquitto, and sends receipts and commands to the device', async () => {
  const device = await fixture.device()
  const { config, url } = await startMosquitto()
  const { isHealthy: works } = await fixture.gateway({ config })
  await expect.poll(works).toBe(true)
  const commands: string[] = []
  const fleet = fixture.fleet({
    devices: [device.credential],
    mqtt: url,
    onCommand: (_sn, { commandId }) => commands.push(commandId),
  })
  await fleet.connected()
  fleet.press(device.sn)
  await expect.poll(fleet.unsent).toBe(0)
  const [record] = await fixture.query('select code from warn_record where device_id = $1', [device.id])
  expect(record).toEqual({ code: 'PANIC' })
  await fixture.command(device.id, 'C1')
  await expect.poll(() => commands).toEqual(['C1'])
  const waiting = () => fixture.query('select key from device_outbox where device_id = $1', [device.id])
  await expect.poll(waiting).toEqual([])
})

it('keeps all server connections when they share one username, and each device to its own name', async () => {
  const { config, said, url } = await startMosquitto()
  const [first, second] = [await fixture.gateway({ config }), await fixture.gateway({ config })]
  await expect.poll(() => first.isHealthy() && second.isHealthy()).toBe(true)
  const connections = () => new Set(said().match(/as tocsin-[0-9a-f]{16}/g)).size
  await expect.poll(connections).toBe(16)
  const device = await fixture.device()
  expect(said()).not.toContain('already connected')
  // A device cannot connect with the client id of a server.
  const [foreign] = said().match(/(?<=as )tocsin-[0-9a-f]{16}/) ?? []
  await expect(
    mqtt.connectAsync(url, { protocolVersion: 4, clientId: String(foreign), username: `panic1/${device.sn}` }),
  ).rejects.toThrow()
  expect(first.isHealthy() && second.isHealthy()).toBe(true)
  expect(said()).not.toContain('already connected')
})

it('acknowledges after the commit, and stores an unreadable message once', async () => {
  const device = await fixture.device()
  const { config, url } = await startMosquitto()
  const { isHealthy: works } = await fixture.gateway({ config })
  await expect.poll(works).toBe(true)
  const client = await mqtt.connectAsync(url, {
    protocolVersion: 4,
    username: `panic1/${device.sn}`,
    password: Buffer.from(device.credential.secret).toString('base64url'),
  })
  ends.push(() => client.endAsync(true))
  const say = (text: string) => client.publishAsync(`ax/v1/panic1/${device.sn}/up/alarm`, text, { qos: 1 })
  const kept = async () =>
    (await fixture.query<{ raw: Buffer }>('select raw from signal where device_id = $1 order by id', [device.id])).map(
      ({ raw }) => raw.toString(),
    )
  const blocker = await fixture.owner.connect()
  await blocker.query('begin; lock table signal in exclusive mode')
  await say('poison 1')
  const isBlocked = () => fixture.query(`select 1 from pg_locks where not granted and relation = 'signal'::regclass`)
  await expect.poll(isBlocked).not.toEqual([])
  expect((await metrics.pendingBytes.get()).values[0]?.value).toBeGreaterThan(1024)
  await blocker.query('commit')
  blocker.release()
  await expect.poll(kept).toEqual(['poison 1'])
  for (const text of ['poison 2', 'poison 3']) await say(text)
  await expect.poll(kept).toHaveLength(3)
  const [counted] = await fixture.query('select occurrence_count as n from warn_record where device_id = $1', [
    device.id,
  ])
  expect(counted).toEqual({ n: 3 })
})

const birth = JSON.stringify({ online: true, boot: 7, fw: '1', caps: [] })

it('reaches the children of a gateway through it with their serial number', async () => {
  const parent = await fixture.device({ modelId: await fixture.gatewayModel() })
  const child = await fixture.device({ gatewayId: parent.id })
  const { config, url } = await startMosquitto()
  const { isHealthy: works } = await fixture.gateway({ config })
  await expect.poll(works).toBe(true)
  const root = `ax/v1/gateway1/${parent.sn}`
  const client = await mqtt.connectAsync(url, {
    protocolVersion: 4,
    username: `gateway1/${parent.sn}`,
    password: Buffer.from(parent.credential.secret).toString('base64url'),
  })
  ends.push(() => client.endAsync(true))
  const items: { topic: string; said: unknown }[] = []
  client.on('message', (topic, bytes) => items.push({ topic, said: JSON.parse(bytes.toString()) }))
  await client.subscribeAsync(`${root}/down/#`, { qos: 1 })
  const pass = (type: string, body: object) =>
    client.publishAsync(`${root}/up/sub`, JSON.stringify([{ sn: child.sn, type, body }]), { qos: 1 })
  const eventId = 'OF-A-CHILD-0000001'
  const press = { v: 1, eventId, boot: 1, seq: 1, ts: Date.now(), upMs: 1, mode: 'LIVE', code: 'PANIC' }
  await pass('alarm', press)
  const receipt = { eventId, stage: 'accepted', recordNo: expect.any(String), sn: child.sn }
  await expect.poll(() => items).toContainEqual({ topic: `${root}/down/ack`, said: receipt })
  const away = await fixture.device({ gatewayId: parent.id })
  const waiting = { deviceId: away.id, channel: 'config', key: 'v2', payload: { cfgVer: 2 } } as const
  await fixture.db.insertInto('deviceOutbox').values(waiting).execute()
  await fixture.command(child.id, 'C1')
  const command = { topic: `${root}/down/cmd`, said: expect.objectContaining({ commandId: 'C1', sn: child.sn }) }
  await expect.poll(() => items).toContainEqual(command)
  // A child that was disconnected receives again what it has not answered.
  items.length = 0
  await pass('state', { online: true, boot: 2, fw: '1', caps: [] })
  await expect.poll(() => items).toContainEqual(command)
  // The same for a child whose gateway was disconnected; a disconnected child keeps waiting.
  items.length = 0
  await client.publishAsync(`${root}/up/state`, birth, { qos: 1 })
  await expect.poll(() => items).toContainEqual(command)
  expect(items).not.toContainEqual(expect.objectContaining({ topic: `${root}/down/config` }))
  await pass('reply', { commandId: 'C1', state: 'SUCCEEDED' })
  await expect.poll(() => fixture.query('select 1 from device_outbox where device_id = $1', [child.id])).toEqual([])
})

const seen = async (id: number) =>
  (
    await fixture.query<{ at: Date | null }>('select last_seen_at as at from device_state where device_id = $1', [id])
  )[0]?.at ?? null

/** Starts a server, lets another device send, and returns whether this device counts as alive. */
const livesForNewcomer = async (at: { mqttUrl: string; url: string }, device: Made, another: Made) => {
  await fixture.query('update device_state set last_seen_at = null where device_id = $1', [device.id])
  const { isHealthy: works, stop } = await fixture.gateway({ config: { ...embedded, mqttUrl: at.mqttUrl } })
  await expect.poll(works).toBe(true)
  const fleet = fixture.fleet({ devices: [another.credential], mqtt: at.url })
  await fleet.connected()
  fleet.press(another.sn)
  await expect.poll(fleet.unsent).toBe(0)
  // Stopping the server writes the buffered activity.
  await stop()
  return (await seen(device.id)) !== null
}

it('accepts the retain bit and QoS 2, and ignores a retained birth', async () => {
  const [device, another] = [await fixture.device(), await fixture.device()]
  const { config, url } = await startMosquitto()
  const { isHealthy: works, stop } = await fixture.gateway({ config })
  await expect.poll(works).toBe(true)
  const root = `ax/v1/panic1/${device.sn}/up`
  const client = await mqtt.connectAsync(url, {
    protocolVersion: 4,
    username: `panic1/${device.sn}`,
    password: Buffer.from(device.credential.secret).toString('base64url'),
    reconnectPeriod: 0,
    will: { topic: `${root}/state`, payload: Buffer.from('{"online":false,"boot":7}'), qos: 2, retain: true },
  })
  ends.push(() => client.endAsync(true))
  const press = { v: 1, eventId: 'AT-QOS-2-00000001', boot: 7, seq: 1, ts: 1, upMs: 1, mode: 'LIVE', code: 'PANIC' }
  await client.publishAsync(`${root}/state`, birth, { qos: 1, retain: true })
  await client.publishAsync(`${root}/alarm`, JSON.stringify(press), { qos: 2 })
  const counted = () => fixture.query('select code from warn_record where device_id = $1', [device.id])
  await expect.poll(counted).toEqual([{ code: 'PANIC' }])
  expect(client.connected).toBe(true)
  await stop()
  expect(await fixture.query('select boot from device_state where device_id = $1', [device.id])).toEqual([{ boot: 7 }])
  expect(await livesForNewcomer({ ...config, url }, device, another)).toBe(false)
})

it('ignores retained births and stores retained alarms when the broker sends them to shared subscriptions', async () => {
  const [device, another] = [await fixture.device(), await fixture.device()]
  const url = await startAedes({
    authorizeSubscribe: (_client, subscription, done) =>
      done(null, Object.assign(subscription, { topic: subscription.topic.replace('$share/tocsin/', '') })),
  })
  const client = await mqtt.connectAsync(url)
  ends.push(() => client.endAsync(true))
  await client.publishAsync(`ax/v1/panic1/${device.sn}/up/state`, birth, { qos: 1, retain: true })
  expect(await livesForNewcomer({ mqttUrl: url, url }, device, another)).toBe(false)
  await client.publishAsync(`ax/v1/panic1/${device.sn}/up/alarm`, 'poison', { qos: 1, retain: true })
  expect(await livesForNewcomer({ mqttUrl: url, url }, device, another)).toBe(true)
})

it('lets a device publish and subscribe under its own name only', async () => {
  const [mine, other] = [await fixture.device(), await fixture.device()]
  const { config, url, folder, count } = await startMosquitto()
  expect(count).toBeGreaterThanOrEqual(2)
  expect((await stat(join(folder, 'passwd'))).mode & 0o777).toBe(0o600)
  const password = Buffer.from(mine.credential.secret).toString('base64url')
  const connect = (username: string, secret: string) =>
    mqtt.connectAsync(url, { protocolVersion: 4, username, password: secret, reconnectPeriod: 0 })
  await expect(connect(`panic1/${other.sn}`, password)).rejects.toThrow()
  const server = await mqtt.connectAsync(config.mqttUrl)
  const client = await connect(`panic1/${mine.sn}`, password)
  ends.push(
    () => client.endAsync(true),
    () => server.endAsync(true),
  )
  const topic = (sn: string, rest: string) => `ax/v1/panic1/${sn}/${rest}`
  const items: string[] = []
  for (const item of [client, server]) item.on('message', (name) => items.push(name))
  // mosquitto accepts every subscription and checks the rights for each message.
  await client.subscribeAsync([topic(mine.sn, 'down/#'), topic(other.sn, 'down/#')], { qos: 1 })
  await server.subscribeAsync('ax/v1/+/+/up/+', { qos: 1 })
  for (const sn of [other.sn, mine.sn]) {
    await server.publishAsync(topic(sn, 'down/cmd'), '{}', { qos: 1 })
    await client.publishAsync(topic(sn, 'up/hb'), '{}', { qos: 1 })
    await client.publishAsync(topic(sn, 'up/of-its-own'), '{}', { qos: 1, retain: true })
  }
  await expect.poll(() => items.toSorted()).toEqual([topic(mine.sn, 'down/cmd'), topic(mine.sn, 'up/hb')])
})

/** A broker with the rules of the test, which may change while it runs. */
const startAedes = async (options: AedesOptions) => {
  const aedes = await Aedes.createBroker(options)
  const server = createServer(aedes.handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(
    () => new Promise((done) => server.close(done)),
    () => new Promise<void>((done) => aedes.close(done)),
  )
  return `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('connects and subscribes again when the broker refused both at first', async () => {
  const device = await fixture.device()
  const refuses = { connect: true, subscribe: true }
  const mqttUrl = await startAedes({
    authenticate: (_client, _name, _password, done) =>
      refuses.connect ? done(Object.assign(new Error('no'), { returnCode: 5 }), null) : done(null, true),
    authorizeSubscribe: (_client, subscription, done) =>
      done(
        null,
        refuses.subscribe ? null : { ...subscription, topic: subscription.topic.replace('$share/tocsin/', '') },
      ),
  })
  const { isHealthy, problem } = await fixture.gateway({ config: { ...embedded, mqttUrl } })
  await expect.poll(problem).toBe('the broker refuses the connection (code 5)')
  expect(isHealthy()).toBe(false)
  refuses.connect = false
  await expect.poll(problem, { timeout: 10_000 }).toBe('the broker refuses the subscription')
  refuses.subscribe = false
  await expect.poll(isHealthy, { timeout: 15_000 }).toBe(true)
  expect(problem()).toBeUndefined()
  const fleet = fixture.fleet({ devices: [device.credential], mqtt: mqttUrl })
  await fleet.connected()
  fleet.press(device.sn)
  await expect
    .poll(() => fixture.query('select code from warn_record where device_id = $1', [device.id]))
    .toEqual([{ code: 'PANIC' }])
})
