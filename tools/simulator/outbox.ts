import type { Ack } from '@tocsin/protocol/ack'
import type { Alarm } from '@tocsin/protocol/alarm'
import { httpKey } from '@tocsin/protocol/sign'
import type { DeviceAddress } from '@tocsin/protocol/topics'
import { oneAtATime, postAlarm, type HttpFallback } from './fallback.ts'
import { type UnsentStore, type UnsentEvent, createUnsentStore, type StoredEvent } from './unsent-store.ts'
import type { Ledger, ReceiptLine } from './ledger.ts'
import type { Link } from './link.ts'
import type { Random } from './random.ts'
import type { Counters } from './counters.ts'
import type { TickScheduler } from './tick-scheduler.ts'

/** Faults for tests, all off by default. */
export type Faults = {
  /** Sends every event 1 to `copies` times at once. */
  copies?: number
  /** After the first sending, connects a second time with the same clientId and sends again. */
  twoSockets?: boolean
  /** Sends alarms over HTTP at the same time. */
  httpAtOnce?: boolean
  /** Each first sending is delayed by 0 to so many ms, so that events overtake each other. */
  reorderMs?: number
}

export type Receipt = Ack & { sn: string; via: ReceiptLine['via']; latencyMs: number }

export type OutboxOptions = {
  address: DeviceAddress
  secret: Uint8Array
  /** Base address of the HTTP fallback; without it there is no fallback. */
  http?: string | undefined
  flashSize: number
  faults: Faults
  ledger?: Ledger | undefined
  onReceipt?: ((receipt: Receipt) => void) | undefined
  /** Called when the broker has acknowledged an alarm or event. */
  onAcknowledged?: ((eventId: string) => void) | undefined
  wheel: TickScheduler
  random: Random
  tally: Counters
}

/** From a pressed button to the platform's receipt: ledger first, then the store, then both transports. */
export type Outbox = {
  submit(kept: UnsentEvent): void
  hasRoom(): boolean
  receive(ack: Ack): void
  /** The link is up (again): sends everything without a receipt now. */
  resume(): void
  unsent(): number
  stop(): void
}

const RECENT = 500

export const createOutbox = (options: OutboxOptions, link: () => Link): Outbox => {
  const { address, wheel, random, tally, faults, ledger } = options
  const stopping = new AbortController()
  const way = { key: httpKey(options.secret), address, stopped: stopping.signal }
  const secondWay: HttpFallback | null = options.http === undefined ? null : { ...way, http: options.http }
  const owed: StoredEvent[] = []

  const post = async (alarm: Alarm): Promise<void> => {
    if (!secondWay || stopping.signal.aborted) return
    tally.fallbacks += 1
    const receipt = await postAlarm(secondWay, alarm)
    if (receipt) receive({ ...receipt, stage: 'accepted' }, 'http')
    else tally.fallbackFailures += 1
  }
  const fallback = oneAtATime(async (alarm) => {
    if (flash.find(alarm.eventId)) await post(alarm)
  })
  const send = (stored: StoredEvent): void => {
    const sent = transmit(link(), stored, () => acknowledge(options, stored, receive))
    if (stored.repeats > 0) tally.repeats += sent ? 1 : 0
    else misbehave(stored, sent)
  }
  const misbehave = (stored: StoredEvent, sent: boolean): void => {
    if (stored.disturbed) return
    stored.disturbed = sent
    // The answer of the other transport, if it came first.
    if (faults.httpAtOnce && stored.event.channel === 'alarm') void post(stored.event.message)
    if (!sent) return
    const copies = Math.floor(random() * (faults.copies ?? 1))
    for (let copy = 0; copy < copies; copy += 1) transmit(link(), stored)
    tally.copies += copies
    if (!faults.twoSockets) return
    owed.push(stored)
    link().takeOver()
  }
  const flash = createUnsentStore({ wheel, capacity: options.flashSize, send, fallback })
  const note = bookkeeper(options, flash)
  // A device that is off receives nothing more: its ledger may be closed.
  const receive = (ack: Ack, via: ReceiptLine['via']): void => {
    if (!stopping.signal.aborted) note(ack, via)
  }
  return {
    hasRoom: flash.hasRoom,
    submit: (kept) => {
      if (stopping.signal.aborted) return
      ledger?.write(sentLine(address, kept))
      flash.keep(kept, random() * (faults.reorderMs ?? 0))
    },
    receive: (ack) => receive(ack, 'mqtt'),
    resume: () => {
      for (const stored of owed.splice(0)) tally.copies += transmit(link(), stored) ? 1 : 0
      for (const stored of flash.waiting()) if (stored.begun) send(stored)
    },
    unsent: () => flash.waiting().length,
    stop: () => {
      stopping.abort()
      flash.stop()
    },
  }
}

type Receive = (ack: Ack, via: ReceiptLine['via']) => void

/**
 * An event is done at PUBACK, which the platform sends after its commit; an alarm waits for the platform's own
 * `accepted` receipt, because PUBACK may come from a broker that still has to forward it (3.4).
 */
const acknowledge = (
  { tally, onAcknowledged }: OutboxOptions,
  { event: kept }: StoredEvent,
  receive: Receive,
): void => {
  const { eventId } = kept.message
  tally.acknowledged += 1
  onAcknowledged?.(eventId)
  if (kept.channel === 'event') receive({ eventId, stage: 'accepted' }, 'puback')
}

const transmit = (link: Link, { event: kept }: StoredEvent, onStored?: () => void): boolean =>
  kept.channel === 'alarm'
    ? link.publish('alarm', kept.message, onStored)
    : link.publish('event', kept.message, onStored)

/** Records a receipt in ledger and counters; only the first `accepted` ends the repeats. */
const bookkeeper = ({ address, wheel, tally, ledger, onReceipt }: OutboxOptions, flash: UnsentStore) => {
  const recent = new Map<string, number>()
  return (ack: Ack, via: ReceiptLine['via']): void => {
    const now = wheel.now()
    const firstAt = flash.find(ack.eventId)?.firstAt ?? recent.get(ack.eventId) ?? now
    const latencyMs = Math.round((now - firstAt) * 10) / 10
    ledger?.write({ ...ack, kind: 'receipt', at: Date.now(), sn: address.sn, via, latencyMs })
    const stored = ack.stage === 'accepted' ? flash.confirm(ack.eventId) : undefined
    if (stored) {
      recent.set(ack.eventId, firstAt)
      const [oldest] = recent.keys()
      if (recent.size > RECENT && oldest !== undefined) recent.delete(oldest)
      tally.accepted += 1
      if (stored.event.channel === 'alarm') tally.latency(latencyMs)
    }
    onReceipt?.({ ...ack, sn: address.sn, via, latencyMs })
  }
}

const sentLine = ({ productKey, sn }: DeviceAddress, kept: UnsentEvent) => {
  const { eventId, mode, boot, seq } = kept.message
  const description = kept.channel === 'alarm' ? kept.message.code : kept.message.kind
  return {
    kind: 'sent' as const,
    at: Date.now(),
    channel: kept.channel,
    eventId,
    productKey,
    sn,
    what: description,
    mode,
    boot,
    seq,
  }
}
