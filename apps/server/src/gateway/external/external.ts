import { downTopic, parseUp } from '@tocsin/protocol/topics'
import type { IPublishPacket } from 'mqtt'
import { findDevice, type KnownDevice } from '#areas/device/credential-check'
import type { Db } from '#db/db'
import { everything } from '#db/scope'
import { metrics } from '#metrics'
import { faultPoint } from '../../fault.ts'
import type { Parts } from '../parts.ts'
import { type Outbox, type Road, startOutbox } from '../outbox/outbox.ts'
import { claimWaiting } from '../outbox/rows.ts'
import type { Uplink } from '../uplink/uplink.ts'
import { NotTaken } from '../uplink/hold.ts'
import { startConsumer } from './consumer.ts'

export type External = { outbox: Outbox; uplink: Uplink; works: () => boolean; stop: () => Promise<void> }

type Address = NonNullable<ReturnType<typeof parseUp>>

const KNOWN_MS = 5000
const KNOWN_MOST = 100_000

/** Devices by their topic; the broker has proven who they are. */
const makeDirectory = ({ db, strangers }: Parts) => {
  const known = new Map<string, { device: KnownDevice; until: number }>()
  const addresses = new Map<number, Pick<Address, 'productKey' | 'sn'>>()
  return {
    addresses,
    find: async (address: Address): Promise<KnownDevice | undefined> => {
      const key = `${address.productKey}/${address.sn}`
      const before = known.get(key)
      if (before && before.until > performance.now()) return before.device
      const verdict = await findDevice(db, address)
      if (known.size > KNOWN_MOST) known.clear()
      if ('refused' in verdict) {
        known.delete(key)
        strangers.note({ productKey: address.productKey, sn: address.sn, ip: 'broker', reason: verdict.refused })
        return undefined
      }
      known.set(key, { device: verdict.device, until: performance.now() + KNOWN_MS })
      addresses.set(verdict.device.id, address)
      return verdict.device
    },
  }
}

const findAddress = (db: Db, deviceId: number) =>
  everything(db, 'a message goes to a device')
    .selectFrom('device')
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['deviceModel.productKey', 'device.sn'])
    .where('device.id', '=', deviceId)
    .executeTakeFirst()

const bytesOf = ({ payload }: IPublishPacket): Uint8Array =>
  typeof payload === 'string' ? Buffer.from(payload) : payload

/** Devices connect to an external broker, and this node takes its share of what they say (DESIGN 3, scaled out). */
export const startExternal = async (parts: Parts, url: string): Promise<External> => {
  const { screenDb, log, hold } = parts
  const directory = makeDirectory(parts)
  let stopping = false
  const road: Road = {
    sent: new Map(),
    send: async (deviceId, channel, payload) => {
      const address = directory.addresses.get(deviceId) ?? (await findAddress(screenDb, deviceId))
      if (!address) throw new Error(`device ${deviceId} is gone`)
      await consumer.publish(downTopic(address, channel), payload, channel === 'time' ? 0 : 1)
      faultPoint('afterPush')
    },
  }
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
    onBirth: ({ id }) => void outbox.sendAll(id),
  })
  const take = async (packet: IPublishPacket) => {
    const to = parseUp(packet.topic)
    const device = to && (await hold.take(packet.topic, () => directory.find(to), { lane: packet.topic }))
    if (!to || !device) return void metrics.uplinks.inc({ channel: to?.channel ?? 'foreign', outcome: 'refused' })
    const sender = { device, via: 'MQTT' as const, heardAt: null, receipt: outbox.receipt }
    await uplink(sender, to.channel, bytesOf(packet))
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
