import { downTopic, parseUp } from '@tocsin/protocol/topics'
import type { IPublishPacket } from 'mqtt'
import { metrics } from '#metrics'
import { faultPoint } from '../../fault.ts'
import type { Parts } from '../parts.ts'
import { bytesOf, type Outbox, type Road, startOutbox } from '../outbox/outbox.ts'
import { claimWaiting } from '../outbox/rows.ts'
import { reachedBy } from '../uplink/children.ts'
import type { Uplink } from '../uplink/uplink.ts'
import { NotTaken } from '../uplink/hold.ts'
import { type Consumer, startConsumer } from './consumer.ts'
import { type Directory, makeDirectory, type Route } from './directory.ts'

export type External = { outbox: Outbox; uplink: Uplink; works: () => boolean; stop: () => Promise<void> }

const payloadOf = ({ payload }: IPublishPacket): Uint8Array =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

const makeRoad = (directory: Directory, publish: Consumer['publish']): Road => ({
  sent: new Map(),
  send: async (deviceId, channel, message) => {
    const routes = await directory.routesTo(deviceId)
    if (routes.length === 0) throw new Error(`device ${deviceId} is gone`)
    const qos = channel === 'time' ? 0 : 1
    const say = ({ address, childSn }: Route) => publish(downTopic(address, channel), bytesOf(message, childSn), qos)
    await Promise.all(routes.map(say))
    faultPoint('afterPush')
  },
})

/** Devices connect to an external broker, and this node takes its share of what they say (DESIGN 3, scaled out). */
export const startExternal = async (parts: Parts, url: string): Promise<External> => {
  const { screenDb, log, hold } = parts
  const directory = makeDirectory(parts)
  let stopping = false
  const road = makeRoad(directory, (...message) => consumer.publish(...message))
  const outbox = startOutbox({
    db: screenDb,
    log,
    roadTo: () => road,
    reachable: () => 'all',
    read: claimWaiting,
    // The broker's word is not the device's: a command waits for its answer.
    endsRow: (channel) => channel !== 'cmd',
  })
  const uplink = parts.makeUplinkWith({
    onReply: (id, { commandId }) => outbox.answered(id, commandId),
    // What the broker had for it may have gone with its link.
    onBirth: (device) => void outbox.sendAll(reachedBy(screenDb, device)),
  })
  const take = async (packet: IPublishPacket) => {
    const to = parseUp(packet.topic)
    // Kept by the broker, it says how things were, and would say so at each of our connections. An alarm is never left:
    // its eventId tells whether it is known.
    if (packet.retain && to && to.channel !== 'alarm')
      return void metrics.uplinks.inc({ channel: to.channel, outcome: 'retained' })
    const device = to && (await hold.take(packet.topic, () => directory.find(to), { lane: packet.topic }))
    if (!to || !device) return void metrics.uplinks.inc({ channel: to?.channel ?? 'foreign', outcome: 'refused' })
    const sender = { device, via: 'MQTT' as const, heardAt: null, receipt: outbox.receipt }
    await uplink(sender, to.channel, payloadOf(packet))
  }
  const onMessage = async (packet: IPublishPacket) => {
    try {
      await take(packet)
    } catch (error) {
      // Given back it would come again at once, and for ever. The device repeats what it holds no receipt for.
      if (stopping || !(error instanceof NotTaken)) throw error
      log.warn(`a message is left to its device to repeat: ${error.message}`)
    }
    faultPoint('beforePuback')
  }
  const consumer = startConsumer({ url, log, onMessage })
  return {
    outbox,
    uplink,
    works: consumer.works,
    stop: async () => {
      stopping = true
      await consumer.stop()
      await outbox.stop()
    },
  }
}
