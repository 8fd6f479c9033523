import type { Client } from 'aedes'
import type { KnownDevice } from '#areas/device/credential-check'
import { metrics } from '#metrics'
import type { DeviceSession } from './device-session.ts'

/** The devices connected to this node. */
export type SessionRegistry = {
  /** Registers an authenticated connection. It becomes the session of its device with `open`. */
  admit: (session: DeviceSession) => void
  /** Makes it the only session of its device. */
  open: (client: Client) => DeviceSession | undefined
  /** @returns the ended session, if it was the current one of its device. */
  close: (client: Client) => DeviceSession | undefined
  of: (client: Client) => DeviceSession | undefined
  /** The session that reaches a device: its own, or that of the gateway that last sent a message for it. */
  byDevice: (deviceId: number) => DeviceSession | undefined
  /** Reaches a child through its gateway. @returns whether this changed the route. */
  bind: (child: Pick<KnownDevice, 'id' | 'sn'>, gateway: DeviceSession) => boolean
  /** Serial number of a device that is reached through its gateway; undefined for others. */
  childSn: (deviceId: number) => string | undefined
  /** All connected devices, without children. */
  all: () => DeviceSession[]
  reachable: () => number[]
}

export const createSessionRegistry = (): SessionRegistry => {
  const ofClient = new WeakMap<Client, DeviceSession>()
  const open = new Map<number, DeviceSession>()
  const through = new Map<number, { gateway: DeviceSession; sn: string }>()
  const isOpen = (session: DeviceSession | undefined) => session && open.get(session.device.id) === session
  const byDevice = (deviceId: number) => {
    const gateway = through.get(deviceId)?.gateway
    return open.get(deviceId) ?? (isOpen(gateway) ? gateway : undefined)
  }
  const count = () => metrics.deviceConnections.set(open.size)
  return {
    admit: (session) => void ofClient.set(session.client, session),
    open: (client) => {
      const session = ofClient.get(client)
      if (session) open.set(session.device.id, session)
      count()
      return session
    },
    close: (client) => {
      const session = ofClient.get(client)
      session?.ended()
      if (!session || !isOpen(session)) return undefined
      open.delete(session.device.id)
      for (const [childId, { gateway }] of through) if (gateway === session) through.delete(childId)
      count()
      return session
    },
    of: (client) => ofClient.get(client),
    byDevice,
    bind: ({ id, sn }, gateway) => {
      const before = through.get(id)?.gateway
      through.set(id, { gateway, sn })
      return before !== gateway
    },
    childSn: (deviceId) => (open.has(deviceId) ? undefined : through.get(deviceId)?.sn),
    all: () => [...open.values()],
    reachable: () => [...open.keys(), ...through.keys()],
  }
}
