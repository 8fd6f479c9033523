import { decodeDown, encode } from '@tocsin/protocol/decode'
import { downTopic, upTopic } from '@tocsin/protocol/topics'
import { generate, type Packet, parser } from 'mqtt-packet'
import { connect } from 'node:net'
import { connectPacket } from '../../tools/fault/storm-devices.ts'
import type { Credential } from '../../tools/simulator/fleet-file.ts'

/** One device on one link that repeats one alarm and waits for no answer. */
export type Flood = {
  start: () => void
  stop: () => void
  sent: () => number
  /** PUBACKs, one for each copy that the server has answered. */
  acknowledged: () => number
  /** `accepted` receipts on `down/ack`. */
  receipts: () => number
  isOpen: () => boolean
  close: () => void
}

const TICK_MS = 10
/** At most 30,000 copies a second; fewer when the server does not read. */
const COPIES_PER_TICK = 300
const MAX_PACKET_ID = 65_535

export const FLOOD_EVENT_ID = 'FLOOD-0000-00000001'

const makeAlarm = (): Buffer => {
  const stamp = { v: 1, eventId: FLOOD_EVENT_ID, boot: 1, seq: 1, ts: Date.now(), upMs: 1, mode: 'LIVE' } as const
  return Buffer.from(encode({ ...stamp, code: 'PANIC' }))
}

/** Connects and subscribes to the receipts. */
export const openFlood = (mqtt: string, device: Credential): Promise<Flood> =>
  new Promise((opened, failed) => {
    const socket = connect(Number(new URL(mqtt).port), '127.0.0.1')
    const reader = parser({ protocolVersion: 4 })
    const topic = upTopic(device, 'alarm')
    const payload = makeAlarm()
    const counts = { sent: 0, acknowledged: 0, receipts: 0 }
    let timer: NodeJS.Timeout | undefined
    const stop = () => clearInterval(timer)
    const send = (packet: Packet) => socket.write(generate(packet))
    const sendCopies = () => {
      // What the socket does not take is not sent: the memory of the generator stays small.
      if (socket.writableNeedDrain) return
      socket.cork()
      for (let copy = 0; copy < COPIES_PER_TICK; copy += 1) {
        const messageId = (counts.sent % MAX_PACKET_ID) + 1
        send({ cmd: 'publish', topic, payload, qos: 1, messageId, dup: counts.sent > 0, retain: false })
        counts.sent += 1
      }
      socket.uncork()
    }
    const flood: Flood = {
      start: () => void (timer = setInterval(sendCopies, TICK_MS)),
      stop,
      sent: () => counts.sent,
      acknowledged: () => counts.acknowledged,
      receipts: () => counts.receipts,
      isOpen: () => !socket.destroyed,
      close: () => void socket.destroy(),
    }
    const answers: { [cmd: string]: (packet: Packet) => void } = {
      connack: () =>
        send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: downTopic(device, 'ack'), qos: 1 }] }),
      suback: () => opened(flood),
      puback: () => void (counts.acknowledged += 1),
      publish: (packet) => {
        if (packet.cmd !== 'publish') return
        if (packet.qos === 1) send({ cmd: 'puback', messageId: packet.messageId ?? 0 })
        const answer = decodeDown('ack', Buffer.from(packet.payload))
        if (answer.ok && answer.message.stage === 'accepted') counts.receipts += 1
      },
    }
    reader.on('packet', (packet: Packet) => answers[packet.cmd]?.(packet))
    socket.on('data', (bytes) => void reader.parse(bytes))
    socket.on('error', failed)
    socket.on('close', stop)
    socket.on('connect', () => send(connectPacket(device)))
  })
