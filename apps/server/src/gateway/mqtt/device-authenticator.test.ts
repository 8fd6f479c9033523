import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { generate } from 'mqtt-packet'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { healthFlags } from '#areas/device/device-readiness'
import { createCertificate } from '../../../test/certificate.ts'
import { embedded, listener, openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'

type Made = Awaited<ReturnType<GatewayFixture['device']>>
let fixture: GatewayFixture
let device: Made
const ends: (() => Promise<unknown> | unknown)[] = []
beforeAll(async () => {
  fixture = await openGatewayFixture()
  device = await fixture.device()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await fixture.clear()
})
afterAll(() => fixture.close())

const passwordOf = ({ credential }: Made) => Buffer.from(credential.secret).toString('base64url')
const options = (made: Made, more: IClientOptions = {}): IClientOptions => ({
  protocolVersion: 4,
  clean: true,
  clientId: made.sn,
  username: `panic1/${made.sn}`,
  password: passwordOf(made),
  reconnectPeriod: 0,
  ...more,
})
const connect = async (url: string, given: IClientOptions) => {
  const client = await mqtt.connectAsync(url, given)
  client.on('error', () => undefined)
  ends.push(() => client.endAsync(true))
  return client
}
/** The CONNACK code, or the error that ended the attempt. */
const refusal = async (url: string, given: IClientOptions) => {
  const error: unknown = await connect(url, given).catch((reason: unknown) => reason)
  return error instanceof Error && 'code' in error ? error.code : 'admitted'
}
const closing = (client: MqttClient) => new Promise<void>((gone) => client.once('close', () => gone()))
const socketTo = async (url: string) => {
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  ends.push(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}
const topic = (rest: string, sn = device.sn) => `ax/v1/panic1/${sn}/${rest}`

it('refuses unknown and retired devices, wrong secrets and names alike, and stores the attempts', async () => {
  const { mqtt: url, stop } = await fixture.gateway()
  const retired = await fixture.device()
  await fixture.query(`update device set lifecycle = 'RETIRED' where id = $1`, [retired.id])
  const wrong = Buffer.alloc(32, 1).toString('base64url')
  const answers = [
    await refusal(url, options(device, { password: wrong })),
    await refusal(url, options(device, { password: 'x' })),
    await refusal(url, options(device, { username: 'panic1/NOBODY-1', clientId: 'NOBODY-1' })),
    await refusal(url, options(device, { username: `other1/${device.sn}` })),
    await refusal(url, options(device, { clientId: 'SN-OTHER' })),
    await refusal(url, options(device, { username: '\u{fffd}/#' })),
    await refusal(url, options(retired)),
  ]
  expect(new Set(answers)).toEqual(new Set([5]))
  expect(await refusal(url, options(device))).toBe('admitted')
  await stop()
  const rows = await fixture.query('select sn, reason, count from unknown_device order by sn, reason')
  expect(rows).toEqual(
    expect.arrayContaining([
      { sn: 'NOBODY-1', reason: 'UNKNOWN_SN', count: 1 },
      { sn: retired.sn, reason: 'RETIRED', count: 1 },
      { sn: device.sn, reason: 'BAD_NAME', count: 4 },
    ]),
  )
})

it('admits both secrets during a rotation, and no expired one', async () => {
  const { mqtt: url } = await fixture.gateway()
  const made = await fixture.device()
  const fresh = await fixture.credential(made.id)
  expect(await refusal(url, options(made))).toBe('admitted')
  expect(await refusal(url, options(made, { password: fresh }))).toBe('admitted')
  await fixture.query(
    `update device_credential set expires_at = now() - interval '1 s' where device_id = $1 and id = (select min(id) from device_credential where device_id = $1)`,
    [made.id],
  )
  const later = await fixture.gateway()
  expect(await refusal(later.mqtt, options(made))).toBe(5)
  expect(await refusal(later.mqtt, options(made, { password: fresh }))).toBe('admitted')
})

it('keeps the connection of a device when another client uses its name', async () => {
  const { mqtt: url } = await fixture.gateway()
  const client = await connect(url, options(device))
  await refusal(url, options(device, { password: 'wrong' }))
  await refusal(url, options(device, { username: 'panic1/NOBODY-2' }))
  await client.publishAsync(topic('up/hb'), '{}', { qos: 1 })
  expect(client.connected).toBe(true)
})

it('admits a device with a wrong will or keep-alive, and shows what was dropped until it connects correctly', async () => {
  const own = await fixture.device()
  const lines: string[] = []
  const note = (text: string) => void lines.push(text)
  const { mqtt: url } = await fixture.gateway({ log: { info: note, warn: note, error: note } })
  const shown = async () => (await healthFlags(fixture.db, [own.id])).get(own.id) ?? []
  const faults = async () =>
    (
      await fixture.query<{ faults: string[] }>(
        `select body->'faults' as faults from signal where device_id = $1 and code = 'CONNECT_FAULT' order by id`,
        [own.id],
      )
    ).flatMap((row) => row.faults)
  const will = (name: string, said: object | string, more: IClientOptions = {}) =>
    refusal(url, options(own, { will: { ...willOf(name, said), retain: false }, ...more }))
  const willOf = (name: string, said: object | string) => ({
    topic: name,
    payload: Buffer.from(typeof said === 'string' ? said : JSON.stringify(said)),
    qos: 1 as const,
  })
  const state = topic('up/state', own.sn)
  const gone = { online: false, boot: 1 }
  expect(await will(state, gone)).toBe('admitted')
  expect([await faults(), await shown(), lines.filter((line) => line.includes('dropped'))]).toEqual([[], [], []])
  expect(await will(topic('up/alarm', own.sn), gone)).toBe('admitted')
  await expect.poll(shown).toEqual(['CONNECT_FAULT'])
  expect(lines).toContainEqual(expect.stringContaining(`device ${own.sn} connected with settings that were dropped`))
  expect(lines).toContainEqual(expect.stringContaining('the topic of its will is not its own up/state'))
  expect(await will(topic('up/state', 'SN-OTHER'), gone)).toBe('admitted')
  expect(await will(state, { online: true, boot: 1, fw: '1', caps: [] })).toBe('admitted')
  expect(await will(state, { state: 'OFFLINE' })).toBe('admitted')
  expect(await refusal(url, options(own, { will: { ...willOf(state, gone), retain: true } }))).toBe('admitted')
  expect(await will(state, gone, { keepalive: 0 })).toBe('admitted')
  expect(await will(state, gone, { keepalive: 3600 })).toBe('admitted')
  // A fault that is repeated is reported once.
  await expect.poll(faults).toEqual(['WILL_TOPIC', 'WILL_PAYLOAD', 'WILL_RETAINED', 'KEEP_ALIVE'])
  expect(await will(state, gone)).toBe('admitted')
  await expect.poll(shown).toEqual([])
  expect(await will(state, 'gone')).toBe('admitted')
  await expect.poll(shown).toEqual(['CONNECT_FAULT'])
  const { mqtt: other } = await fixture.gateway()
  expect(await refusal(other, options(own))).toBe('admitted')
  await expect.poll(shown).toEqual([])
})

it('grants a device the subscription to its own topics only', async () => {
  const { mqtt: url } = await fixture.gateway()
  const client = await connect(url, options(device))
  const ask = async (name: string) => {
    const granted = await client.subscribeAsync(name, { qos: 1 }).catch(() => [])
    return granted.every(({ qos }) => qos === 1) && granted.length === 1
  }
  const own = [topic('down/#'), topic('down/ack')]
  const foreign = [
    '#',
    topic('up/#'),
    topic('down/#', '+'),
    `$share/g/${topic('down/#')}`,
    '$SYS/#',
    `${topic('down')}/${'x/'.repeat(9)}`,
  ]
  for (const name of own) expect(await ask(name), name).toBe(true)
  for (const name of foreign) expect(await ask(name), name).toBe(false)
})

it('closes a link that requests more than ten topics or publishes to a foreign topic', async () => {
  const { mqtt: url } = await fixture.gateway()
  const greedy = await connect(url, options(device))
  const filters = Array.from({ length: 11 }, (_, n) => `x/${n}`)
  const closed = closing(greedy)
  greedy.subscribe(filters)
  await closed
  for (const name of [
    topic('up/alarm', 'SN-OTHER'),
    topic('down/ack'),
    '$SYS/x',
    topic('up/alarm/x'),
    topic('up/\u{fffd}'),
  ]) {
    const client = await connect(url, options(device))
    const gone = closing(client)
    client.publish(name, 'x', { qos: 1 })
    await gone
  }
  expect(await fixture.query('select 1 from signal where device_id = $1', [device.id])).toEqual([])
})

const text = (bytes: Uint8Array) => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}
const packet = (first: number, ...parts: Uint8Array[]) => {
  const body = Buffer.concat(parts)
  const size = body.length < 128 ? [body.length] : [(body.length % 128) + 128, Math.floor(body.length / 128)]
  return Buffer.concat([Buffer.from([first, ...size]), body])
}

it('accepts ten topics, each any number of times, and closes the link at the eleventh', async () => {
  const { mqtt: url } = await fixture.gateway()
  const client = await connect(url, options(device))
  const ask = (name: string) => client.subscribeAsync(name, { qos: 1 }).catch(() => undefined)
  for (let n = 0; n < 10; n += 1) await ask(`x/${n}`)
  await ask('x/9')
  await client.publishAsync(topic('up/hb'), '{}', { qos: 1 })
  expect(client.connected).toBe(true)
  const closed = closing(client)
  client.subscribe('x/10')
  await closed
})

it('accepts a packet of 256 kB from a gateway, and at most 64 kB from other devices', async () => {
  const { mqtt: url } = await fixture.gateway()
  const made = await fixture.device({ modelId: await fixture.gatewayModel() })
  const parent = await connect(url, options(made, { username: `gateway1/${made.sn}` }))
  const batch = (bytes: number) => ' '.repeat(bytes - 2) + '[]'
  await parent.publishAsync(`ax/v1/gateway1/${made.sn}/up/sub`, batch(262_144), { qos: 1 })
  expect(parent.connected).toBe(true)
  const button = await connect(url, options(device))
  const heartbeat = topic('up/hb')
  // Two bytes of topic length, the topic, two bytes of packet id.
  const most = 65_536 - 4 - heartbeat.length
  await button.publishAsync(heartbeat, 'x'.repeat(most), { qos: 1 })
  const closed = closing(button)
  button.publish(heartbeat, 'x'.repeat(most + 1), { qos: 1 })
  await closed
  const over = closing(parent)
  parent.publish(`ax/v1/gateway1/${made.sn}/up/sub`, batch(264_000), { qos: 1 })
  await over
})

it('closes a link with an invalid topic or name, and serves other devices', async () => {
  const { mqtt: url } = await fixture.gateway()
  const own = Buffer.from(topic('up/alarm'))
  const wrong = {
    'bad UTF-8': Buffer.concat([own, Buffer.from([0xff, 0xfe])]),
    surrogate: Buffer.concat([own, Buffer.from([0xed, 0xa0, 0x80])]),
    NUL: Buffer.concat([own, Buffer.from([0])]),
    long: Buffer.from(topic(`up/${'a'.repeat(260)}`)),
    deep: Buffer.from(topic(`up${'/x'.repeat(12)}`)),
    empty: Buffer.alloc(0),
  }
  const number = Buffer.from([0, 7])
  for (const [name, bytes] of Object.entries(wrong)) {
    // The broker may reject a subscription by its SUBACK instead of closing.
    for (const [said, refusals] of [
      [packet(0x32, text(bytes), number, Buffer.from('x')), ['close']],
      [packet(0x82, number, text(bytes), Buffer.from([1])), ['close', 'suback 128']],
    ] as const) {
      const client = await connect(url, options(device))
      const answered = new Promise<string>((resolve) => {
        client.once('close', () => resolve('close'))
        client.once('packetreceive', (value) =>
          resolve(value.cmd === 'suback' ? `suback ${value.granted.join()}` : value.cmd),
        )
      })
      client.stream.write(said)
      expect(refusals, name).toContain(await answered)
    }
  }
  const level = Buffer.from([4, 2, 0, 60])
  for (const sn of [Buffer.from('A\0B'), Buffer.from([0x41, 0xff])]) {
    const socket = await socketTo(url)
    const gone = once(socket.resume(), 'close')
    socket.write(packet(0x10, text(Buffer.from('MQTT')), level, text(sn)))
    await gone
  }
  expect(await fixture.query('select 1 from signal where device_id = $1', [device.id])).toEqual([])
  expect(await refusal(url, options(device))).toBe('admitted')
})

it('handles QoS 2 like QoS 1, and retains no message', async () => {
  const { mqtt: url } = await fixture.gateway()
  const made = await fixture.device()
  const client = await connect(url, options(made))
  const alarm = {
    v: 1,
    eventId: 'QOS2-0000000000001',
    boot: 1,
    seq: 1,
    ts: Date.now(),
    upMs: 1,
    mode: 'LIVE',
    code: 'PANIC',
  }
  await client.publishAsync(topic('up/alarm', made.sn), JSON.stringify(alarm), { qos: 2, retain: true })
  expect(await fixture.query('select event_id from signal where device_id = $1', [made.id])).toEqual([
    { event_id: alarm.eventId },
  ])
  const again = await connect(url, options(made))
  const items: string[] = []
  again.on('message', (name) => items.push(name))
  await again.subscribeAsync(topic('down/#', made.sn), { qos: 1 })
  await expect.poll(() => items).toContain(topic('down/ack', made.sn))
  expect(new Set(items)).toEqual(new Set([topic('down/ack', made.sn)]))
})

it('refuses MQTT 5 with CONNACK 1, and makes every session clean', async () => {
  const { mqtt: url } = await fixture.gateway()
  const socket = await socketTo(url)
  socket.write(
    generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 5, clean: true, clientId: 'x', keepalive: 0 }),
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect([...answer]).toEqual([0x20, 2, 0, 1])
  const client = await connect(url, options(device, { clean: false }))
  expect(client.connected).toBe(true)
})

