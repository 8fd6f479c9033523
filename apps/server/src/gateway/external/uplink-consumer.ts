import { ALL_UP } from '@tocsin/protocol/topics'
import { randomBytes } from 'node:crypto'
import mqtt, { type IPublishPacket, type MqttClient } from 'mqtt'
import type { Log } from '#config'

/** Connections of a node. Each delivers one message at a time, so this is the number of messages in progress. */
const CONNECTIONS = 8
const SHARED = `$share/tocsin/${ALL_UP}`
const REFUSED = 128
const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 15_000

export type UplinkConsumer = {
  publish: (topic: string, payload: Uint8Array, qos: 0 | 1) => Promise<void>
  isHealthy: () => boolean
  /** Why no connection receives messages, in words without addresses; undefined while one does. */
  problem: () => string | undefined
  /** Resolves when the first connection has subscribed. */
  ready: Promise<void>
  stop: () => Promise<void>
}

export type UplinkConsumerOptions = {
  url: string
  log: Log
  /** The message is acknowledged to the broker when this resolves, and not when it rejects. */
  onMessage: (packet: IPublishPacket) => Promise<void>
}

type State = { listening: Set<MqttClient>; onFirst: () => void; setProblem: (text: string) => void }

/** Half of the delay is random, so that the connections of all servers do not return at the same moment. */
const retryDelay = (failures: number): number =>
  Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2)

/** CONNACK codes above 0 (MQTT 3.1.1, table 3.1); other errors carry a code in letters. */
const describeError = (error: Error & { code?: unknown }): string =>
  typeof error.code === 'number'
    ? `the broker refuses the connection (code ${error.code})`
    : 'the broker is unreachable'

/** Connects and subscribes until it is stopped. A refusal may be a broker that is starting or being configured. */
const open = ({ url, log, onMessage }: UplinkConsumerOptions, state: State): MqttClient => {
  const { listening, onFirst, setProblem } = state
  const client = mqtt.connect(url, {
    protocolVersion: 4,
    // The session is new each time: nothing relies on what a broker stores (DESIGN 6).
    clean: true,
    clientId: `tocsin-${randomBytes(8).toString('hex')}`,
    keepalive: 30,
    reconnectPeriod: FIRST_RETRY_MS,
    reconnectOnConnackError: true,
    connectTimeout: 10_000,
    resubscribe: false,
  })
  let failures = 0
  client.handleMessage = (packet, done) => void onMessage(packet).then(() => done(), done)
  // The client reads the period when the connection ends, so it is set while the next attempt runs.
  client.on('reconnect', () => {
    failures += 1
    client.options.reconnectPeriod = retryDelay(failures)
  })
  client.on('connect', () => {
    client.subscribe(SHARED, { qos: 1 }, (error, granted) => {
      const refused = granted?.some(({ qos }) => Number(qos) === REFUSED)
      if (error || refused) {
        if (!client.connected) return
        setProblem('the broker refuses the subscription')
        log.error(`the broker refuses ${SHARED}: ${error?.message ?? 'not granted'}`)
        // A new connection is the next attempt.
        client.stream.destroy()
        return
      }
      failures = 0
      client.options.reconnectPeriod = FIRST_RETRY_MS
      listening.add(client)
      onFirst()
    })
  })
  client.on('close', () => listening.delete(client))
  client.on('error', (error) => {
    setProblem(describeError(error))
    log.error(`the broker: ${error.message}`)
  })
  return client
}

/** Receives this node's share of all uplinks of an external broker: mosquitto 2, EMQX, NanoMQ (libraries 2.6). */
export const startUplinkConsumer = (options: UplinkConsumerOptions): UplinkConsumer => {
  const { promise: ready, resolve: onFirst } = Promise.withResolvers<void>()
  const listening = new Set<MqttClient>()
  let lastProblem = 'the broker is unreachable'
  const setProblem = (text: string) => {
    lastProblem = text
  }
  const clients = Array.from({ length: CONNECTIONS }, () => open(options, { listening, onFirst, setProblem }))
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
    problem: () => (listening.size > 0 ? undefined : lastProblem),
    ready,
    stop: async () => {
      await Promise.all(clients.map((client) => client.endAsync(true)))
    },
  }
}
