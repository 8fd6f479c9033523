import { once } from 'node:events'
import { connect } from 'node:net'
import { generate, type Packet } from 'mqtt-packet'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openGatewayFixture, type GatewayFixture } from '../../../test/gateway-fixture.ts'

let fixture: GatewayFixture
const ends: (() => unknown)[] = []
beforeAll(async () => {
  fixture = await openGatewayFixture()
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  await fixture.clear()
})
afterAll(() => fixture.close())

const connectTo = async (url: string) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const received: Buffer[] = []
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => received.push(bytes))
  ends.push(() => socket.destroy())
  await once(socket, 'connect')
  return { socket, received: () => Buffer.concat(received), closed: once(socket, 'close') }
}

const connectPacket = ({ sn, credential }: Awaited<ReturnType<GatewayFixture['device']>>): Packet => ({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 4,
  clean: true,
  keepalive: 30,
  clientId: sn,
  username: `panic1/${sn}`,
  password: Buffer.from(Buffer.from(credential.secret).toString('base64url')),
})

it.each([2, 6, 127])('answers CONNACK 1 and closes when the protocol level is %i', async (level) => {
  const { mqtt } = await fixture.gateway()
  const bytes = generate(connectPacket(await fixture.device()))
  bytes[8] = level
  const { socket, received, closed } = await connectTo(mqtt)
  // The level comes in a piece of its own.
  socket.write(bytes.subarray(0, 8))
  await new Promise((later) => setTimeout(later, 50))
  socket.write(bytes.subarray(8))
  await closed
  expect([...received()]).toEqual([0x20, 2, 0, 1])
})

it('stores an alarm with packet identifier 0 and closes the link', async () => {
  const { mqtt } = await fixture.gateway()
  const device = await fixture.device()
  const { socket, received, closed } = await connectTo(mqtt)
  socket.write(generate(connectPacket(device)))
  await expect.poll(() => received().length).toBeGreaterThanOrEqual(4)
  const message = { v: 1, eventId: 'PACKET-ID-0-000001', boot: 1, seq: 1, ts: 1, upMs: 1, mode: 'LIVE', code: 'PANIC' }
  const topic = `ax/v1/panic1/${device.sn}/up/alarm`
  const payload = JSON.stringify(message)
  const bytes = generate({ cmd: 'publish', topic, payload, qos: 1, messageId: 258, dup: false, retain: false })
  const at = bytes.indexOf(topic) + topic.length
  bytes.writeUInt16BE(0, at)
  socket.write(bytes)
  await closed
  const raised = () => fixture.query('select code from warn_record where device_id = $1', [device.id])
  await expect.poll(raised).toEqual([{ code: 'PANIC' }])
})
