import { type DownChannel, downTopic } from '@tocsin/protocol/topics'
import type { Client } from 'aedes'
import { generate } from 'mqtt-packet'
import type { KnownDevice } from '#areas/device/credential-check'
import { faultPoint } from '../../fault-injection.ts'
import { channelFilters } from './topic-filters.ts'

/** One connected device. */
export type DeviceSession = {
  device: KnownDevice
  /** The secret that it connected with. */
  credentialId: number | null
  client: Client
  ip: string
  /** Reading of performance.now() at its last message; before the first one, at its CONNECT. */
  heardAt: number
  /** Filters it requested, granted or not. */
  requestedFilters: Set<string>
  /** Granted filters with their QoS. */
  grantedFilters: Map<string, 0 | 1>
  /** Resolves at the device's PUBACK (QoS 1) or once written (QoS 0); rejects when the link ends before. */
  send: (channel: DownChannel, payload: Uint8Array, qos: 0 | 1) => Promise<void>
  /** True while many messages wait for the device's PUBACK, which may lie behind presses that are not read yet. */
  isLagging: () => boolean
  acknowledged: (messageId: number) => void
  ended: () => void
}

type Waiting = { resolve: () => void; reject: (error: Error) => void }

/** A device that leaves this much unread is broken. */
const UNSENT_BYTES = 1_048_576
const MOST_ID = 65_535
/** Each costs some 1 KB; a device that waits for a receipt before its next press has one. */
const LAGGING_COUNT = 64

/** The QoS that the device subscribed to for the channel; undefined without a subscription. */
export const subscribedQos = (
  { device, grantedFilters: listens }: DeviceSession,
  channel: DownChannel,
): 0 | 1 | undefined => {
  const granted = channelFilters(device, channel).flatMap((filter) => listens.get(filter) ?? [])
  return granted.length === 0 ? undefined : granted.includes(1) ? 1 : 0
}

const outgoing = (client: Client) => {
  const waiting = new Map<number, Waiting>()
  let last = 0
  const nextId = (): number => {
    do last = last === MOST_ID ? 1 : last + 1
    while (waiting.has(last))
    return last
  }
  const write = (topic: string, payload: Uint8Array, qos: 0 | 1): Promise<void> => {
    if (client.closed || client.conn.destroyed) return Promise.reject(new Error('the link is gone'))
    if (client.conn.writableLength > UNSENT_BYTES || waiting.size > MOST_ID / 2) {
      client.conn.destroy()
      return Promise.reject(new Error('the device does not read'))
    }
    const messageId = qos === 1 ? nextId() : 0
    const packet = { cmd: 'publish' as const, topic, payload: Buffer.from(payload), dup: false, retain: false }
    client.conn.write(generate(qos === 1 ? { ...packet, qos, messageId } : { ...packet, qos }))
    faultPoint('afterPush')
    if (qos === 0) return Promise.resolve()
    return new Promise((resolve, reject) => waiting.set(messageId, { resolve, reject }))
  }
  return { waiting, write }
}

export const createDeviceSession = (
  client: Client,
  { device, credentialId }: Pick<DeviceSession, 'device' | 'credentialId'>,
  ip: string,
): DeviceSession => {
  const { waiting, write } = outgoing(client)
  return {
    device,
    credentialId,
    client,
    ip,
    heardAt: performance.now(),
    requestedFilters: new Set(),
    grantedFilters: new Map(),
    // Bypasses the broker's distribution, so that only this device gets the message and the PUBACK is seen here.
    send: (channel, payload, qos) => write(downTopic(device, channel), payload, qos),
    isLagging: () => waiting.size >= LAGGING_COUNT,
    acknowledged: (messageId) => {
      waiting.get(messageId)?.resolve()
      waiting.delete(messageId)
    },
    ended: () => {
      for (const { reject } of waiting.values()) reject(new Error('the link ended'))
      waiting.clear()
    },
  }
}
