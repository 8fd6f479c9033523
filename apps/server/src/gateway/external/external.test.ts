import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { embedded, makeWorld, type World } from '../../../test/gateway-world.ts'
import { runMosquitto } from '../../../test/mosquitto.ts'
import { freePort } from '../../../../../tools/fault/port.ts'
import { brokerSecret } from '../gateway.ts'
import { SERVER_ACCOUNT } from '../http/broker-auth.ts'
import { writeMosquitto } from './mosquitto.ts'

let world: World
const ends: (() => Promise<unknown> | unknown)[] = []
beforeAll(async () => {
  world = await makeWorld()
})
afterEach(async () => {
  await world.clear()
  for (const end of ends.splice(0).reverse()) await end()
})
afterAll(() => world.close())

const startMosquitto = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-mosquitto-'))
  ends.push(() => rm(folder, { recursive: true }))
  const at = async () => ({ host: '127.0.0.1', port: await freePort() })
  const [listener, servers] = [await at(), await at()]
  const password = brokerSecret(world.masterKey, 'broker-password')
  const count = await writeMosquitto({ db: world.db, folder, password, listener, servers })
  const { said, kill } = await runMosquitto(folder)
  ends.push(() => kill())
  const config = { ...embedded, mqttUrl: `mqtt://${SERVER_ACCOUNT}:${password}@127.0.0.1:${servers.port}` }
  return { config, folder, count, url: `mqtt://127.0.0.1:${listener.port}`, said }
}

it('takes alarms from mosquitto, and its receipts and commands reach the device', async () => {
  const device = await world.device()
  const { config, url } = await startMosquitto()
  const { works } = await world.gateway({ config })
  await expect.poll(works).toBe(true)
  const commands: string[] = []
  const fleet = world.fleet({
    devices: [device.credential],
    mqtt: url,
    onCommand: (_sn, { commandId }) => commands.push(commandId),
  })
  await fleet.connected()
  fleet.press(device.sn)
  await expect.poll(fleet.unsent).toBe(0)
  const [record] = await world.query('select code from warn_record where device_id = $1', [device.id])
  expect(record).toEqual({ code: 'PANIC' })
  await world.command(device.id, 'C1')
  await expect.poll(() => commands, { timeout: 10_000 }).toEqual(['C1'])
  const waiting = () => world.query('select key from device_outbox where device_id = $1', [device.id])
  await expect.poll(waiting, { timeout: 10_000 }).toEqual([])
})

it('keeps all connections of every server, which have one name, and each device to its own', async () => {
  const { config, said, url } = await startMosquitto()
  const [one, two] = [await world.gateway({ config }), await world.gateway({ config })]
  await expect.poll(() => one.works() && two.works()).toBe(true)
  const connections = () => new Set(said().match(/as tocsin-[0-9a-f]{16}/g)).size
  await expect.poll(connections).toBe(16)
  const device = await world.device()
  expect(said()).not.toContain('already connected')
  // A device that calls itself by the name of a server's connection is still only itself.
  const [foreign] = said().match(/(?<=as )tocsin-[0-9a-f]{16}/) ?? []
  await expect(
    mqtt.connectAsync(url, { protocolVersion: 4, clientId: String(foreign), username: `panic1/${device.sn}` }),
  ).rejects.toThrow()
  expect(one.works() && two.works()).toBe(true)
  expect(said()).not.toContain('already connected')
})

it('acknowledges after the commit, and keeps what it cannot read without ever getting it again', async () => {
  const device = await world.device()
  const { config, url } = await startMosquitto()
  const { works } = await world.gateway({ config })
  await expect.poll(works).toBe(true)
  const client = await mqtt.connectAsync(url, {
    protocolVersion: 4,
    username: `panic1/${device.sn}`,
    password: Buffer.from(device.credential.secret).toString('base64url'),
  })
  ends.push(() => client.endAsync(true))
  const say = (text: string) => client.publishAsync(`ax/v1/panic1/${device.sn}/up/alarm`, text, { qos: 1 })
  const kept = async () =>
    (await world.query<{ raw: Buffer }>('select raw from signal where device_id = $1 order by id', [device.id])).map(
      ({ raw }) => raw.toString(),
    )
  const blocker = await world.owner.connect()
  await blocker.query('begin; lock table signal in exclusive mode')
  await say('poison 1')
  const isBlocked = () => world.query(`select 1 from pg_locks where not granted and relation = 'signal'::regclass`)
  await expect.poll(isBlocked).not.toEqual([])
  await blocker.query('commit')
  blocker.release()
  await expect.poll(kept).toEqual(['poison 1'])
  for (const text of ['poison 2', 'poison 3']) await say(text)
  await expect.poll(kept).toHaveLength(3)
  const [counted] = await world.query('select occurrence_count as n from warn_record where device_id = $1', [device.id])
  expect(counted).toEqual({ n: 3 })
})

it('lets a device publish and hear under its own name only', async () => {
  const [mine, other] = [await world.device(), await world.device()]
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
  const heard: string[] = []
  for (const one of [client, server]) one.on('message', (name) => heard.push(name))
  // mosquitto grants every subscription and judges each message.
  await client.subscribeAsync([topic(mine.sn, 'down/#'), topic(other.sn, 'down/#')], { qos: 1 })
  await server.subscribeAsync('ax/v1/+/+/up/+', { qos: 1 })
  for (const sn of [other.sn, mine.sn]) {
    await server.publishAsync(topic(sn, 'down/cmd'), '{}', { qos: 1 })
    await client.publishAsync(topic(sn, 'up/hb'), '{}', { qos: 1 })
  }
  await expect.poll(() => heard.toSorted()).toEqual([topic(mine.sn, 'down/cmd'), topic(mine.sn, 'up/hb')])
})
