import { downTopic, parseUp } from '@tocsin/protocol/topics'
import type { IPublishPacket } from 'mqtt'
import { metrics } from '#metrics'
import { faultPoint } from '../../fault-injection.ts'
import type { GatewayDeps } from '../deps.ts'
import { encodeDownlink, type Outbox, type DeliveryRoute, startOutboxDispatcher } from '../outbox/outbox.ts'
import { claimPending } from '../outbox/outbox-rows.ts'
import { listReachableDevices } from '../uplink/gateway-batch.ts'
import type { UplinkHandler } from '../uplink/uplink.ts'
import { QueueFullError } from '../uplink/retry-queue.ts'
import { type UplinkConsumer, startUplinkConsumer } from './uplink-consumer.ts'
import { type DeviceDirectory, createDeviceDirectory, type DeviceRoute } from './device-directory.ts'

export type ExternalTransport = {
  outbox: Outbox
  uplink: UplinkHandler
  isHealthy: () => boolean
  stop: () => Promise<void>
}

const payloadOf = ({ payload }: IPublishPacket): Uint8Array =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

const createDeliveryRoute = (directory: DeviceDirectory, publish: UplinkConsumer['publish']): DeliveryRoute => ({
  sent: new Map(),
  send: async (deviceId, channel, message) => {
    const routes = await directory.routesTo(deviceId)
    if (routes.length === 0) throw new Error(`device ${deviceId} is gone`)
    const qos = channel === 'time' ? 0 : 1
    const say = ({ address, childSn }: DeviceRoute) =>
      publish(downTopic(address, channel), encodeDownlink(message, childSn), qos)
    await Promise.all(routes.map(say))
    faultPoint('afterPush')
  },
})

/** Devices connect to an external broker, and this node takes its share of what they say (DESIGN 3, scaled out). */
export const startExternalTransport = async (parts: GatewayDeps, url: string): Promise<ExternalTransport> => {
  const { screenDb, log, hold } = parts
  const directory = createDeviceDirectory(parts)
  let stopping = false
  const road = createDeliveryRoute(directory, (...message) => consumer.publish(...message))
  const outbox = startOutboxDispatcher({
    db: screenDb,
    log,
    routeTo: () => road,
    reachable: () => 'all',
    read: claimPending,
    // The broker's word is not the device's: a command waits for its answer.
    endsRow: (channel) => channel !== 'cmd',
  })
  const uplink = parts.createUplinkWith({
    onReply: (id, { commandId }) => outbox.answered(id, commandId),
    // What the broker had for it may have gone with its link.
    onBirth: (device) => void outbox.sendAll(listReachableDevices(screenDb, device)),
  })
  const take = async (packet: IPublishPacket) => {
    const to = parseUp(packet.topic)
    // Kept by the broker, it says how things were, and would say so at each of our connections. An alarm is never left:
    // its eventId tells whether it is known.
    if (packet.retain && to && to.channel !== 'alarm')
      return void metrics.uplinks.inc({ channel: to.channel, outcome: 'retained' })
    const device = to && (await hold.run(packet.topic, () => directory.find(to), { lane: packet.topic }))
    if (!to || !device) return void metrics.uplinks.inc({ channel: to?.channel ?? 'foreign', outcome: 'refused' })
    const sender = { device, via: 'MQTT' as const, heardAt: null, receipt: outbox.receipt }
    await uplink(sender, to.channel, payloadOf(packet))
  }
  const onMessage = async (packet: IPublishPacket) => {
    try {
      await take(packet)
    } catch (error) {
      // Given back it would come again at once, and for ever. The device repeats what it holds no receipt for.
      if (stopping || !(error instanceof QueueFullError)) throw error
      log.warn(`a message is left to its device to repeat: ${error.message}`)
    }
    faultPoint('beforePuback')
  }
  const consumer = startUplinkConsumer({ url, log, onMessage })
  return {
    outbox,
    uplink,
    isHealthy: consumer.isHealthy,
    stop: async () => {
      stopping = true
      await consumer.stop()
      await outbox.stop()
    },
  }
}
