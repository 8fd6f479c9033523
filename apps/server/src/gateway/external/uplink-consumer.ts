import { ALL_UP } from '@tocsin/protocol/topics'
import { randomBytes } from 'node:crypto'
import mqtt, { type IPublishPacket, type MqttClient } from 'mqtt'
import type { Log } from '#config'

/** Connections of a node: each hands over one message at a time, so this is how many are taken in at once. */
const CONNECTIONS = 8
const SHARED = `$share/tocsin/${ALL_UP}`
const REFUSED = 128

export type UplinkConsumer = {
  publish: (topic: string, payload: Uint8Array, qos: 0 | 1) => Promise<void>
  isHealthy: () => boolean
  /** Resolves when the first connection listens. */
  ready: Promise<void>
  stop: () => Promise<void>
}

export type UplinkConsumerOptions = {
  url: string
  log: Log
  /** The broker's message is acknowledged when this resolves, and not when it rejects. */
  onMessage: (packet: IPublishPacket) => Promise<void>
}

type State = { listening: Set<MqttClient>; onFirst: () => void }

const open = ({ url, log, onMessage }: UplinkConsumerOptions, { listening, onFirst }: State): MqttClient => {
  const client = mqtt.connect(url, {
    protocolVersion: 4,
    // A session of its own each time: nothing relies on what a broker keeps (DESIGN 6).
    clean: true,
    clientId: `tocsin-${randomBytes(8).toString('hex')}`,
    keepalive: 30,
    reconnectPeriod: 1000,
    connectTimeout: 10_000,
    resubscribe: false,
  })
  client.handleMessage = (packet, done) => void onMessage(packet).then(() => done(), done)
  client.on('connect', () => {
    client.subscribe(SHARED, { qos: 1 }, (error, granted) => {
      const refused = granted?.some(({ qos }) => Number(qos) === REFUSED)
      if (error || refused) return log.error(`the broker refuses ${SHARED}: ${error?.message ?? 'not granted'}`)
      listening.add(client)
      onFirst()
    })
  })
  client.on('close', () => listening.delete(client))
  client.on('error', (error) => log.error(`the broker: ${error.message}`))
  return client
}

/** A share of all uplinks on somebody else's broker: mosquitto 2, EMQX, NanoMQ (libraries 2.6). */
export const startUplinkConsumer = (options: UplinkConsumerOptions): UplinkConsumer => {
  const { promise: ready, resolve: onFirst } = Promise.withResolvers<void>()
  const listening = new Set<MqttClient>()
  const clients = Array.from({ length: CONNECTIONS }, () => open(options, { listening, onFirst }))
  let next = 0
  return {
    publish: async (topic, payload, qos) => {
      const up = [...listening]
      next += 1
      const client = up[next % up.length]
      if (!client) throw new Error('the broker is away')
      await client.publishAsync(topic, Buffer.from(payload), { qos })
    },
    isHealthy: () => listening.size > 0,
    ready,
    stop: async () => {
      await Promise.all(clients.map((client) => client.endAsync(true)))
    },
  }
}
