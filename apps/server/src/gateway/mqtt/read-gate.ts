import type { Client } from 'aedes'
import type { PendingBudget } from '../uplink/pending-budget.ts'
import type { RetryQueue } from '../uplink/retry-queue.ts'
import type { DeviceSession } from './device-session.ts'

/** Stops reading from devices whose share of pending messages is used up. */
export type ReadGate = {
  canRead: (session: DeviceSession) => boolean
  onClosed: (session: DeviceSession) => void
  stop: () => void
}

/** Shorter than one and a half times the shortest keep-alive, which is one second. */
const KEEPALIVE_REFRESH_MS = 1000

/** The types of the broker omit its timer. */
const refreshKeepalive = (client: Client): void =>
  void (client as unknown as { _keepaliveTimer: NodeJS.Timeout | null })._keepaliveTimer?.refresh()

export const createReadGate = (budget: PendingBudget, retryQueue: Pick<RetryQueue, 'endLink'>): ReadGate => {
  const paused = new Set<DeviceSession>()
  // The broker cannot read the pings of a paused device, and must not close its connection for that.
  const timer = setInterval(() => {
    for (const { client } of paused) refreshKeepalive(client)
  }, KEEPALIVE_REFRESH_MS)
  return {
    canRead: (session) => {
      if (budget.canRead(session.device)) return true
      paused.add(session)
      budget.onReadable(session, session.device, () => {
        paused.delete(session)
        session.client.conn.emit('readable')
      })
      return false
    },
    onClosed: (session) => {
      paused.delete(session)
      budget.cancel(session)
      retryQueue.endLink(session)
    },
    stop: () => clearInterval(timer),
  }
}
