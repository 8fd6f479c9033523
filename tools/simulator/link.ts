import { encode, type UpMessage } from '@tocsin/protocol/decode'
import {
  type DeviceAddress,
  downTopic,
  parseDown,
  qosOf,
  type UpChannel,
  upTopic,
  usernameOf,
} from '@tocsin/protocol/topics'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import type { Random } from './random.ts'
import type { Counters } from './counters.ts'
import type { Task, TickScheduler } from './tick-scheduler.ts'

/** Not `time`: the clock of this machine needs no synchronization. */
const HEARD = ['ack', 'cmd', 'config'] as const
export type DownlinkChannel = (typeof HEARD)[number]

export type LinkOptions = {
  address: DeviceAddress
  secret: Uint8Array
  /** `mqtt://host:port`, or `mqtts://` with `ca` in PEM for a private authority. */
  mqtt: string
  ca?: string | undefined
  keepaliveSec: number
  reconnect: { baseMs: number; capMs: number }
  wheel: TickScheduler
  random: Random
  tally: Counters
  will: () => UpMessage['state']
  onUp: () => void
  onMessage: (channel: DownlinkChannel, bytes: Uint8Array) => void
}

/** A device's MQTT 3.1.1 connection that reconnects forever with jitter. It buffers nothing: the unsent store does. */
export type Link = {
  /** Resolves when the first attempt has ended, successful or not; later attempts go on by themselves. */
  open(): Promise<void>
  up(): boolean
  /** Returns false without a link. `onStored` is called at the PUBACK of the broker. */
  publish<C extends UpChannel>(channel: C, message: UpMessage[C], onStored?: () => void): boolean
  /** Breaks the connection without a DISCONNECT, so that the broker publishes the will; reconnects with jitter. */
  cut(): void
  /** Opens a second connection with the same clientId; the broker then ends the first. */
  takeOver(): void
  close(): Promise<void>
}

const GOODBYE_MS = 1_000
/** The error of the client library when it ends a link because no ping was answered. */
const UNANSWERED = 'Keepalive timeout'

type State = { client: MqttClient | null; up: boolean; failures: number; retry: Task | null; closed: boolean }

export const createLink = (options: LinkOptions): Link => {
  const { address } = options
  const state: State = { client: null, up: false, failures: 0, retry: null, closed: false }
  return {
    up: () => state.up,
    open: () => connect(options, state),
    publish: (channel, message, onStored) => {
      if (!state.client || !state.up) return false
      const bytes = Buffer.from(encode(message))
      state.client.publish(upTopic(address, channel), bytes, { qos: qosOf(channel) }, (error) => {
        if (!error) onStored?.()
      })
      return true
    },
    cut: () => void state.client?.stream.destroy(),
    takeOver: () => {
      down(options, state)
      void connect(options, state)
    },
    close: async () => {
      state.closed = true
      state.retry?.cancel()
      const wasUp = state.up
      down(options, state)
      if (state.client) await end(state.client, wasUp)
    },
  }
}

/** With a DISCONNECT when there is a link. Does not wait for unacknowledged messages. */
const end = (client: MqttClient, politely: boolean): Promise<void> =>
  new Promise((ended) => {
    const impatient = setTimeout(() => client.stream.destroy(), GOODBYE_MS)
    const done = (): void => {
      clearTimeout(impatient)
      ended()
    }
    if (!client.stream.destroyed) client.stream.once('close', done)
    else done()
    client.end(!politely)
  })

const connect = (options: LinkOptions, state: State): Promise<void> =>
  new Promise((attempted) => {
    if (state.closed) return attempted()
    const { address, tally } = options
    const client = mqtt.connect(options.mqtt, clientOptions(options))
    state.client = client
    client.on('connect', () => {
      const wanted = HEARD.map((channel) => downTopic(address, channel))
      client.subscribe(wanted, { qos: 1 }, (error) => {
        if (state.client !== client) return
        if (error || state.closed) return client.stream.destroy()
        Object.assign(state, { up: true, failures: 0 })
        tally.connects += 1
        tally.connected += 1
        options.onUp()
        attempted()
      })
    })
    client.on('message', (topic, payload) => {
      const parsed = parseDown(topic)
      const channel = HEARD.find((received) => received === parsed?.channel)
      if (channel) options.onMessage(channel, payload)
    })
    // A numeric `code` is the broker's rejection (CONNACK 1 to 5); everything else is the network and ends in close.
    client.on('error', (error) => {
      if ('code' in error && typeof error.code === 'number') tally.refused += 1
      if (error.message === UNANSWERED && state.client === client) tally.silent += 1
    })
    client.once('close', () => {
      attempted()
      client.end(true)
      if (state.client === client && !state.closed) again(options, state)
    })
  })

const down = ({ tally }: LinkOptions, state: State): void => {
  if (state.up) tally.connected -= 1
  state.up = false
}

const again = (options: LinkOptions, state: State): void => {
  if (state.up) options.tally.lost += 1
  down(options, state)
  const { baseMs, capMs } = options.reconnect
  const spread = Math.min(capMs, baseMs * 2 ** Math.min(state.failures, 10))
  state.failures += 1
  state.retry = options.wheel.after(options.random() * spread, () => void connect(options, state))
}

/** The client library identifies its timers by numbers. */
const timersOn = (wheel: TickScheduler) => {
  const tasks = new Map<number, Task>()
  let last = 0
  return {
    set: (run: () => void, ms: number): number => {
      last += 1
      tasks.set(last, wheel.every(ms, run))
      return last
    },
    clear: (id: number): void => {
      tasks.get(id)?.cancel()
      tasks.delete(id)
    },
  }
}

const clientOptions = (options: LinkOptions): IClientOptions => {
  const { address, secret } = options
  return {
    protocolVersion: 4,
    clean: true,
    clientId: address.sn,
    username: usernameOf(address),
    password: Buffer.from(secret).toString('base64url'),
    keepalive: options.keepaliveSec,
    reconnectPeriod: 0,
    resubscribe: false,
    connectTimeout: 20_000,
    ...(options.ca !== undefined && { ca: options.ca }),
    will: { topic: upTopic(address, 'state'), payload: Buffer.from(encode(options.will())), qos: 1, retain: false },
    timerVariant: timersOn(options.wheel),
  }
}
