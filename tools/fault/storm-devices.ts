import { decodeDown, encode } from '@tocsin/protocol/decode'
import { downTopic, upTopic, usernameOf } from '@tocsin/protocol/topics'
import { generate, type Packet, parser } from 'mqtt-packet'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Credential } from '../simulator/fleet-file.ts'
import type { Ledger } from '../simulator/ledger.ts'

export type StormDevices = {
  /** Every device connects and publishes all its unconfirmed presses at once, without waiting for a PUBACK. */
  connect: () => Promise<void>
  /** Breaks the links of one device in `every`. They reconnect within a second and send everything again. */
  breakLinks: (every: number) => void
  /** Presses without an `accepted` receipt. */
  unconfirmed: () => number
  /** PUBACKs and `accepted` receipts so far. */
  answers: () => number
  /** Links that the server ended. */
  cutByServer: () => number
  stop: () => void
}

type StormOptions = { mqtt: string; devices: readonly Credential[]; presses: number; ledger: Ledger }

type Counts = { answers: number; cutByServer: number; stopped: boolean }

const RECONNECT_MS = 1000
const CONNECT_AT_ONCE = 100

/** Signs a device in, as firmware does. */
export const connectPacket = ({ productKey, sn, secret }: Credential): Packet => ({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 4,
  clean: true,
  clientId: sn,
  keepalive: 600,
  username: usernameOf({ productKey, sn }),
  password: Buffer.from(Buffer.from(secret).toString('base64url')),
})

/** The presses of one device, written to the ledger before the first is sent. */
const makePresses = ({ productKey, sn }: Credential, index: number, { presses, ledger }: StormOptions) => {
  const boot = 1
  const unconfirmed = new Map<string, Buffer>()
  for (let seq = 1; seq <= presses; seq += 1) {
    const eventId = `STORM-${String(index).padStart(5, '0')}-${String(seq).padStart(6, '0')}`
    const stamp = { v: 1, eventId, boot, seq, ts: Date.now(), upMs: seq, mode: 'LIVE' } as const
    unconfirmed.set(eventId, Buffer.from(encode({ ...stamp, code: 'PANIC' })))
    const sent = { kind: 'sent', at: Date.now(), channel: 'alarm', what: 'PANIC', mode: 'LIVE' } as const
    ledger.write({ ...sent, eventId, productKey, sn, boot, seq })
  }
  return unconfirmed
}

const createStormDevice = (device: Credential, index: number, options: StormOptions, counts: Counts) => {
  const { ledger } = options
  const unconfirmed = makePresses(device, index, options)
  let socket: Socket | undefined
  let brokeIt = false
  const confirm = (payload: Buffer | string): void => {
    const ack = decodeDown('ack', Buffer.from(payload))
    if (!ack.ok || ack.message.stage !== 'accepted') return
    counts.answers += 1
    unconfirmed.delete(ack.message.eventId)
    ledger.write({ ...ack.message, kind: 'receipt', at: Date.now(), sn: device.sn, via: 'mqtt', latencyMs: 0 })
  }
  const publishAll = (link: Socket): void => {
    const topic = upTopic(device, 'alarm')
    let messageId = 1
    link.cork()
    for (const payload of unconfirmed.values()) {
      messageId += 1
      link.write(generate({ cmd: 'publish', topic, payload, qos: 1, messageId, dup: false, retain: false }))
    }
    link.uncork()
  }
  const open = (): Promise<void> =>
    new Promise((connected) => {
      const link = connect(Number(new URL(options.mqtt).port), '127.0.0.1')
      const reader = parser({ protocolVersion: 4 })
      socket = link
      brokeIt = false
      reader.on('packet', (packet: Packet) => {
        if (packet.cmd === 'connack') {
          const subscriptions = [{ topic: downTopic(device, 'ack'), qos: 1 as const }]
          link.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions }))
          publishAll(link)
          connected()
        } else if (packet.cmd === 'puback') counts.answers += 1
        else if (packet.cmd === 'publish') {
          if (packet.qos === 1) link.write(generate({ cmd: 'puback', messageId: packet.messageId ?? 0 }))
          confirm(packet.payload)
        }
      })
      link.on('data', (bytes) => void reader.parse(bytes))
      link.on('error', () => undefined)
      link.on('close', () => {
        if (counts.stopped) return
        if (!brokeIt) counts.cutByServer += 1
        void pause(Math.random() * RECONNECT_MS).then(() => (counts.stopped ? undefined : open()))
      })
      link.on('connect', () => link.write(generate(connectPacket(device))))
    })
  return {
    open,
    unconfirmed,
    breakLink: () => {
      brokeIt = true
      socket?.destroy()
    },
  }
}

/** Devices without any flow control: unlimited windows, and everything again after each reconnect. */
export const startStorm = (options: StormOptions): StormDevices => {
  const counts: Counts = { answers: 0, cutByServer: 0, stopped: false }
  const devices = options.devices.map((device, index) => createStormDevice(device, index, options, counts))
  return {
    connect: async () => {
      for (let n = 0; n < devices.length; n += CONNECT_AT_ONCE)
        await Promise.all(devices.slice(n, n + CONNECT_AT_ONCE).map(({ open }) => open()))
    },
    breakLinks: (every) => {
      for (let n = 0; n < devices.length; n += every) devices[n]?.breakLink()
    },
    unconfirmed: () => devices.reduce((sum, { unconfirmed }) => sum + unconfirmed.size, 0),
    answers: () => counts.answers,
    cutByServer: () => counts.cutByServer,
    stop: () => {
      counts.stopped = true
      for (const { breakLink } of devices) breakLink()
    },
  }
}
