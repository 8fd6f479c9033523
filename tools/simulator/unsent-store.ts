import type { Alarm } from '@tocsin/protocol/alarm'
import type { DeviceEvent } from '@tocsin/protocol/event'
import { FALLBACK_AFTER_MS, resendAtMs } from '@tocsin/protocol/retry'
import type { Task, TickScheduler } from './tick-scheduler.ts'

export type UnsentEvent = { channel: 'alarm'; message: Alarm } | { channel: 'event'; message: DeviceEvent }
export type StoredEvent = {
  event: UnsentEvent
  /** Scheduler time of the first sending; meaningless until `begun`. */
  firstAt: number
  begun: boolean
  repeats: number
  /** True when the faults of this event were already simulated. */
  disturbed: boolean
  next: Task | null
  fallback: Task | null
}

export type UnsentStoreOptions = {
  wheel: TickScheduler
  capacity: number
  /** One sending; without a link it does nothing, and the next repeat tries again. */
  send: (stored: StoredEvent) => void
  /** The HTTP fallback for alarms: 5 s after the first sending, then with every repeat. */
  fallback: (alarm: Alarm) => void
}

/** The device's memory of unconfirmed events, each with its own repeats (protocol 3.4). */
export type UnsentStore = {
  /** False when full: a real device cannot store the press either. */
  hasRoom(): boolean
  keep(kept: UnsentEvent, firstSendInMs: number): void
  /** The event of this confirmation; undefined for a second confirmation. */
  confirm(eventId: string): StoredEvent | undefined
  find(eventId: string): StoredEvent | undefined
  /** Oldest first: the order in which a device sends them once it has a link again. */
  waiting(): StoredEvent[]
  stop(): void
}

export const createUnsentStore = ({ wheel, capacity, send, fallback }: UnsentStoreOptions): UnsentStore => {
  const items = new Map<string, StoredEvent>()

  const planRepeat = (stored: StoredEvent): void => {
    const dueAt = stored.firstAt + resendAtMs(stored.repeats + 1)
    stored.next = wheel.after(dueAt - wheel.now(), () => {
      stored.repeats += 1
      planRepeat(stored)
      send(stored)
      const late = wheel.now() - stored.firstAt > FALLBACK_AFTER_MS
      if (late && stored.event.channel === 'alarm') fallback(stored.event.message)
    })
  }
  const begin = (stored: StoredEvent): void => {
    Object.assign(stored, { firstAt: wheel.now(), begun: true })
    planRepeat(stored)
    const { event: kept } = stored
    if (kept.channel === 'alarm') stored.fallback = wheel.after(FALLBACK_AFTER_MS, () => fallback(kept.message))
    send(stored)
  }
  const drop = (stored: StoredEvent): void => {
    stored.next?.cancel()
    stored.fallback?.cancel()
  }
  return {
    hasRoom: () => items.size < capacity,
    keep: (kept, firstSendInMs) => {
      const stored: StoredEvent = {
        event: kept,
        firstAt: wheel.now(),
        begun: false,
        repeats: 0,
        disturbed: false,
        next: null,
        fallback: null,
      }
      items.set(kept.message.eventId, stored)
      if (firstSendInMs > 0) stored.next = wheel.after(firstSendInMs, () => begin(stored))
      else begin(stored)
    },
    confirm: (eventId) => {
      const stored = items.get(eventId)
      if (stored) drop(stored)
      items.delete(eventId)
      return stored
    },
    find: (eventId) => items.get(eventId),
    waiting: () => [...items.values()],
    stop: () => {
      for (const stored of items.values()) drop(stored)
    },
  }
}