it('closes a link at the header of a packet that is too large', async () => {
  const { mqtt: url } = await fixture.gateway()
  const client = await connect(url, options(device))
  const closed = closing(client)
  // Fixed header of a PUBLISH of 20 MB, sent byte by byte.
  for (const byte of [0x30, 0x80, 0xda, 0xc4, 0x09]) client.stream.write(Buffer.from([byte]))
  await closed
  const stranger = await socketTo(url)
  const ended = once(stranger, 'close')
  stranger.write(Buffer.from([0x10, 0x81, 0x40]))
  await ended
  const rude = await socketTo(url)
  const over = once(rude, 'close')
  rude.write('GET / HTTP/1.1\r\n\r\n')
  await over
})

it('closes a link without CONNECT, and keeps connected ones', async () => {
  const slow = await fixture.gateway({ limits: { connectMs: 2000 } })
  const client = await connect(slow.mqtt, options(device))
  // This socket opened later, so when its time limit has passed, that of the device has passed too.
  const socket = await socketTo(slow.mqtt)
  await once(socket, 'close')
  await client.publishAsync(topic('up/hb'), '{}', { qos: 1 })
  expect(client.connected).toBe(true)
})

it('serves TLS with the certificate of the data directory, and refuses to start without one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-tls-'))
  ends.push(() => rmSync(dataDir, { recursive: true }))
  const config = { ...embedded, mqttTls: listener }
  const database = { masterKey: fixture.masterKey, dataDir }
  await expect(fixture.gateway({ config, database })).rejects.toThrow('mqtt.crt')
  const { cert, key } = createCertificate()
  mkdirSync(join(dataDir, 'tls'))
  writeFileSync(join(dataDir, 'tls/mqtt.crt'), cert)
  writeFileSync(join(dataDir, 'tls/mqtt.key'), key, { mode: 0o600 })
  const { tlsPort } = await fixture.gateway({ config, database })
  const client = await connect(`mqtts://127.0.0.1:${tlsPort}`, options(device, { ca: cert }))
  await client.publishAsync(topic('up/hb'), '{}', { qos: 1 })
  const plain = await socketTo(`mqtt://127.0.0.1:${tlsPort}`)
  const cut = once(plain, 'close')
  plain.write(
    generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, clientId: 'x', keepalive: 0 }),
  )
  await cut
  expect(client.connected).toBe(true)
})

it('admits all connections at the configured rate', async () => {
  const { mqtt: url } = await fixture.gateway({ limits: { acceptPerSecond: 40, waiting: 3 } })
  const sockets = await Promise.all(Array.from({ length: 12 }, () => socketTo(url)))
  const refused = sockets.map((socket) => once(socket, 'close'))
  await Promise.race(refused)
  await expect.poll(() => refusal(url, options(device))).toBe('admitted')
})
