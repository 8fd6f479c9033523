import { checkUp, decodeUp } from '@tocsin/protocol/decode'
import type { Reply } from '@tocsin/protocol/reply'
import type { SubBatch } from '@tocsin/protocol/transfer'
import type { KnownDevice } from '#areas/device/credential-check'
import type { Log } from '#config'
import type { Db } from '#db/db'
import { unscoped } from '#db/scope'
import { metrics } from '#metrics'
import type { IngestResult } from '#areas/alarm/intake/ingest-pipeline'
import type { StoreDeviceMessage } from '../device-message-store.ts'
import type { SequenceGapDetector } from '../liveness/sequence-gaps.ts'
import type { ActivityBuffer } from '../liveness/activity-buffer.ts'
import type { RetryQueue } from './retry-queue.ts'
import { type IngestAdapter, type UplinkSender, decodeError } from './ingest-adapter.ts'

type Parts = {
  db: Db
  retryQueue: RetryQueue
  sink: ActivityBuffer
  gaps: SequenceGapDetector
  intake: IngestAdapter
  storeMessage: StoreDeviceMessage
  onReply: (deviceId: number, reply: Reply) => void
  onBirth: (device: KnownDevice) => void
  log: Log
  recordStamp: (device: KnownDevice, stamp: { boot: number; seq: number }) => void
}
type Item = SubBatch[number]

/** The devices that a gateway may send for: its registered children, without those that moved to another school. */
const childrenOf = (db: Db, gateway: KnownDevice) =>
  unscoped(db, 'a gateway speaks for its children')
    .selectFrom('device')
    .innerJoin('device as gateway', 'gateway.id', 'device.gatewayId')
    .where('gateway.id', '=', gateway.id)
    .whereRef('device.schoolId', 'is not distinct from', 'gateway.schoolId')
    .where('device.lifecycle', '!=', 'RETIRED')

/** The devices that a message to this device reaches: itself and, for a gateway, its connected children. */
export const listReachableDevices = async (db: Db, device: KnownDevice): Promise<number[]> => {
  if (device.kind !== 'GATEWAY') return [device.id]
  const children = await childrenOf(db, device)
    .innerJoin('deviceState', 'deviceState.deviceId', 'device.id')
    .where('deviceState.connectivity', 'in', ['ONLINE', 'LATE'])
    .select('device.id')
    .execute()
  return [device.id, ...children.map(({ id }) => id)]
}

const findChildren = async (db: Db, gateway: KnownDevice, sns: string[]): Promise<Map<string, KnownDevice>> => {
  const found = await childrenOf(db, gateway)
    .innerJoin('deviceModel', 'deviceModel.id', 'device.modelId')
    .select(['device.id', 'device.sn', 'device.schoolId', 'device.deptId', 'device.gatewayId'])
    .select(['deviceModel.productKey', 'deviceModel.kind', 'deviceModel.heartbeatSec'])
    .where('device.sn', 'in', sns)
    .execute()
  return new Map(found.map((child) => [child.sn, child]))
}

const bytesOf = (item: unknown): Uint8Array => Buffer.from(JSON.stringify(item))

/** An item of an unknown child. An alarm is stored as the gateway's; anything else is dropped. */
const handleUnknownChild = async ({ intake, log }: Parts, sender: UplinkSender, item: Item): Promise<void> => {
  metrics.deviceMessages.inc({ channel: 'sub', outcome: 'unknown_child' })
  log.info(`gateway ${sender.device.sn} sent a message for ${item.sn}, which is not its child`)
  if (item.type !== 'alarm') return
  const description = { channel: 'sub', bytes: bytesOf(item), reason: 'UNKNOWN_CHILD', field: 'sn' }
  await intake.unreadable(sender, sender.device.id, description)
}

/** Handles everything but alarms and events as if the child had sent it over its own link. */
const handleChildReport = async (
  parts: Parts,
  sender: UplinkSender,
  { child, item }: { child: KnownDevice; item: Item },
) => {
  const { storeMessage, sink, onReply, onBirth } = parts
  const { type, body } = item
  const state = type === 'state' ? checkUp('state', body) : undefined
  if (state?.ok && state.message.online) {
    sink.birth(child, state.message)
    return onBirth(child)
  }
  if (state?.ok) return sink.linkLost(child.id, { boot: state.message.boot, heardAt: null })
  sink.seen(child)
  const reply = type === 'reply' ? checkUp('reply', body) : undefined
  if (reply?.ok) onReply(child.id, reply.message)
  if (type === 'state' || type === 'reply' || type === 'ota' || type === 'media')
    await storeMessage({ ...sender, device: child }, type, bytesOf(body))
}

const handleChildMessage = async (
  parts: Parts,
  sender: UplinkSender,
  { child, item }: { child: KnownDevice; item: Item },
) => {
  const { intake, sink, gaps, recordStamp } = parts
  const { type, body } = item
  metrics.deviceMessages.inc({ channel: 'sub', outcome: 'child_message' })
  if (type === 'hb') {
    const heartbeat = checkUp('hb', body)
    if (!heartbeat.ok) return
    sink.heartbeat(child, heartbeat.message)
    gaps.heartbeat(child.id, heartbeat.message)
  }
  if (type !== 'alarm' && type !== 'event')
    return type === 'hb' ? undefined : handleChildReport(parts, sender, { child, item })
  sink.seen(child)
  const checked = type === 'alarm' ? checkUp('alarm', body) : checkUp('event', body)
  if (!checked.ok) {
    await intake.unreadable(sender, child.id, { channel: type, bytes: bytesOf(body), ...decodeError(checked) })
    return
  }
  recordStamp(child, checked.message)
  const { message } = checked
  if ('code' in message) await intake.message(sender, child.id, { channel: 'alarm', message })
  else await intake.message(sender, child.id, { channel: 'event', message })
}

/**
 * Ingests the batch of a gateway. Each alarm and event belongs to its child and is committed before the gateway gets its
 * PUBACK. An unreadable batch, or one of a device that is no gateway, may contain an alarm: it becomes an unparsable one.
 */
export const ingestGatewayBatch = async (
  parts: Parts,
  from: UplinkSender,
  bytes: Uint8Array,
): Promise<IngestResult | undefined> => {
  const sender = { ...from, arrivedAt: performance.now() }
  const { device } = sender
  const decoded = decodeUp('sub', bytes)
  metrics.deviceMessages.inc({ channel: 'sub', outcome: decoded.ok ? 'decoded' : 'unreadable' })
  const problem = decoded.ok ? { reason: 'NOT_A_GATEWAY' } : decodeError(decoded)
  if (!decoded.ok || device.kind !== 'GATEWAY')
    return parts.intake.unreadable(sender, device.id, { channel: 'sub', bytes, ...problem })
  const items = decoded.message
  const names = [...new Set(items.map(({ sn }) => sn))].sort()
  const key = `${device.id}:children:${names.join(',')}`
  const queued = { lane: device.id, onTrouble: sender.onTrouble, link: sender.link }
  const children = await parts.retryQueue.run(key, () => findChildren(parts.db, device, names), queued)
  for (const child of children.values()) sender.onChild?.(child)
  const each = items.map((item) => {
    const child = children.get(item.sn)
    return child ? handleChildMessage(parts, sender, { child, item }) : handleUnknownChild(parts, sender, item)
  })
  // The batch counts as pending until its last item is done, also when one of them failed.
  const failed = (await Promise.allSettled(each)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return undefined
}
