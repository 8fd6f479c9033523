import { decodeUp } from '@tocsin/protocol/decode'
import { type DeviceAddress, parseUsername, upTopic } from '@tocsin/protocol/topics'
import type { ConnectPacket } from 'aedes'

/** What is wrong with a CONNECT beside the identity, as the health record of the device names it. */
export type ConnectFault = 'WILL_TOPIC' | 'WILL_PAYLOAD' | 'WILL_RETAINED' | 'KEEP_ALIVE'

/** For the log. */
export const connectFaultReasons: Record<ConnectFault, string> = {
  WILL_TOPIC: 'the topic of its will is not its own up/state',
  WILL_PAYLOAD: 'the payload of its will is not {"online":false,"boot":…}',
  WILL_RETAINED: 'its will is retained',
  KEEP_ALIVE: 'its keep-alive is 0 or longer than 30 minutes',
}

/** A broken link would be noticed too late to be of use. */
const MAX_KEEPALIVE_SEC = 1800

const findWillFault = (
  address: DeviceAddress | null,
  will: NonNullable<ConnectPacket['will']>,
): ConnectFault | undefined => {
  if (!address || will.topic !== upTopic(address, 'state')) return 'WILL_TOPIC'
  const payload: unknown = will.payload
  const decoded = decodeUp('state', Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload)))
  if (!decoded.ok || decoded.message.online) return 'WILL_PAYLOAD'
  return will.retain ? 'WILL_RETAINED' : undefined
}

/**
 * Removes from a CONNECT what the server cannot use. Only identity refuses a device: one with a wrong will must still be
 * able to raise alarms.
 */
export const dropInvalidSettings = (packet: ConnectPacket): ConnectFault[] => {
  const faults: ConnectFault[] = []
  const willFault = packet.will && findWillFault(parseUsername(packet.username ?? ''), packet.will)
  if (willFault) {
    delete packet.will
    faults.push(willFault)
  }
  const keepalive = packet.keepalive ?? 0
  if (keepalive === 0 || keepalive > MAX_KEEPALIVE_SEC) {
    // 0: the broker sets no timer. The heartbeats show whether the device is there.
    packet.keepalive = 0
    faults.push('KEEP_ALIVE')
  }
  return faults
}
