import { encode } from '@tocsin/protocol/decode'
import type { Alarm } from '@tocsin/protocol/alarm'
import { downTopic, upTopic, usernameOf } from '@tocsin/protocol/topics'
import { generate, type Packet, parser } from 'mqtt-packet'
import { connect } from 'node:net'
import type { Credential } from '../tools/simulator/fleet-file.ts'
import { CONNECT_AT_ONCE, type DeviceLoad, kinds, KINDS, openReceiptLog } from './load.ts'

/** A device reduced to bytes on a socket: a simulator would compete with the server for the processor. */
type Wire = {
  press: (alarm: Alarm) => void
  close: () => void
}

type Hearing = {
  /** The `accepted` receipt, or for the bare broker the PUBACK of the only message in flight. */
  onReceipt: (eventId: string) => void
  onEnd: () => void
}

const MOST_ID = 65_535

const connectPacket = ({ productKey, sn, secret }: Credential): Packet => ({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 4,
  clean: true,
  clientId: sn,
  keepalive: 600,
  username: usernameOf({ productKey, sn }),
  password: Buffer.from(Buffer.from(secret).toString('base64url')),
})

type Answer = { eventId?: unknown; stage?: unknown }

/** Resolves when it may press: connected and subscribed to its receipts. `bare`: PUBACK is the receipt. */
const openWire = (
  port: number,
  device: Credential,
  { onReceipt, onEnd }: Hearing,
  { bare = false } = {},
): Promise<Wire> =>
  new Promise((ready, failed) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    const reader = parser({ protocolVersion: 4 })
    const underWay = new Map<number, string>()
    let lastId = 0
    const say = (packet: Packet) => void socket.write(generate(packet))
    const press = (alarm: Alarm) => {
      lastId = lastId === MOST_ID ? 1 : lastId + 1
      if (bare) underWay.set(lastId, alarm.eventId)
      const payload = Buffer.from(encode(alarm))
      const topic = upTopic(device, 'alarm')
      say({ cmd: 'publish', topic, payload, qos: 1, messageId: lastId, dup: false, retain: false })
    }
    const hear: { [cmd: string]: (packet: Packet) => void } = {
      connack: (packet) => {
        if (packet.cmd === 'connack' && packet.returnCode !== 0) failed(new Error(`refused: ${packet.returnCode}`))
        say({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: downTopic(device, 'ack'), qos: 1 }] })
      },
      suback: () => ready({ press, close: () => socket.destroy() }),
      puback: ({ messageId = 0 }) => {
        const eventId = underWay.get(messageId)
        underWay.delete(messageId)
        if (eventId) onReceipt(eventId)
      },
      publish: (packet) => {
        if (packet.cmd !== 'publish') return
        if (packet.qos === 1) say({ cmd: 'puback', messageId: packet.messageId ?? 0 })
        const { eventId, stage } = JSON.parse(String(packet.payload)) as Answer
        if (stage === 'accepted') onReceipt(String(eventId))
      },
    }
    reader.on('packet', (packet: Packet) => hear[packet.cmd]?.(packet))
    socket.on('data', (bytes) => void reader.parse(bytes))
    socket.on('error', failed)
    socket.on('close', onEnd)
    socket.on('connect', () => say(connectPacket(device)))
  })

/** Like the simulator's devices, at half their cost. `bare`: PUBACK is the receipt. */
export const openRawDevices = async (
  mqtt: string,
  devices: readonly Credential[],
  { bare = false } = {},
): Promise<DeviceLoad> => {
  const book = openReceiptLog()
  const seqs = devices.map(() => 0)
  const boot = Math.floor(Date.now() / 1000)
  const port = Number(new URL(mqtt).port)
  let closing = false
  const wires: Wire[] = []
  const open = (device: Credential) => {
    const onEnd = () => closing || book.fail(new Error(`the link of ${device.sn} ended`))
    return openWire(port, device, { onReceipt: book.receive, onEnd }, { bare })
  }
  for (let n = 0; n < devices.length; n += CONNECT_AT_ONCE)
    wires.push(...(await Promise.all(devices.slice(n, n + CONNECT_AT_ONCE).map(open))))
  return {
    width: devices.length,
    timings: book.timings,
    begin: book.begin,
    watch: book.watch,
    press: (n, kind) => {
      const seq = (seqs[n] ?? 0) + 1
      seqs[n] = seq
      const [mark, device, number] = [boot, n, seq].map((part) => part.toString(36).padStart(8, '0'))
      const eventId = `${mark}-${device}-${number}`
      const stamp = { v: 1, boot, seq, ts: Date.now(), upMs: Math.round(performance.now()) } as const
      book.timings.set(eventId, { pressedAt: performance.now(), receiptAt: undefined })
      wires[n]?.press({ ...stamp, eventId, ...(kinds[kind % KINDS] ?? { code: 'PANIC', mode: 'LIVE' }) })
    },
    close: async () => {
      closing = true
      for (const wire of wires) wire.close()
      return 0
    },
  }
}
