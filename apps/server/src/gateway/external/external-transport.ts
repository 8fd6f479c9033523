import { downTopic, parseUp, qosOf } from '@tocsin/protocol/topics'
import type { IPublishPacket } from 'mqtt'
import type { KnownDevice } from '#areas/device/credential-check'
import { metrics } from '#metrics'
import { faultPoint } from '../../fault-injection.ts'
import type { GatewayDeps } from '../deps.ts'
import { encodeDownlink, type Outbox, type DeliveryRoute, startOutboxDispatcher } from '../outbox/outbox.ts'
import { claimPending } from '../outbox/outbox-rows.ts'
import { limitPending } from '../uplink/count-pending.ts'
import { listReachableDevices } from '../uplink/gateway-batch.ts'
import type { PendingBudget } from '../uplink/pending-budget.ts'
import type { UplinkHandler } from '../uplink/uplink.ts'
import { QueueFullError } from '../uplink/queue-full.ts'
import { type UplinkConsumer, startUplinkConsumer } from './uplink-consumer.ts'
import { type DeviceDirectory, createDeviceDirectory, type DeviceRoute } from './device-directory.ts'

export type ExternalTransport = {
  outbox: Outbox
  uplink: UplinkHandler
  isHealthy: () => boolean
  problem: () => string | undefined
  stop: () => Promise<void>
}

const payloadOf = ({ payload }: IPublishPacket): Uint8Array =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

const createDeliveryRoute = (directory: DeviceDirectory, publish: UplinkConsumer['publish']): DeliveryRoute => ({
  sent: new Map(),
  send: async (deviceId, channel, message) => {
    const routes = await directory.routesTo(deviceId)
    if (routes.length === 0) throw new Error(`device ${deviceId} is gone`)
    const qos = qosOf(channel)
    const say = ({ address, childSn }: DeviceRoute) =>
      publish(downTopic(address, channel), encodeDownlink(message, childSn), qos)
    await Promise.all(routes.map(say))
    faultPoint('afterPush')
  },
})

/** While this node is full, its connections to the broker stand still: the broker keeps what is not acknowledged. */
const waitForRoom = (budget: PendingBudget, device: KnownDevice): Promise<void> | undefined =>
  budget.isFull() ? new Promise((resolve) => budget.onReadable({}, device, resolve)) : undefined

/** Starts the transport with an external broker: this node receives its share of all uplinks (DESIGN 3, scaled out). */
export const startExternalTransport = async (parts: GatewayDeps, url: string): Promise<ExternalTransport> => {
  const { screenDb, log, retryQueue, budget } = parts
  const directory = createDeviceDirectory(parts)
  let stopping = false
  const route = createDeliveryRoute(directory, (...message) => consumer.publish(...message))
  const outbox = startOutboxDispatcher({
    db: screenDb,
    log,
    routeTo: () => route,
    reachable: () => 'all',
    read: claimPending,
  })
  const uplink = parts.createUplinkWith({
    onReply: (id, { commandId }) => outbox.answered(id, commandId),
    onUnreadable: (id, error) => void route.send(id, 'error', error)?.catch(() => undefined),
    // The broker may have dropped messages when the link of the device broke.
    onBirth: (device) => void outbox.sendAll(listReachableDevices(screenDb, device)),
  })
  const limited = limitPending(uplink, budget)
  const ingest = async (packet: IPublishPacket) => {
    const to = parseUp(packet.topic)
    // A retained message reports a past state, and the broker sends it to each new connection. An alarm is always
    // handled, because its eventId shows whether it is known.
    if (packet.retain && to && to.channel !== 'alarm')
      return void metrics.deviceMessages.inc({ channel: to.channel, outcome: 'retained' })
    const device = to && (await retryQueue.run(packet.topic, () => directory.find(to), { lane: packet.topic }))
    if (!to || !device)
      return void metrics.deviceMessages.inc({ channel: to?.channel ?? 'unknown', outcome: 'rejected' })
    const sender = { device, via: 'MQTT' as const, heardAt: null, receipt: outbox.receipt }
    await waitForRoom(budget, device)
    await limited(sender, to.channel, payloadOf(packet))
  }
  const onMessage = async (packet: IPublishPacket) => {
    try {
      await ingest(packet)
    } catch (error) {
      // Without a PUBACK the broker would send it again at once, endlessly. The device repeats it until it has a receipt.
      if (stopping || !(error instanceof QueueFullError)) throw error
      log.warn(`a message was not stored, its device repeats it: ${error.message}`)
    }
    faultPoint('beforePuback')
  }
  const consumer = startUplinkConsumer({ url, log, onMessage })
  return {
    outbox,
    uplink,
    isHealthy: consumer.isHealthy,
    problem: consumer.problem,
    stop: async () => {
      stopping = true
      await consumer.stop()
      await outbox.stop()
    },
  }
}
