import type { Client } from 'aedes'
import type { KnownDevice } from '#areas/device/credential-check'
import { metrics } from '#metrics'
import type { DeviceSession } from './device-session.ts'

/** The devices connected to this node. */
export type SessionRegistry = {
  /** Admitted, not yet a session of its own: a later one of the same device takes its place. */
  admit: (session: DeviceSession) => void
  /** Now the one connection of its device. */
  open: (client: Client) => DeviceSession | undefined
  /** @returns what ended, if it was its device's connection. */
  close: (client: Client) => DeviceSession | undefined
  of: (client: Client) => DeviceSession | undefined
  /** The connection that reaches a device: its own, or that of the gateway that spoke for it last. */
  byDevice: (deviceId: number) => DeviceSession | undefined
  /** Children are reached through their gateway. @returns whether this child was not, until now. */
  bind: (child: Pick<KnownDevice, 'id' | 'sn'>, gateway: DeviceSession) => boolean
  /** Of the device where it is reached through its gateway. */
  childSn: (deviceId: number) => string | undefined
  /** Ids of all connected devices, without children. */
  ids: () => number[]
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
  const count = () => metrics.deviceLinks.set(open.size)
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
    ids: () => [...open.keys()],
    reachable: () => [...open.keys(), ...through.keys()],
  }
}
