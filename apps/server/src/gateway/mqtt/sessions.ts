import type { Client } from 'aedes'
import { metrics } from '#metrics'
import type { Session } from './session.ts'

/** The devices connected to this node. */
export type Sessions = {
  /** Admitted, not yet a session of its own: a later one of the same device takes its place. */
  admit: (session: Session) => void
  /** Now the one connection of its device. */
  open: (client: Client) => Session | undefined
  /** @returns what ended, if it was its device's connection. */
  close: (client: Client) => Session | undefined
  of: (client: Client) => Session | undefined
  /** The connection that reaches a device: its own, or that of the gateway that spoke for it last. */
  byDevice: (deviceId: number) => Session | undefined
  /** Children are reached through their gateway. */
  bind: (childId: number, gateway: Session) => void
  /** Ids of all connected devices, without children. */
  ids: () => number[]
  reachable: () => number[]
}

export const makeSessions = (): Sessions => {
  const ofClient = new WeakMap<Client, Session>()
  const open = new Map<number, Session>()
  const through = new Map<number, Session>()
  const isOpen = (session: Session | undefined) => session && open.get(session.device.id) === session
  const byDevice = (deviceId: number) => {
    const gateway = through.get(deviceId)
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
      for (const [childId, gateway] of through) if (gateway === session) through.delete(childId)
      count()
      return session
    },
    of: (client) => ofClient.get(client),
    byDevice,
    bind: (childId, gateway) => void through.set(childId, gateway),
    ids: () => [...open.keys()],
    reachable: () => [...open.keys(), ...through.keys()],
  }
}
